import { mkdirSync } from 'node:fs';
import type { ArchiveQuery } from '../../core/archive.ts';
import type { CarrierState } from '../../core/carrier-state.ts';
import { SYSTEM_CLOCK } from '../../core/clock.ts';
import type { ReceiptRecord, Settlement } from '../../core/delivery.ts';
import { StoreDamaged, StoreUnavailable } from '../../core/errors.ts';
import type { Step } from '../../core/records.ts';
import type { TallyQuery } from '../../core/tally.ts';
import type { Guess, NewVerification } from '../../core/verification.ts';
import type { Store } from '../port.ts';
import { CallThread, type OnDamage, type ThreadOptions } from './call-thread.ts';
import { explainRefusal } from './failure.ts';
import type { Operations } from './operations.ts';
import { packSettlement, packVerification } from './packed.ts';
import type { Queries } from './reader.ts';
import type { WorkerOptions } from './worker.ts';

interface StoreOptions extends WorkerOptions {
  readonly onDamage?: OnDamage | undefined;
}

/** Opens (and makes, if need be) the embedded store of a folder. Rejects when it cannot be opened, saying why. */
export async function openSqliteStore({ onDamage = () => {}, ...options }: StoreOptions): Promise<Store> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  return new SqliteStore(await startWriter({ ...options, onDamage }), async () => {
    try {
      return await CallThread.start<Queries>({ ...options, onDamage, module: './reader.ts' });
    } catch (error) {
      if (error instanceof StoreDamaged) onDamage(error);
      throw error;
    }
  });
}

async function startWriter(options: Omit<ThreadOptions, 'module'>): Promise<CallThread<Operations>> {
  try {
    return await CallThread.start({ ...options, module: './worker.ts' }, [
      'settle',
      'renew',
      'noteCarrierStates',
    ]);
  } catch (error) {
    throw explainRefusal(error, options.dataDir);
  }
}

class SqliteStore implements Store {
  /** One process serves from a folder, so that its carriers' rates are its own. */
  readonly budget = undefined;
  readonly clock = SYSTEM_CLOCK;
  readonly clockOffset = 0;
  readonly #writer: CallThread<Operations>;
  readonly #startReader: () => Promise<CallThread<Queries>>;
  /** Started by the first question: adding up a year must not hold up those who write. */
  #reader: Promise<CallThread<Queries>> | undefined;
  #closing: Promise<void> | undefined;

  constructor(writer: CallThread<Operations>, startReader: () => Promise<CallThread<Queries>>) {
    this.#writer = writer;
    this.#startReader = startReader;
  }

  get pending(): number {
    return this.#writer.pending;
  }

  issue = (verification: NewVerification) => this.#writer.call('issue', packVerification(verification));
  findReplay: Store['findReplay'] = (request) => this.#writer.call('findReplay', request);
  confirm = (guess: Guess) => this.#writer.call('confirm', guess);

  claim = (now: number, leaseUntil: number, limit: number) =>
    this.#writer.call('claim', now, leaseUntil, limit);
  renew = async (held: readonly { readonly id: string; readonly fence: number }[], leaseUntil: number) =>
    new Set(await this.#writer.call('renew', held, leaseUntil));
  settle = (settlement: Settlement) => this.#writer.call('settle', packSettlement(settlement));
  receive = (receipt: ReceiptRecord) => this.#writer.call('receive', receipt);
  depth = () => this.#writer.call('depth');

  list = (accountId: string, destinationHashes: readonly string[] | null, limit: number) =>
    this.#writer.call('list', accountId, destinationHashes, limit);

  takeQuota = (name: string, day: number, max: number, count: number) =>
    this.#writer.call('takeQuota', name, day, max, count);
  returnQuota = (name: string, day: number, count: number) =>
    this.#writer.call('returnQuota', name, day, count);

  noteCarrierStates = (states: readonly CarrierState[]) => this.#writer.call('noteCarrierStates', states);
  carrierStates = async (now: number) => (await this.#read()).call('carrierStates', now);
  searchArchive = async (query: ArchiveQuery) => (await this.#read()).call('searchArchive', query);
  findArchived = async (accountId: string, id: string, now: number) =>
    (await this.#read()).call('findArchived', accountId, id, now);
  tally = async (query: TallyQuery) => (await this.#read()).call('tally', query);
  latencies = async (query: TallyQuery) => (await this.#read()).call('latencies', query);

  transact = (steps: readonly Step[], announce = false) => this.#writer.call('transact', steps, announce);
  keysRevision = () => this.#writer.call('keysRevision');

  holdsOtherHashes = (mark: string, since: number) => this.#writer.call('holdsOtherHashes', mark, since);
  heal = (now: number, lease: number) => this.#writer.call('heal', now, lease);
  check = () => this.#writer.call('check');
  purge = (now: number) => this.#writer.call('purge', now);

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([this.#writer.close(), this.#reader?.then((reader) => reader.close())]);
  }

  #read(): Promise<CallThread<Queries>> {
    if (this.#closing !== undefined) return Promise.reject(new StoreUnavailable('the store is closed'));
    this.#reader ??= this.#startReader().catch((error: unknown) => {
      // The next question tries again.
      this.#reader = undefined;
      throw error;
    });
    return this.#reader;
  }
}
