import type { RateBudget } from '../../core/delivery.ts';
import { StoreUnavailable } from '../../core/errors.ts';
import type { Limits } from '../../core/limits.ts';
import type { Store } from '../port.ts';
import type { DatabaseAddress } from './address.ts';
import { createArchive } from './archive.ts';
import { createBudget } from './budget.ts';
import { createCarrierStates } from './carrier-states.ts';
import { DatabaseClock } from './clock.ts';
import { createConfirm } from './confirm.ts';
import { Database } from './database.ts';
import { createHeal } from './heal.ts';
import { createInbox } from './inbox.ts';
import { createIssue } from './issue.ts';
import { migrate } from './migrate.ts';
import { createOtherHashes } from './other-hashes.ts';
import { daysAhead, ensurePartitions } from './partitions.ts';
import { createPurge, type Retention } from './purge.ts';
import { createQueue } from './queue.ts';
import { createQuotas } from './quota.ts';
import { createReceive } from './receipts.ts';
import { createRecords } from './records.ts';
import { createFindReplay } from './replay.ts';
import { createSettle } from './settle.ts';
import { createTallies } from './tallies.ts';

export interface PostgresOptions {
  readonly address: DatabaseAddress;
  readonly limits: Limits;
  readonly retention: Retention;
}

type Operations = Omit<Store, 'budget' | 'clock' | 'clockOffset' | 'pending' | 'close'>;

/** Of the first start, which may make the whole schema, or wait for another node that does. */
const OPEN_PATIENCE_MS = 60_000;

/** Opens the store that several nodes share, bringing its schema up to date. Rejects with StoreUnavailable when it is away. */
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
    return new PostgresStore(db, clock, {
      issue: createIssue(db, schema, limits),
      findReplay: createFindReplay(db),
      confirm: createConfirm(db, schema, limits, retention.verifications),
      ...createQueue(db, schema),
      settle: createSettle(db, schema),
      receive: createReceive(db, schema),
      ...createInbox(db),
      ...createArchive(db),
      ...createTallies(db),
      ...createQuotas(db),
      ...createCarrierStates(db),
      ...createRecords(db),
      purge: createPurge(db, retention, limits),
      holdsOtherHashes: createOtherHashes(db),
      heal: createHeal(db, schema),
      check: async () => void (await db.query(probe, [clock.now()])),
    });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Counts the calls under way, and turns away those that come after the end. */
class PostgresStore implements Store {
  readonly #db: Database;
  readonly #operations: Operations;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  readonly budget: RateBudget;
  readonly clock: DatabaseClock;

  constructor(db: Database, clock: DatabaseClock, operations: Operations) {
    this.#db = db;
    this.clock = clock;
    this.#operations = operations;
    const { reserve } = createBudget(db);
    this.budget = { reserve: (...args) => this.#call(reserve, args) };
  }

  get clockOffset(): number {
    return this.clock.offset;
  }

  get pending(): number {
    return this.#underWay.size;
  }

  issue: Store['issue'] = (...args) => this.#call(this.#operations.issue, args);
  findReplay: Store['findReplay'] = (...args) => this.#call(this.#operations.findReplay, args);
  confirm: Store['confirm'] = (...args) => this.#call(this.#operations.confirm, args);
  claim: Store['claim'] = (...args) => this.#call(this.#operations.claim, args);
  renew: Store['renew'] = (...args) => this.#call(this.#operations.renew, args);
  settle: Store['settle'] = (...args) => this.#call(this.#operations.settle, args);
  receive: Store['receive'] = (...args) => this.#call(this.#operations.receive, args);
  depth: Store['depth'] = (...args) => this.#call(this.#operations.depth, args);
  keysRevision: Store['keysRevision'] = (...args) => this.#call(this.#operations.keysRevision, args);
  list: Store['list'] = (...args) => this.#call(this.#operations.list, args);
  searchArchive: Store['searchArchive'] = (...args) => this.#call(this.#operations.searchArchive, args);
  findArchived: Store['findArchived'] = (...args) => this.#call(this.#operations.findArchived, args);
  tally: Store['tally'] = (...args) => this.#call(this.#operations.tally, args);
  latencies: Store['latencies'] = (...args) => this.#call(this.#operations.latencies, args);
  takeQuota: Store['takeQuota'] = (...args) => this.#call(this.#operations.takeQuota, args);
  returnQuota: Store['returnQuota'] = (...args) => this.#call(this.#operations.returnQuota, args);
  noteCarrierStates: Store['noteCarrierStates'] = (...args) =>
    this.#call(this.#operations.noteCarrierStates, args);
  carrierStates: Store['carrierStates'] = (...args) => this.#call(this.#operations.carrierStates, args);
  transact: Store['transact'] = (...args) => this.#call(this.#operations.transact, args);
  holdsOtherHashes: Store['holdsOtherHashes'] = (...args) =>
    this.#call(this.#operations.holdsOtherHashes, args);
  heal: Store['heal'] = (...args) => this.#call(this.#operations.heal, args);
  check: Store['check'] = (...args) => this.#call(this.#operations.check, args);
  purge: Store['purge'] = (...args) => this.#call(this.#operations.purge, args);

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.clock.stop();
    await Promise.allSettled(this.#underWay);
    await this.#db.close();
  }

  #call<Args extends unknown[], Result>(
    operation: (...args: Args) => Promise<Result>,
    args: Args,
  ): Promise<Result> {
    if (this.#closing !== undefined) return Promise.reject(new StoreUnavailable('the store is closed'));
    const call = operation(...args);
    this.#underWay.add(call);
    const done = () => this.#underWay.delete(call);
    call.then(done, done);
    return call;
  }
}
