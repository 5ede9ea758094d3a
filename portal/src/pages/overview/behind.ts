/** From a figure to the list of the codes that it counts. */
import type { AttemptResult, ExportFilters, Status } from '#contract/verifications.ts';

export type Figure =
  | 'requested'
  | 'attempted'
  | 'confirmed'
  | 'failed'
  | Extract<AttemptResult, 'accepted' | 'delivered' | 'undelivered' | 'unreported' | 'refused'>;

/** Where it was counted; all of the account, if that is empty. */
export type Place = Pick<ExportFilters, 'channel' | 'country' | 'carrier' | 'key' | 'test'>;

export type Behind = (figure: Figure, place?: Place) => string;

const STATUSES: Partial<Record<Figure, Status>> = { confirmed: 'confirmed', failed: 'failed' };

const ATTEMPTS: Partial<Record<Figure, AttemptResult>> = {
  accepted: 'accepted',
  delivered: 'delivered',
  undelivered: 'undelivered',
  unreported: 'unreported',
  refused: 'refused',
};

/** A confirmation counts for the carrier that carried the code, and for no other that was asked. */
const attemptOf = (figure: Figure, { carrier }: Place): AttemptResult | undefined =>
  figure === 'confirmed' && carrier !== undefined ? 'carried' : ATTEMPTS[figure];

/** The address of the list, in a span of time. */
export const listBehind =
  (account: string, span: Pick<ExportFilters, 'from' | 'to'>, all: Place): Behind =>
  (figure, place = {}) => {
    const where = { ...all, ...place };
    const [status, attempt] = [STATUSES[figure], attemptOf(figure, where)];
    const filters: ExportFilters = {
      ...where,
      ...(status !== undefined && { status }),
      ...(attempt !== undefined && { attempt }),
      counted: 'true',
      ...span,
    };
    return `/accounts/${account}/verifications?${new URLSearchParams(filters)}`;
  };

const MINUTE = 60_000;

/** In the time that ends now; in whole minutes, so that an address stays the same for a while. */
export const listBehindLast = (account: string, ms: number, all: Place): Behind => {
  const now = Date.now();
  return listBehind(account, { from: new Date(now - ms - ((now - ms) % MINUTE)).toISOString() }, all);
};
