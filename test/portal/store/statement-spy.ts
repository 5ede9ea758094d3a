/** Loaded into a service before everything else: notes every statement that its embedded store runs, once, a line of JSON each. */
import { appendFileSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';

const { STATEMENTS_FILE: file = '' } = process.env;
const noted = new Set<string>();

for (const name of ['all', 'get', 'iterate', 'run'] as const) {
  const original = StatementSync.prototype[name];
  Reflect.set(StatementSync.prototype, name, function (this: StatementSync, ...args: unknown[]): unknown {
    const { sourceSQL: sql } = this;
    if (!noted.has(sql)) {
      noted.add(sql);
      appendFileSync(file, `${JSON.stringify(sql)}\n`);
    }
    return Reflect.apply(original, this, args);
  });
}
