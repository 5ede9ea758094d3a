/** The store on PostgreSQL, called directly. SQLite blocks its thread, so the embedded store runs in threads of its own. */

import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import type { ReportProgress } from '../../core/reporting/progress.ts';
import { type Clock, SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { type Random, SYSTEM_RANDOM } from '../../core/seams/random.ts';
import type { RateBudget } from '../../core/sending/delivery.ts';
import type { DatabaseAddress } from '../../options/database-address.ts';
import type { Store, StoreOperations, StoreRules } from '../port.ts';
import { type Forwarded, forward } from '../shared/forward.ts';
import { createBudgetUse } from './budgets/budget-use.ts';
import { DatabaseClock } from './connection/clock.ts';
import { Database, type DatabaseOptions } from './connection/database.ts';
import { countSynchronous } from './connection/durability.ts';
import { createEventQueue } from './events/due.ts';
import { createBudget } from './messages/budget.ts';
import { createCarrierStates } from './messages/carrier-states.ts';
import { createEarlyReceipts } from './messages/early-receipts.ts';
import { createInbox } from './messages/inbox.ts';
import { createQueue } from './messages/queue.ts';
import { createQuotas } from './messages/quota.ts';
import { createReceipts } from './messages/receipts.ts';
import { createSenders } from './messages/senders.ts';
import { createSettle } from './messages/settle.ts';
import { createRecords } from './records.ts';
import { ensureConfirmedIndex } from './schema/confirmed-index.ts';
import { type Lend, migrate } from './schema/migrate.ts';
import { daysAhead, ensurePartitions } from './schema/partitions.ts';
import { createTallies } from './statistics/tallies.ts';
import { createClampFutureTimes } from './upkeep/clamp-future-times.ts';
import { createNewestBefore } from './upkeep/newest-before.ts';
import { createPurge } from './upkeep/purge.ts';
import { createArchive } from './verifications/archive.ts';
import { createByNumber } from './verifications/by-number.ts';
import { createConfirm } from './verifications/confirm.ts';
import { createHistory } from './verifications/history.ts';
import { createFindReplay } from './verifications/idempotency.ts';
import { createIssue } from './verifications/issue.ts';
import { createRequestLog } from './verifications/request-log.ts';

export interface PostgresOptions extends StoreRules, DatabaseOptions {
  readonly address: DatabaseAddress;
  /** This machine's. */
  readonly machine?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Hears of a migration. */
  readonly onProgress?: ReportProgress | undefined;
  /** Rejects with StoreAbsent where it would make a new one. */
  readonly mustExist?: boolean | undefined;
  /** Rejects with StoreUnusable, and writes nothing, where it would upgrade one. */
  readonly asIs?: boolean | undefined;
  /** Whether it is asked when numbers were last confirmed. */
  readonly recallsConfirmed?: boolean | undefined;
}

/** For one transaction of a migration, its work on data included, or for another node's. */
const MIGRATION_PATIENCE = { patienceMs: 600_000 };

/** Opens the store that several nodes share and brings its schema up to date. Rejects with StoreUnavailable when it is away. */
export async function openPostgresStore({
  address,
  machine = SYSTEM_CLOCK,
  random = SYSTEM_RANDOM,
  limits,
  retention,
  onProgress,
  mustExist,
  asIs,
  recallsConfirmed,
  log,
  patienceMs,
}: PostgresOptions): Promise<Store> {
  const db = new Database(address, machine, { log, patienceMs });
  try {
    const lend: Lend = (use) => db.session(use, MIGRATION_PATIENCE);
    const schema = await migrate(lend, onProgress, { mustExist, asIs });
    if (!asIs) await lend((client) => ensurePartitions(client, daysAhead(machine.wall())));
    if (!asIs && recallsConfirmed) await ensureConfirmedIndex(lend);
    const clock = await DatabaseClock.open(db, machine);
    const records = createRecords(db, schema);
    const probe = { name: 'probe', text: 'UPDATE installation SET probed_at = $1' };
    const check = async () => void (await db.query(probe, [clock.now()]));
    // A start that has nothing to upgrade has written nothing yet, and a server that only reads is of no use to it.
    if (!asIs) await check();
    return createStore(db, clock, random, {
      ...createIssue(db, schema, limits),
      findReplay: createFindReplay(db, retention.verifications),
      confirm: createConfirm(db, schema, limits, retention.verifications),
      ...createByNumber(db, schema, limits, retention.verifications),
      ...createRequestLog(db, schema, limits),
      ...createQueue(db, schema),
      settle: createSettle(db, schema, clock),
      ...createReceipts(db, schema),
      ...createSenders(db, retention.verifications),
      ...createInbox(db, retention),
      ...createArchive(db, retention.verifications),
      ...createHistory(db, retention.verifications),
      ...createTallies(db),
      ...createQuotas(db),
      ...createBudgetUse(db),
      ...createCarrierStates(db),
      ...createEarlyReceipts(db),
      ...records,
      ...createEventQueue(db, schema, retention.verifications),
      newestBefore: createNewestBefore(db),
      purge: createPurge(db, retention, limits),
      clampFutureTimes: createClampFutureTimes(db, schema, records),
      ...createBudget(db),
      check,
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
  random: Random,
  operations: Forwarded<StoreOperations & RateBudget, keyof StoreOperations | keyof RateBudget>,
): Store {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const { reserve, ...guarded } = forward<StoreOperations & RateBudget, keyof typeof operations>(
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
    isShared: true,
    budget: { reserve },
    database: {
      get servers() {
        return db.servers;
      },
      countSynchronous: () => countSynchronous(db),
    },
    clock,
    random,
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
