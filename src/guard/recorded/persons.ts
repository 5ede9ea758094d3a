/** Who would have been turned away: a person counts, not a request. */
import type { PastRequest } from './past-requests.ts';

/** One person’s intent to be verified, with all tries within ten minutes. */
export interface Visit {
  readonly firstAt: number;
  readonly country: string;
  /** That refused a try first; undefined if none was refused. */
  rule: string | undefined;
  isAllowed: boolean;
  isConfirmed: boolean;
}

const PATIENCE = 10 * 60_000;

export class Persons {
  /** In order of their first tries. */
  readonly #visits = new Map<string, Visit>();
  readonly #settle: (visit: Visit) => void;

  /** `settle` hears of each once no further try belongs to it. */
  constructor(settle: (visit: Visit) => void) {
    this.#settle = settle;
  }

  ask({ at, account, number, country, confirmedAt }: PastRequest, rule: string | undefined): void {
    this.#settleBefore(at - PATIENCE);
    const person = `${account} ${number}`;
    const known = this.#visits.get(person);
    const visit = known ?? { firstAt: at, country, rule, isAllowed: false, isConfirmed: false };
    if (known === undefined) this.#visits.set(person, visit);
    visit.rule ??= rule;
    visit.isAllowed ||= rule === undefined;
    visit.isConfirmed ||= confirmedAt !== null;
  }

  end(): void {
    this.#settleBefore(Number.POSITIVE_INFINITY);
  }

  #settleBefore(time: number): void {
    for (const [person, visit] of this.#visits) {
      if (visit.firstAt >= time) break;
      this.#visits.delete(person);
      this.#settle(visit);
    }
  }
}
