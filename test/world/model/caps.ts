/** How many messages a carrier takes on one day, in UTC (configuration.md, dailyCap; routing.md). */
import type { LiveOptions } from '../command.ts';
import { inEffect, must } from './common.ts';
import { since } from './counting.ts';
import type { Attempt, State } from './state.ts';
import { DAY, ON_ITS_WAY } from './table.ts';

const capOf = ({ route }: LiveOptions, carrier: string): number | undefined =>
  route.find((it) => it.carrier === carrier)?.cap;
const dayOf = (at: number) => Math.floor(at / DAY);
const allOf = (s: State, carrier: string): readonly Attempt[] =>
  [...s.verifications.flatMap((v) => v.attempts), ...s.loose].filter((it) => it.carrier === carrier);

/** What it took, and what it did not answer in time (routing.md, Caps). */
export const counts = ({ did }: Attempt): boolean => did === 'accepted' || did === 'hung';

/** What was sent before it had a cap, or in that moment, may not count. Whether a message counts that it did not take is open. */
export function capHolds(s: State, it: Attempt): void {
  const caps = inEffect(s.live, { at: it.at, until: it.at }, ON_ITS_WAY).map((live) =>
    capOf(live, it.carrier),
  );
  const most = Math.max(...caps.map((cap) => cap ?? Number.POSITIVE_INFINITY));
  const from = since(s.live, (live) => capOf(live, it.carrier) !== undefined);
  const before = allOf(s, it.carrier).filter(
    (one) => counts(one) && one.at > from && dayOf(one.at) === dayOf(it.at),
  ).length;
  must(before < most, `${it.carrier} was asked for more than ${most} messages on one day (configuration.md)`);
}

/** Whether it may have a cap that is used up, now or since then. */
export function mayBeUsedUp(s: State, carrier: string, asked = s.now): boolean {
  const count = allOf(s, carrier).filter((it) => dayOf(it.at) >= dayOf(asked)).length;
  return s.live.some((it) => count >= (capOf(it.value, carrier) ?? Number.POSITIVE_INFINITY));
}
