/** What a back-test found, added up. */
import type { PastRequest } from './past-requests.ts';
import type { Visit } from './persons.ts';

/** Money is in millionths of the currency. */
export interface BacktestFigures {
  readonly requests: number;
  readonly refused: number;
  /** What all requests cost. */
  readonly spent: number;
  /** What those cost that would have been refused. */
  readonly saved: number;
  /** Persons who confirmed. */
  readonly confirmed: number;
  /** Those of them of whom no try within ten minutes would have been let through. */
  readonly turnedAway: number;
}

export interface BacktestReport {
  /** The times of the first and the last request, Unix ms; null if there was none. */
  readonly from: number | null;
  readonly to: number | null;
  /** Requests that could not be read. */
  readonly skipped: number;
  readonly whole: BacktestFigures;
  /** The most saved first, as the rules. */
  readonly countries: readonly (BacktestFigures & { readonly country: string })[];
  readonly rules: readonly (Pick<BacktestFigures, 'refused' | 'saved' | 'turnedAway'> & {
    readonly rule: string;
  })[];
}

type Sum = { -readonly [Figure in keyof BacktestFigures]: number };

const nothing = (): Sum => ({ requests: 0, refused: 0, spent: 0, saved: 0, confirmed: 0, turnedAway: 0 });

export class BacktestCounts {
  readonly #whole = nothing();
  readonly #countries = new Map<string, Sum>();
  readonly #rules = new Map<string, Sum>();
  #from: number | null = null;
  #to: number | null = null;
  #skipped = 0;

  skip(): void {
    this.#skipped += 1;
  }

  /** A request, and the rule that would have refused it. */
  count({ at, country, cost }: PastRequest, rule: string | undefined): void {
    this.#from ??= at;
    this.#to = Math.max(this.#to ?? at, at);
    for (const sum of this.#sums(country, rule)) {
      sum.requests += 1;
      sum.spent += cost;
      if (rule === undefined) continue;
      sum.refused += 1;
      sum.saved += cost;
    }
  }

  settle = ({ country, rule, isAllowed, isConfirmed }: Visit): void => {
    if (!isConfirmed) return;
    for (const sum of this.#sums(country, isAllowed ? undefined : rule)) {
      sum.confirmed += 1;
      if (!isAllowed) sum.turnedAway += 1;
    }
  };

  report(): BacktestReport {
    const countries = [...this.#countries].map(([country, sum]) => ({ country, ...sum }));
    const rules = [...this.#rules].map(([rule, { refused, saved, turnedAway }]) => {
      return { rule, refused, saved, turnedAway };
    });
    return {
      from: this.#from,
      to: this.#to,
      skipped: this.#skipped,
      whole: this.#whole,
      countries: countries.sort(
        (a, b) => b.saved - a.saved || b.refused - a.refused || b.requests - a.requests,
      ),
      rules: rules.sort((a, b) => b.saved - a.saved || b.refused - a.refused),
    };
  }

  #sums(country: string, rule: string | undefined): Sum[] {
    const sums = [this.#whole, sumOf(this.#countries, country)];
    return rule === undefined ? sums : [...sums, sumOf(this.#rules, rule)];
  }
}

function sumOf(sums: Map<string, Sum>, name: string): Sum {
  const known = sums.get(name);
  if (known !== undefined) return known;
  const sum = nothing();
  sums.set(name, sum);
  return sum;
}
