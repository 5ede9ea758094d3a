/** What was refused, line by line up to a bound, and all of it added up by the day. */

import type { Random } from '../../core/seams/random.ts';
import { DAY_MS, SECOND_MS } from '../../core/seams/spans.ts';
import type { Statement } from '../../core/sql/records.ts';
import { maskToRange, placeOf } from './place.ts';
import type { GuardRefusal } from './refusal.ts';

const LINES_A_SECOND = 100;
/** What waits while the store is away. */
const MOST_LINES = 1_000;
const MOST_COUNTS = 5_000;

const ADD_LINE = `INSERT INTO guard_refusal
  (id, account_id, key_id, at, channel, country, masked, place, rule, detail, enforced, saved)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`;

const ADD_COUNT = `INSERT INTO guard_day (day, account_id, country, rule, enforced, requests, saved)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (day, account_id, country, rule, enforced) DO UPDATE SET
    requests = guard_day.requests + excluded.requests, saved = guard_day.saved + excluded.saved`;

interface Count {
  readonly of: readonly [day: number, account: string, country: string, rule: string, enforced: number];
  requests: number;
  saved: number;
}

export class RefusalLog {
  readonly #random: Random;
  #lines: Statement[] = [];
  readonly #counts = new Map<string, Count>();
  #second = 0;
  #linesOfSecond = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** `saved` is what its message would have cost at least, in millionths; null if nobody knows. */
  add(refusal: GuardRefusal, saved: number | null): void {
    const { account, country, at: exactly } = refusal.ask;
    const at = Math.round(exactly);
    const enforced = refusal.enforced ? 1 : 0;
    const of = [at - (at % DAY_MS), account, country, refusal.rule, enforced] as const;
    const key = of.join(' ');
    const count = this.#counts.get(key);
    if (count !== undefined) {
      count.requests += 1;
      count.saved += saved ?? 0;
    } else if (this.#counts.size < MOST_COUNTS) {
      this.#counts.set(key, { of, requests: 1, saved: saved ?? 0 });
    }
    if (this.#hasRoom(at)) this.#lines.push(lineOf(refusal, at, saved, this.#random));
  }

  /** In the order in which all nodes lock the counts. */
  take(): readonly Statement[] {
    const counts = [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1));
    const added = counts.map(([, { of, requests, saved }]) => ({
      sql: ADD_COUNT,
      args: [...of, requests, saved],
    }));
    const taken = [...this.#lines, ...added];
    this.#lines = [];
    this.#counts.clear();
    return taken;
  }

  /** The first line is always there: what is added up is added only with it, so that it is never added twice. */
  #hasRoom(at: number): boolean {
    const second = Math.floor(at / SECOND_MS);
    if (second !== this.#second) this.#linesOfSecond = 0;
    this.#second = second;
    this.#linesOfSecond += 1;
    const pending = this.#lines.length;
    return pending === 0 || (this.#linesOfSecond <= LINES_A_SECOND && pending < MOST_LINES);
  }
}

function lineOf(
  { ask, channel, rule, detail, enforced }: GuardRefusal,
  at: number,
  saved: number | null,
  random: Random,
): Statement {
  const id = `ref_${at.toString(16).padStart(12, '0')}${random.bytes(10).toString('hex')}`;
  const { account, key, country, destination } = ask;
  const masked = maskToRange(destination);
  const place = placeOf(rule, ask).name;
  const who = [id, account, key, at, channel, country, masked];
  return { sql: ADD_LINE, args: [...who, place, rule, detail, enforced ? 1 : 0, saved], guard: true };
}
