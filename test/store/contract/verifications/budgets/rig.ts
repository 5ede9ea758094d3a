/** The store of the suite, and what its tests ask of it. */
import { after, before } from 'node:test';
import { type Charge, periodOf } from '../../../../../src/core/budgets/budget.ts';
import type { NextStep, Settlement } from '../../../../../src/core/sending/delivery.ts';
import type { NewVerification } from '../../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../../src/store/port.ts';
import {
  HOUR,
  issueOne,
  LEASE,
  newVerification,
  type OpenedStore,
  type OpenStore,
  settlement,
  unique,
  withLimits,
} from '../../rig.ts';

/** What one message may cost at most: the sum. */
const PRICES = { smsc: 50_000, other: 70_000 };
export const WORST = 120_000;

/** The same for tests of one number: nobody else counts in its period. */
export const NOW = Date.UTC(2026, 10, 22, 12, 30);

export const SENDS = 2;
const RULES = withLimits({ sendsPerDestination: [{ max: SENDS, windowMs: HOUR }] });

export type BudgetRig = ReturnType<typeof createBudgetRig>;

/** For the suite that it is called in. */
export function createBudgetRig(open: OpenStore) {
  let opened: OpenedStore;
  let store: Store;
  let stores: Store[];
  before(async () => {
    opened = await open(RULES);
    store = opened.store;
    const second = await opened.second?.();
    // Only one process serves from the embedded store.
    stores = second === undefined || !store.isShared ? [store] : [store, second];
  });
  after(() => opened.dispose());

  /** A budget of the test's own. */
  function budget(limits: Partial<Charge>, at = NOW): Charge {
    const per = limits.per ?? 'day';
    const own = { kind: unique('kind'), subject: 'one', money: null, messages: null };
    return { ...own, per, ...periodOf(per, at), ...limits };
  }

  const asking = (charges: readonly Charge[], wanted: Partial<NewVerification> = {}) =>
    newVerification({ createdAt: NOW, reservation: { charges, prices: PRICES }, ...wanted });

  const issue = (charges: readonly Charge[], wanted?: Partial<NewVerification>) =>
    issueOne(store, asking(charges, wanted));

  /** Money and messages that count in a period. */
  async function used({ kind, per }: Charge, at = NOW) {
    const uses = await store.budgetUse(at, []);
    const use = uses.find((each) => each.kind === kind && each.per === per);
    return use === undefined ? [0, 0] : [use.money, use.messages];
  }

  const settle = (
    v: NewVerification,
    next: NextStep,
    { charged = [], fence = 0 }: Partial<Pick<Settlement, 'charged' | 'fence'>> = {},
  ) => store.settle({ ...settlement(v, next, [], fence), charged });

  /** As a node does when leases have run out. */
  async function claim(v: NewVerification, now: number): Promise<number | undefined> {
    const leased = await store.claim(now, now + LEASE, 1_000);
    return leased.find(({ id }) => id === v.id)?.fence;
  }

  return {
    get store() {
      return store;
    },
    get stores() {
      return stores;
    },
    ...{ budget, asking, issue, used, settle, claim },
  };
}
