import type { RateBudget } from '../../core/delivery.ts';
import { StoreUnavailable } from '../../core/errors.ts';
import { type Forwarded, forward } from '../forward.ts';
import type { Operations, Store, StoreRules } from '../port.ts';
import type { DatabaseAddress } from './address.ts';
import { createArchive } from './archive.ts';
import { createBudget } from './budget.ts';
import { createCarrierStates } from './carrier-states.ts';
import { DatabaseClock } from './clock.ts';
import { createConfirm } from './confirm.ts';
import { Database } from './database.ts';
import { createHeal } from './heal.ts';
import { createFindReplay } from './idempotency.ts';
import { createInbox } from './inbox.ts';
import { createIssue } from './issue.ts';
import { migrate } from './migrate.ts';
import { createOtherHashes } from './other-hashes.ts';
import { daysAhead, ensurePartitions } from './partitions.ts';
import { createPurge } from './purge.ts';
import { createQueue } from './queue.ts';
import { createQuotas } from './quota.ts';
import { createReceipts } from './receipts.ts';
import { createRecords } from './records.ts';
import { createSettle } from './settle.ts';
import { createTallies } from './tallies.ts';

export interface PostgresOptions extends StoreRules {
  readonly address: DatabaseAddress;
}

/** For the first start, which may make the whole schema or wait for another node that does. */
const OPEN_PATIENCE_MS = 60_000;

/** Opens the store that several nodes share and brings its schema up to date. Rejects with StoreUnavailable when it is away. */
export async function openPostgresStore({ address, limits, retention }: PostgresOptions): Promise<Store> {
  const db = new Database(address);
  try {
    const schema = await db.session(async (client) => {
      const schema = await migrate(client);
      await ensurePartitions(client, daysAhead(Date.now()));
      return schema;
    }, OPEN_PATIENCE_MS);
    const clock = await DatabaseClock.open(db);
    const probe = { name: 'probe', text: 'UPDATE installation SET probed_at = $1' };
    return createStore(db, clock, {
      issue: createIssue(db, schema, limits),
      findReplay: createFindReplay(db),
      confirm: createConfirm(db, schema, limits, retention.verifications),
      ...createQueue(db, schema),
      settle: createSettle(db, schema),
      ...createReceipts(db, schema),
      ...createInbox(db),
      ...createArchive(db),
      ...createTallies(db),
      ...createQuotas(db),
      ...createCarrierStates(db),
      ...createRecords(db),
      purge: createPurge(db, retention, limits),
      holdsOtherHashes: createOtherHashes(db),
      heal: createHeal(db, schema),
      ...createBudget(db),
      check: async () => void (await db.query(probe, [clock.now()])),
    });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Counts the calls under way, and rejects those that come after the close. */
function createStore(
  db: Database,
  clock: DatabaseClock,
  operations: Forwarded<Operations & RateBudget, keyof Operations | keyof RateBudget>,
): Store {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const { reserve, ...guarded } = forward<Operations & RateBudget, keyof typeof operations>(
    namesOf(operations),
    (name, args) => {
      if (closing !== undefined) return Promise.reject(new StoreUnavailable('the store is closed'));
      const call = operations[name](...args);
      underWay.add(call);
      const done = () => underWay.delete(call);
      call.then(done, done);
      return call;
    },
  );

  async function close(): Promise<void> {
    clock.stop();
    await Promise.allSettled(underWay);
    await db.close();
  }

  return {
    ...guarded,
    budget: { reserve },
    clock,
    get clockOffset() {
      return clock.offset;
    },
    get pending() {
      return underWay.size;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function namesOf<T extends object>(operations: T): Extract<keyof T, string>[] {
  const names: Extract<keyof T, string>[] = [];
  for (const name in operations) names.push(name);
  return names;
}
