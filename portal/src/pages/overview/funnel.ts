import type { FunnelFigures, Overview } from '#contract/overview.ts';

export interface FunnelStage {
  readonly name: string;
  readonly median: keyof Overview['latency'];
  /** Null where nothing can be known: no carrier has sent a receipt. */
  readonly count: number | null;
  /** What it is a share of. */
  readonly of: number;
}

type Counts = Omit<FunnelFigures, 'failed' | 'cost'>;

/** A funnel begins with the codes that were asked for; that of one carrier, to which no request belongs, with its attempts. */
export const beginOf = ({ requested, attempted }: Counts) =>
  requested === null ? { name: 'Attempts', count: attempted } : { name: 'Requested', count: requested };

/** What a carrier delivered, and what was confirmed, is a share of what it took; of an account, of what was requested. */
export function stagesOf(funnel: Counts): readonly FunnelStage[] {
  const { requested, submitted, delivered, undelivered, confirmed } = funnel;
  const whole = requested ?? submitted;
  const isSilent = submitted > 0 && delivered + undelivered === 0;
  return [
    { name: 'Taken', median: 'submitted', count: submitted, of: beginOf(funnel).count },
    { name: 'Delivered', median: 'delivered', count: isSilent ? null : delivered, of: whole },
    { name: 'Confirmed', median: 'confirmed', count: confirmed, of: whole },
  ];
}

/** What nothing is known of but that a carrier took it; null where no carrier has sent a receipt. */
export function withoutReceipt({ submitted, delivered, undelivered }: FunnelFigures): number | null {
  return delivered + undelivered === 0 ? null : Math.max(0, submitted - delivered - undelivered);
}

/** Null where nothing was confirmed. */
export const costOfEach = ({ cost, confirmed }: FunnelFigures): number | null =>
  confirmed === 0 ? null : cost / confirmed;
