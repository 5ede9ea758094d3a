import type { Land } from './lands/land.ts';

export interface Score {
  readonly attack: {
    readonly requests: number;
    /** In the price list's currency: what everything would have cost that the attacker asked for. */
    readonly spend: number;
    readonly requestsAllowed: number;
    readonly spendAllowed: number;
  };
  readonly honest: {
    readonly persons: number;
    /** None of their tries within ten minutes was let through. */
    readonly refused: number;
  };
  /**
   * From the attack's last request to a country until nine of ten honest people there are let through at their first
   * try; of the slowest country. Undefined if nobody honest came after an attack.
   */
  readonly recoveryMinutes: number | undefined;
}

/** One person's wish to be verified, with all its tries. */
export interface Visit {
  readonly land: Land;
  readonly firstAt: number;
  isFirstAllowed: boolean;
  isAllowed: boolean;
}

const PATIENCE = 10 * 60_000;
/** So many people in a row tell whether a country has recovered. */
const WINDOW = 10;
const RECOVERED = 0.9;

/** Who asked, and what was let through. */
export class Ledger {
  #visits: Visit[] = [];
  #requests = 0;
  #spend = 0;
  #requestsAllowed = 0;
  #spendAllowed = 0;
  #lastAttack = new Map<Land, number>();

  attack(at: number, land: Land, allowed: boolean): void {
    this.#requests++;
    this.#spend += land.price;
    if (allowed) {
      this.#requestsAllowed++;
      this.#spendAllowed += land.price;
    }
    this.#lastAttack.set(land, at);
  }

  /** The answer to a person's first try. */
  arrive(at: number, land: Land, allowed: boolean): Visit {
    const visit = { land, firstAt: at, isFirstAllowed: allowed, isAllowed: allowed };
    this.#visits.push(visit);
    return visit;
  }

  /** The answer to a further one. */
  retry(at: number, visit: Visit, allowed: boolean): void {
    if (allowed && at - visit.firstAt <= PATIENCE) visit.isAllowed = true;
  }

  score(): Score {
    const recoveries = [...this.#lastAttack].flatMap(([land, end]) => this.#recovery(land, end) ?? []);
    return {
      attack: {
        requests: this.#requests,
        spend: this.#spend,
        requestsAllowed: this.#requestsAllowed,
        spendAllowed: this.#spendAllowed,
      },
      honest: {
        persons: this.#visits.length,
        refused: this.#visits.filter((visit) => !visit.isAllowed).length,
      },
      recoveryMinutes: recoveries.length === 0 ? undefined : Math.max(...recoveries),
    };
  }

  #recovery(land: Land, end: number): number | undefined {
    const after = this.#visits.filter((visit) => visit.land === land && visit.firstAt > end);
    const last = after.at(-1);
    if (last === undefined) return undefined;
    const recovered = after.findIndex((_, at) => {
      const window = after.slice(at, at + WINDOW);
      return window.filter((visit) => visit.isFirstAllowed).length >= RECOVERED * window.length;
    });
    if (recovered === 0) return 0;
    return ((after[recovered] ?? last).firstAt - end) / 60_000;
  }
}
