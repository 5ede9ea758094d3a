/** Writes down what the guard did: at most one transaction a second, far from the requests. */

import { describeError } from '../../core/errors/error-facts.ts';
import { StoreFailure } from '../../core/errors/store-failure.ts';
import type { Log } from '../../core/sending/carrier.ts';
import type { Records, Statement } from '../../core/sql/records.ts';

/** Gives what is to be written since it was last asked. */
export type EvidenceSource = () => readonly Statement[];

export class Ledger {
  readonly #records: Records;
  readonly #log: Log;
  readonly #sources: readonly EvidenceSource[];
  #batch: readonly Statement[] = [];
  #writing: Promise<void> | undefined;

  constructor(records: Records, log: Log, sources: readonly EvidenceSource[]) {
    this.#records = records;
    this.#log = log;
    this.#sources = sources;
  }

  /**
   * Writes what has come. While one is being written, there is no other. One that failed is written again as it was: its guard
   * refuses it if it was written after all.
   */
  flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#batch.length === 0) this.#batch = this.#sources.flatMap((take) => take());
    if (this.#batch.length === 0) return;
    try {
      await this.#records.transact(this.#batch);
      this.#batch = [];
    } catch (error) {
      this.#log('warn', 'cannot write down what the guard did', { error: describeError(error) });
      // Anything else than a store that is away would fail for ever.
      if (!(error instanceof StoreFailure)) this.#batch = [];
    }
  }
}
