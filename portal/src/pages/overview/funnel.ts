import type { FunnelFigures, Overview } from '#contract/overview.ts';

export interface FunnelStage {
  readonly name: string;
  readonly median: keyof Overview['latency'];
  /** Null if nothing is known, because no carrier has sent a receipt. */
  readonly count: number | null;
  /** The whole that it is a share of. */
  readonly of: number;
}

type Counts = Omit<FunnelFigures, 'failed' | 'cost'>;

/** A funnel starts with the requests. That of one carrier starts with the attempts, because a request has no carrier. */
export const beginOf = ({ requested, attempted }: Counts) =>
  requested === null ? { name: 'Attempts', count: attempted } : { name: 'Requested', count: requested };

/** For a carrier, delivered and confirmed are shares of the accepted messages; for an account, of the requests. */
export function stagesOf(funnel: Counts): readonly FunnelStage[] {
  const { requested, submitted, delivered, undelivered, confirmed } = funnel;
  const whole = requested ?? submitted;
  const isSilent = submitted > 0 && delivered + undelivered === 0;
  return [
    { name: 'Accepted', median: 'submitted', count: submitted, of: beginOf(funnel).count },
    { name: 'Delivered', median: 'delivered', count: isSilent ? null : delivered, of: whole },
    { name: 'Confirmed', median: 'confirmed', count: confirmed, of: whole },
  ];
}

/** Accepted messages without any receipt; null if no carrier has sent receipts. */
export function withoutReceipt({ submitted, delivered, undelivered }: FunnelFigures): number | null {
  return delivered + undelivered === 0 ? null : Math.max(0, submitted - delivered - undelivered);
}

/** Null if nothing was confirmed. */
export const costOfEach = ({ cost, confirmed }: FunnelFigures): number | null =>
  confirmed === 0 ? null : cost / confirmed;
