/** Group commit: calls that come while a statement is under way form the next batch. */

import { StoreFailure, StoreUnavailable } from '../../../core/errors/store-failure.ts';
import type { Database } from '../connection/database.ts';

export interface BatcherOptions<Call, Answer> {
  /**
   * Runs calls as one transaction until `deadline` and answers them in order. Undefined for a call that must come again
   * because another call of the batch went first.
   */
  readonly run: (calls: readonly Call[], deadline: number) => Promise<readonly (Answer | undefined)[]>;
  /** A batch has calls of one group, because the statement takes some values for all calls together. */
  readonly groupOf?: (call: Call) => string | undefined;
  /** Calls with the same key never meet in one batch; null is no key. */
  readonly keyOf?: (call: Call) => string | null;
  /** Statements under way at the same time. */
  readonly inFlight: number;
  /** How long a call that no client waits for stays for others to join, in ms. */
  readonly patienceMs?: number;
}

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly deadline: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH_CALLS = 200;

export class Batcher<Call, Answer> {
  readonly #db: Pick<Database, 'machine' | 'patienceMs'>;
  readonly #options: BatcherOptions<Call, Answer>;
  #waiting: Waiting<Call, Answer>[] = [];
  #underWay = 0;
  #scheduled = false;

  constructor(db: Pick<Database, 'machine' | 'patienceMs'>, options: BatcherOptions<Call, Answer>) {
    this.#db = db;
    this.#options = options;
  }

  add(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const deadline = this.#db.machine.steady() + this.#db.patienceMs;
      this.#waiting.push({ call, deadline, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#underWay >= this.#options.inFlight) return;
    this.#scheduled = true;
    const { patienceMs = 0 } = this.#options;
    // Not before the I/O of this turn of the event loop: requests that came in together leave together.
    if (patienceMs > 0 && this.#waiting.length < MAX_BATCH_CALLS)
      this.#db.machine.after(patienceMs, () => this.#send());
    else setImmediate(() => this.#send());
  }

  #send(): void {
    this.#scheduled = false;
    // All waiting calls may have been given up meanwhile.
    if (this.#waiting.length === 0) return;
    const batch = this.#take();
    this.#underWay++;
    void this.#run(batch).then(() => {
      this.#underWay--;
      this.#schedule();
    });
    this.#schedule();
  }

  #take(): Waiting<Call, Answer>[] {
    const { keyOf, groupOf } = this.#options;
    const [oldest] = this.#waiting;
    if (oldest === undefined || (keyOf === undefined && groupOf === undefined)) {
      return this.#waiting.splice(0, MAX_BATCH_CALLS);
    }
    const group = groupOf?.(oldest.call);
    const batch: Waiting<Call, Answer>[] = [];
    const kept: Waiting<Call, Answer>[] = [];
    const keys = new Set<string>();
    for (const each of this.#waiting) {
      const key = keyOf?.(each.call) ?? null;
      const fits = batch.length < MAX_BATCH_CALLS && groupOf?.(each.call) === group;
      if (fits && (key === null || !keys.has(key))) {
        batch.push(each);
        if (key !== null) keys.add(key);
      } else {
        kept.push(each);
      }
    }
    this.#waiting = kept;
    return batch;
  }

  async #run(batch: readonly Waiting<Call, Answer>[]): Promise<void> {
    const deadline = Math.min(...batch.map((each) => each.deadline));
    try {
      const answers = await this.#options.run(
        batch.map(({ call }) => call),
        deadline,
      );
      const again: Waiting<Call, Answer>[] = [];
      for (const [i, each] of batch.entries()) {
        const answer = answers[i];
        if (answer === undefined) again.push(each);
        else each.resolve(answer);
      }
      this.#waiting.unshift(...again);
    } catch (error) {
      if (error instanceof StoreFailure) this.#giveUp(batch, error);
      else await this.#divide(batch, error);
    }
  }

  /** Also gives up the calls that waited behind the batch: one batch after another, they would wait without bound. */
  #giveUp(batch: readonly Waiting<Call, Answer>[], error: StoreFailure): void {
    for (const { reject } of batch) reject(error);
    const behind = new StoreUnavailable(error.message, { cause: error });
    for (const { reject } of this.#waiting.splice(0)) reject(behind);
  }

  /** A call that fails must not fail its neighbours: the batch is halved until the call is alone. */
  async #divide(batch: readonly Waiting<Call, Answer>[], error: unknown): Promise<void> {
    if (batch.length === 1) {
      batch[0]?.reject(error);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.#run(batch.slice(0, middle));
    await this.#run(batch.slice(middle));
  }
}
