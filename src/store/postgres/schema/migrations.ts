/** The files of migrations, and the transactions that each is made of. */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./migrations/', import.meta.url);

/**
 * A line of a file that ends one transaction and begins the next. One that goes on `again` is work on data, in small batches: it
 * answers true while there is more.
 */
const NEXT = /^-- next transaction(, again while it answers true)?$/m;

/** One transaction of a migration. */
export interface Step {
  readonly text: string;
  readonly repeats: boolean;
}

export interface Migration {
  /** From 1. */
  readonly number: number;
  readonly name: string;
  readonly steps: readonly Step[];
}

export function readMigrations(): readonly Migration[] {
  return readdirSync(FOLDER)
    .sort()
    .map((name, index) => {
      const [first = '', ...others] = readFileSync(new URL(name, FOLDER), 'utf8').split(NEXT);
      const steps: Step[] = [{ text: first, repeats: false }];
      for (let i = 0; i < others.length; i += 2)
        steps.push({ text: others[i + 1] ?? '', repeats: others[i] !== undefined });
      return { number: index + 1, name, steps };
    });
}
