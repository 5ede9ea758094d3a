/** Which carriers other nodes have: nodes that are reloaded one after the other have different ones for a while. */
import type { Clock } from '../core/seams/clock.ts';
import type { CarrierStateStore } from '../core/sending/carrier-state.ts';

interface SharedStates extends CarrierStateStore {
  readonly isShared: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** Anybody may make up a name, so the store is asked no more often. */
const KEPT_MS = 1_000;

/** Whether another node has had a carrier of a name in the last minutes. Rejects while the store cannot say. */
export function createIsElsewhere(
  store: SharedStates,
  node: string,
  clock: Pick<Clock, 'steady'>,
): (carrier: string) => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let names: Promise<ReadonlySet<string>> | undefined;
  const ask = async () => {
    const states = await store.carrierStates(store.clock.now());
    return new Set(states.filter((state) => state.node !== node).map(({ carrier }) => carrier));
  };
  return async (carrier) => {
    if (!store.isShared) return false;
    if (names === undefined || clock.steady() - askedAt >= KEPT_MS) {
      askedAt = clock.steady();
      names = ask();
    }
    return (await names).has(carrier);
  };
}
