import { existsSync, mkdirSync } from 'node:fs';
import { StoreAbsent, StoreDamaged, StoreUnavailable } from '../../core/errors/store-failure.ts';
import { type ReportProgress, UNWATCHED } from '../../core/reporting/progress.ts';
import { type Clock, SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { type Random, SYSTEM_RANDOM } from '../../core/seams/random.ts';
import type { Store } from '../port.ts';
import { type CallAnswer, forward } from '../shared/forward.ts';
import { storeFile } from './file/store-file.ts';
import { CallThread, type OnDamage, type ThreadOptions } from './thread/call-thread.ts';
import { explainRefusal } from './thread/failure.ts';
import type { Operations } from './thread/operations.ts';
import { packSettlement, packVerification } from './thread/packed.ts';
import type { Queries } from './thread/queries.ts';
import type { WorkerOptions } from './thread/worker.ts';

interface StoreOptions extends WorkerOptions {
  /** This machine's. */
  readonly machine?: Clock | undefined;
  readonly onDamage?: OnDamage | undefined;
  /** Hears of a migration. */
  readonly onProgress?: ReportProgress | undefined;
}

type ThreadFacts = Omit<ThreadOptions, 'module'>;

const WRITER_OPERATIONS = [
  'issue',
  'admit',
  'findReplay',
  'confirm',
  'findLive',
  'confirmByNumber',
  'approve',
  'cancel',
  'takeRequest',
  'claim',
  'renew',
  'reserveMore',
  'settle',
  'receive',
  'depth',
  'oldestWaiting',
  'list',
  'takeQuota',
  'returnQuota',
  'budgetUse',
  'noteCarrierStates',
  'dueMessages',
  'eventSubject',
  'tellExpired',
  'transact',
  'keysRevision',
  'clampFutureTimes',
  'check',
  'newestBefore',
  'purge',
] as const;
const READER_OPERATIONS = [
  'carrierStates',
  'stillEarly',
  'searchArchive',
  'countArchive',
  'findArchived',
  'lastConfirmed',
  'findEarlyReceipts',
  'readHistory',
  'tally',
  'latencies',
  'findSender',
] as const;

/** No client waits for these. */
const PATIENT_OPERATIONS = ['settle', 'renew', 'noteCarrierStates'] as const;

/** Opens the embedded store of a folder, and makes it if there is none. Rejects with the reason if that fails. */
export async function openSqliteStore({
  onDamage = () => {},
  onProgress = UNWATCHED,
  machine = SYSTEM_CLOCK,
  ...options
}: StoreOptions): Promise<Store> {
  const { dataDir, mustExist = false } = options;
  if (mustExist && !existsSync(storeFile(dataDir))) throw new StoreAbsent();
  const facts = { ...options, onDamage, onProgress };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const writer = await startWriter(facts);
  const reader = new LateReader(facts);
  return storeOver({
    clock: machine,
    random: SYSTEM_RANDOM,
    write: writer.call,
    read: (name, args) => reader.call(name, args),
    pending: () => writer.pending,
    async close() {
      writer.refuse();
      // The last connection writes the log back, which the reader may not do: the log would keep what was erased.
      await reader.close();
      await writer.close();
    },
  });
}

/** Where the operations of an embedded store run. */
export interface StoreSides {
  readonly clock: Clock;
  readonly random: Random;
  /** Runs operations one after the other. */
  readonly write: CallThread<Operations>['call'];
  /** Reads beside them what is committed. */
  readonly read: CallThread<Queries>['call'];
  readonly pending: () => number;
  readonly close: () => Promise<void>;
}

export function storeOver({ clock, random, write, read, pending, close }: StoreSides): Store {
  const { issue, admit, settle, renew, ...writes } = forward<Operations, (typeof WRITER_OPERATIONS)[number]>(
    WRITER_OPERATIONS,
    write,
  );
  const reads = forward<Queries, keyof Queries>(READER_OPERATIONS, read);
  return {
    ...writes,
    ...reads,
    issue: (verification) => issue(packVerification(verification)),
    admit: (verification, price) => admit(packVerification(verification), price),
    settle: (settlement) => settle(packSettlement(settlement)),
    renew: async (held, leaseUntil) => new Set(await renew(held, leaseUntil)),
    clock,
    random,
    clockOffset: 0,
    isShared: false,
    /** Only one process serves from a folder, so the rates of carriers are not shared. */
    budget: undefined,
    database: undefined,
    get pending() {
      return pending();
    },
    close,
  };
}

async function startWriter(facts: ThreadFacts): Promise<CallThread<Operations>> {
  try {
    return await CallThread.start({ ...facts, module: './worker.ts' }, PATIENT_OPERATIONS);
  } catch (error) {
    throw explainRefusal(error, facts.dataDir);
  }
}

/** The thread for long queries, started by the first one: they must not hold up writers. */
class LateReader {
  readonly #facts: ThreadFacts;
  #thread: Promise<CallThread<Queries>> | undefined;
  #closed = false;

  constructor(facts: ThreadFacts) {
    this.#facts = facts;
  }

  async call<Name extends keyof Queries>(
    name: Name,
    args: Parameters<Queries[Name]>,
  ): Promise<CallAnswer<Queries, Name>> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    this.#thread ??= this.#start();
    return (await this.#thread).call(name, args);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.then((thread) => thread.close());
  }

  async #start(): Promise<CallThread<Queries>> {
    try {
      return await CallThread.start({ ...this.#facts, module: './reader.ts' });
    } catch (error) {
      // The next query tries again.
      this.#thread = undefined;
      if (error instanceof StoreDamaged) this.#facts.onDamage(error);
      throw error;
    }
  }
}
