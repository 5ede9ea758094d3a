import type { FunnelFigures, OverviewTotal } from '#contract/overview.ts';

export interface FunnelStage {
  readonly name: 'Accepted' | 'Delivered' | 'Confirmed';
  readonly median: keyof OverviewTotal['latency'];
  /** Null if nothing is known, because no carrier has sent a receipt. */
  readonly count: number | null;
  /** The whole that it is a share of. */
  readonly of: number;
}

/** A stage that no receipt is needed for. */
type Counted = FunnelStage & { readonly count: number };

type Counts = Omit<FunnelFigures, 'failed' | 'cost'>;

/** A funnel starts with the requests. That of one carrier starts with the attempts, because a request has no carrier. */
export const beginOf = ({ requested, attempted }: Counts) =>
  requested === null
    ? ({ name: 'Attempts', count: attempted } as const)
    : ({ name: 'Requested', count: requested } as const);

/** For a carrier, delivered and confirmed are shares of the accepted messages; for an account, of the requests. */
export function stagesOf(funnel: Counts): readonly [FunnelStage, FunnelStage, Counted] {
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

/** The figure of a stage, for the list behind it. */
export const FIGURES = { Accepted: 'accepted', Delivered: 'delivered', Confirmed: 'confirmed' } as const;

/** Null if nothing was confirmed. */
export const costOfEach = ({ cost, confirmed }: FunnelFigures): number | null =>
  confirmed === 0 ? null : cost / confirmed;

/** Undefined of nothing. */
export function conversionOf(funnel: Counts): number | undefined {
  const [, , { count, of }] = stagesOf(funnel);
  return of === 0 ? undefined : count / of;
}

/** Adds up figures such as those of several steps. */
export function sumOf(funnels: readonly FunnelFigures[]): FunnelFigures {
  const sum = (pick: (funnel: FunnelFigures) => number | null) =>
    funnels.reduce((all, each) => all + (pick(each) ?? 0), 0);
  const ofRequests = funnels.some(({ requested }) => requested !== null);
  return {
    requested: ofRequests ? sum(({ requested }) => requested) : null,
    attempted: sum(({ attempted }) => attempted),
    submitted: sum(({ submitted }) => submitted),
    delivered: sum(({ delivered }) => delivered),
    undelivered: sum(({ undelivered }) => undelivered),
    failed: ofRequests ? sum(({ failed }) => failed) : null,
    confirmed: sum(({ confirmed }) => confirmed),
    cost: sum(({ cost }) => cost),
  };
}
