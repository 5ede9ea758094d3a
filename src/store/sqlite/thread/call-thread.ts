/** The event loop's side: passes calls to a thread of the store, one batch after the other, and gets their results. */
import { on, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { OutcomeUnknown, StoreDamaged, StoreUnavailable } from '../../../core/errors/store-failure.ts';
import type { ReportProgress } from '../../../core/reporting/progress.ts';
import type { CallAnswer } from '../../shared/forward.ts';
import { CLOSE, READY, type Result } from './batch.ts';
import { type SqliteFailure, unpackFailure } from './failure.ts';
import type { WorkerOptions } from './worker.ts';

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>;

type PendingCall = readonly [name: PropertyKey, ...args: unknown[]];

interface Waiter {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** A turn of the loop may bring hundreds of requests: an idle thread starts on the first while others are being read. */
const FIRST_CALLS = 32;
/** Keeps the first call of a batch from waiting for too many others. */
const MOST_CALLS = 500;
const PATIENCE_MS = 10;

/** Enough for a batch, which is all that the thread holds. V8's default would be as much as the service's. */
const WORKER_YOUNG_MB = 4;

/** Called for each call that met damage. */
export type OnDamage = (damage: StoreDamaged) => void;

/** What a thread gets: its module beside this one, and the options of that module. */
export interface ThreadOptions extends WorkerOptions {
  readonly module: './worker.ts' | './reader.ts';
  readonly onDamage: OnDamage;
  readonly onProgress: ReportProgress;
}

/**
 * `Operations` are those of the thread. It has one batch at a time, and what comes while it commits is the next: the slower the disk
 * and the more requests, the more calls share a transaction, an fsync and a message. To have the next batch lie ready in the thread
 * made each half as large, and cost more than the thread's wait for this loop.
 */
export class CallThread<Operations extends Calls> {
  readonly #worker: Worker;
  readonly #dataDir: string;
  readonly #onDamage: OnDamage;
  /** Calls that no client waits for. They wait a little for others before they cost an fsync. */
  readonly #patient: ReadonlySet<keyof Operations>;
  #calls: PendingCall[] = [];
  /** One for each of these calls. */
  #callers: Waiter[] = [];
  /** For the calls passed on, in the order of the answers. The arguments are not kept, to spare the garbage collector. */
  #posted: Waiter[] = [];
  #flushScheduled = false;
  #patience: NodeJS.Timeout | undefined;
  #ended: Error | undefined;
  #isGone = false;
  #closing: Promise<void> | undefined;

  private constructor(
    worker: Worker,
    { dataDir, onDamage }: ThreadOptions,
    patient: ReadonlySet<keyof Operations>,
  ) {
    this.#worker = worker;
    this.#patient = patient;
    this.#dataDir = dataDir;
    this.#onDamage = onDamage;
    worker.on('message', (results: string) => this.#answer(JSON.parse(results)));
    worker.on('error', (error: Error) => {
      this.#end(error);
      // The thread answers failures of operations; its own end is a bug, and must not look like an outage.
      queueMicrotask(() => {
        throw error;
      });
    });
    worker.on('exit', () => this.#end(new StoreUnavailable('the store is closed')));
  }

  /** Rejects when the thread cannot open the store, saying why. */
  static async start<Operations extends Calls>(
    options: ThreadOptions,
    patient: readonly (keyof Operations)[] = [],
  ): Promise<CallThread<Operations>> {
    // The flag that limits the service's heap would override the limit below in every thread started after it.
    setFlagsFromString('--max-semi-space-size=0');
    const { onDamage: _, onProgress, ...workerData } = options;
    const worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: WORKER_YOUNG_MB },
    });
    const exit = once(worker, 'exit');
    const first = await firstWord(worker, onProgress);
    if (first === READY) return new CallThread<Operations>(worker, options, new Set(patient));
    // Its end frees what it held, such as the lock of the folder.
    await exit;
    throw unpackFailure(JSON.parse(first), options.dataDir);
  }

  /** Calls not yet answered. */
  get pending(): number {
    return this.#callers.length + this.#posted.length;
  }

  call = <Name extends keyof Operations>(
    name: Name,
    args: Parameters<Operations[Name]>,
  ): Promise<CallAnswer<Operations, Name>> =>
    new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#calls.push([name, ...args]);
      this.#callers.push({ resolve: resolve as (value: never) => void, reject });
      if (this.#calls.length >= FIRST_CALLS) this.#flush();
      else if (this.#patient.has(name)) this.#patience ??= setTimeout(() => this.#flush(), PATIENCE_MS);
      else this.#schedule();
    });

  /** Takes no further calls. */
  refuse(): void {
    this.#ended ??= new StoreUnavailable('the store is closed');
  }

  /** Waits for earlier calls. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#isGone) return;
    this.refuse();
    while (this.#calls.length > 0) this.#post();
    const exit = once(this.#worker, 'exit');
    // Messages keep their order: the thread answers everything before this, then ends.
    this.#worker.postMessage(CLOSE);
    await exit;
  }

  #schedule(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    // After the I/O of this turn of the event loop: requests that came in together leave together.
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushScheduled = false;
    if (this.#calls.length > 0 && this.#posted.length === 0) this.#post();
  }

  #post(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#worker.postMessage(JSON.stringify(this.#calls.splice(0, MOST_CALLS)));
    this.#posted.push(...this.#callers.splice(0, MOST_CALLS));
  }

  #answer(results: readonly Result[]): void {
    const calls = this.#posted.splice(0, results.length);
    if (this.#calls.length > 0) this.#post();
    calls.forEach(({ resolve, reject }, i) => {
      const result = results[i];
      if (result === undefined) reject(new Error('the store did not answer a call'));
      else if (!('failure' in result)) resolve(result.value as never);
      else reject(this.#revive(result.failure));
    });
  }

  #revive(failure: SqliteFailure): Error {
    const error = unpackFailure(failure, this.#dataDir);
    if (error instanceof StoreDamaged) this.#onDamage(error);
    return error;
  }

  #end(error: Error): void {
    this.#isGone = true;
    this.#ended ??= new StoreUnavailable(error.message, { cause: error });
    const broken = new OutcomeUnknown(error.message, { cause: error });
    for (const { reject } of this.#posted) reject(broken);
    for (const { reject } of this.#callers) reject(this.#ended);
    this.#posted = [];
    this.#calls = [];
    this.#callers = [];
  }
}

/** That the thread is ready, or why it is not. Until then it says how far it is, in objects. */
async function firstWord(worker: Worker, report: ReportProgress): Promise<string> {
  for await (const [message] of on(worker, 'message')) {
    if (typeof message === 'string') return message;
    report(message);
  }
  throw new Error('the thread of the store said nothing');
}
