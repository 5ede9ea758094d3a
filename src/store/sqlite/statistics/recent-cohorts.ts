import type { DatabaseSync } from 'node:sqlite';
import { COHORT_COLUMNS, cohortOf, type TallyCohort } from './tally-book.ts';

/** As many as a dispatcher holds and will settle soon. */
const MOST = 10_000;

/**
 * The cohorts of verifications. This thread settles most of them moments after it issued them; looking those up would cost
 * as much as all other counting.
 */
export class RecentCohorts {
  readonly #look: ReturnType<DatabaseSync['prepare']>;
  readonly #recent = new Map<string, TallyCohort>();

  constructor(db: DatabaseSync) {
    this.#look = db.prepare(`SELECT ${COHORT_COLUMNS} FROM verification WHERE id = ?`);
  }

  /** Part of the issue. After a rollback the entry does no harm: nobody settles what was never issued. */
  note(id: string, { accountId, keyId, test, channel, country, createdAt, brought }: TallyCohort): void {
    if (this.#recent.size >= MOST) this.#forgetOldest();
    this.#recent.set(id, { accountId, keyId, test, channel, country, createdAt, brought });
  }

  /** The cohort of a verification that is there. */
  take(id: string): TallyCohort | undefined {
    const recent = this.#recent.get(id);
    if (recent === undefined) return this.find(id);
    this.#recent.delete(id);
    return recent;
  }

  /** As the store has it; undefined if it has none with that id. */
  find(id: string): TallyCohort | undefined {
    this.#recent.delete(id);
    const row = this.#look.get(id);
    return row && cohortOf(row);
  }

  #forgetOldest(): void {
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }
}
