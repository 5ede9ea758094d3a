import type { DatabaseSync } from 'node:sqlite';
import { COHORT_COLUMNS, cohortOf, type TallyCohort } from './tally-book.ts';

/** As many as a dispatcher holds and will settle soon. */
const MOST = 10_000;

/**
 * The cohorts of verifications. This thread settles most of them moments after it issued them; looking those up would cost
 * as much as all other counting.
 */
export class RecentCohorts {
  readonly #find: ReturnType<DatabaseSync['prepare']>;
  readonly #recent = new Map<string, TallyCohort>();

  constructor(db: DatabaseSync) {
    this.#find = db.prepare(`SELECT ${COHORT_COLUMNS} FROM verification WHERE id = ?`);
  }

  /** Part of the issue. After a rollback the entry does no harm: nobody settles what was never issued. */
  note(id: string, { accountId, keyId, test, channel, country, createdAt }: TallyCohort): void {
    if (this.#recent.size >= MOST) this.#forgetOldest();
    this.#recent.set(id, { accountId, keyId, test, channel, country, createdAt });
  }

  /** The cohort of a verification; undefined if the id is unknown. */
  take(id: string): TallyCohort | undefined {
    const recent = this.#recent.get(id);
    if (recent === undefined) {
      const row = this.#find.get(id);
      return row && cohortOf(row);
    }
    this.#recent.delete(id);
    return recent;
  }

  #forgetOldest(): void {
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }
}
