/** Has the outage of the week alerted of, as the service would have. */
import { evaluate } from '../alerts/evaluation.ts';
import { LeaderLease } from '../alerts/leader-lease.ts';
import { watchCarriers } from '../alerts/watch/service.ts';
import { inForce } from '../core/alerts/rule.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { MINUTE_MS } from '../core/seams/spans.ts';
import type { Store } from '../store/port.ts';
import { OUTAGE_CARRIER, OUTAGE_REASONS } from './carriers.ts';
import type { Incident } from './times.ts';

/** Nobody but the portal is told. */
const NOWHERE = { email: [], hasWebhook: false, accounts: false } as const;
const NODE = 'demo';

export async function alertOfOutage(store: Store, { from, to }: Incident): Promise<void> {
  let now = from;
  const clock = { ...SYSTEM_CLOCK, now: () => now, steady: () => now };
  const leaderLease = new LeaderLease({
    records: store,
    clock,
    node: NODE,
    lease: to - from + 30 * MINUTE_MS,
  });
  const sources = [[['carrier-down'], watchCarriers]] as const;
  const deps = { records: store, leaderLease, sources, inForce, own: NOWHERE, log() {} };
  const look = async (at: number, breaker: 'open' | 'closed') => {
    now = at;
    const lastError = { reason: OUTAGE_REASONS[0], at };
    await store.noteCarrierStates([{ node: NODE, carrier: OUTAGE_CARRIER, breaker, lastError, at }]);
    await evaluate(deps, now);
  };
  await leaderLease.take();
  // Bad for long enough to fire, and good for long enough to be over.
  await look(from + 6 * MINUTE_MS, 'open');
  await look(from + 12 * MINUTE_MS, 'open');
  await look(to, 'closed');
  await look(to + 6 * MINUTE_MS, 'closed');
  await leaderLease.release();
}
