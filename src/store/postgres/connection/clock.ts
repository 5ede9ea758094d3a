/** The database's clock, which all nodes use: their own clocks may differ and may be set while they run. */
import type { Clock, Timer } from '../../../core/seams/clock.ts';
import type { Database } from './database.ts';

/** Between two readings of the database's clock. */
const EVERY_MS = 1_000;
/** The start takes the fastest of so many answers, because an answer can be wrong by half the time it took. */
const FIRST_LOOKS = 3;
/** An answer that took longer is worse than steady time since the last one. */
const SLOWEST_MS = 250;

const STATEMENT = {
  name: 'clock',
  text: 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
};

interface Look {
  /** What the database's clock said, in Unix ms; `at` is the steady time halfway through. */
  readonly said: number;
  readonly at: number;
  readonly took: number;
}

/** Between two readings it follows steady time, so a step of this machine's clock never shows. */
export class DatabaseClock implements Clock {
  readonly wall: Clock['wall'];
  readonly steady: Clock['steady'];
  readonly after: Clock['after'];
  readonly every: Clock['every'];
  readonly #db: Database;
  readonly #timer: Timer;
  #last: Look;

  private constructor(db: Database, machine: Clock, first: Look) {
    ({ wall: this.wall, steady: this.steady, after: this.after, every: this.every } = machine);
    this.#db = db;
    this.#last = first;
    this.#timer = machine.every(EVERY_MS, () => void this.#lookAgain()).unref();
  }

  /** Rejects with StoreUnavailable when the database cannot be asked. */
  static async open(db: Database, machine: Clock): Promise<DatabaseClock> {
    let best = await look(db, machine);
    for (let i = 1; i < FIRST_LOOKS; i++) {
      const next = await look(db, machine);
      if (next.took < best.took) best = next;
    }
    return new DatabaseClock(db, machine, best);
  }

  now = (): number => Math.floor(this.#last.said + (this.steady() - this.#last.at));

  /** How many ms this machine's clock is ahead of the database's. */
  get offset(): number {
    return this.wall() - this.now();
  }

  stop(): void {
    this.#timer[Symbol.dispose]();
  }

  async #lookAgain(): Promise<void> {
    try {
      const seen = await look(this.#db, this);
      if (seen.took <= SLOWEST_MS) this.#last = seen;
    } catch {
      // While the database is away, steady time goes on.
    }
  }
}

async function look(db: Database, { steady }: Pick<Clock, 'steady'>): Promise<Look> {
  const asked = steady();
  const [row] = await db.read<{ now: number }>(STATEMENT, []);
  if (row === undefined) throw new Error('the database did not tell the time');
  const took = steady() - asked;
  return { said: row.now, at: asked + took / 2, took };
}
