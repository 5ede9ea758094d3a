/**
 * Judges a guard: `node test/guard/run.ts [GUARD] [SEEDS] [SCENARIO...]`; scenarios that are named are shown seed by seed.
 * Writes down what is asked of one that allows everything: `node test/guard/run.ts write SCENARIO SEED FILE`.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { allowAll, askConversion, capNumbers } from './naive.ts';
import type { WorldEvent } from './world/event.ts';
import type { Score } from './world/ledger.ts';
import type { Scenario, ScenarioPlan } from './world/scenario.ts';
import { scenarios } from './world.ts';

/** What it answers to a receipt or a confirmation is ignored. It sees those of allowed requests only. */
export type Guard = (event: WorldEvent) => 'allow' | 'refuse';

export interface Outcome extends Score {
  readonly name: string;
  readonly seed: number;
  readonly events: number;
  readonly drawn: Scenario['drawn'];
}

export function judge(guard: Guard, plan: ScenarioPlan, seed: number): Outcome {
  const scenario = plan.run(seed);
  let events = 0;
  for (let event = scenario.next(); event !== undefined; event = scenario.next()) {
    events++;
    const answer = guard(event);
    if (event.op === 'verify') scenario.decided(event.ref, answer === 'allow');
  }
  return { name: plan.name, seed, events, drawn: scenario.drawn, ...scenario.score() };
}

/** A new guard for each run; one line for each scenario, and for each of its seeds if `isDetailed`. */
export function judgeAll(
  create: () => Guard,
  plans: readonly ScenarioPlan[],
  seeds: readonly number[],
  report: (line: string) => void,
  isDetailed = false,
): void {
  report(HEADINGS);
  const all = plans.flatMap((plan) => {
    const outcomes = seeds.map((seed) => judge(create(), plan, seed));
    report(formatLine(plan.name, outcomes));
    if (isDetailed) {
      for (const one of outcomes)
        report(`${formatLine(`  seed ${one.seed}`, [one])}  ${JSON.stringify(one.drawn)}`);
    }
    return outcomes;
  });
  report(formatLine('total', all));
}

/** The events of a run in which everything is allowed. */
export function writeJsonl(plan: ScenarioPlan, seed: number, file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    judge(
      (event) => {
        writeSync(descriptor, `${JSON.stringify(event)}\n`);
        return 'allow';
      },
      plan,
      seed,
    );
  } finally {
    closeSync(descriptor);
  }
}

const COLUMNS = [
  'scenario',
  'events',
  'attacks',
  'spend',
  'let through',
  'worst',
  'persons',
  'refused',
  'worst',
  'recovery',
];
const HEADINGS = formatRow(COLUMNS);

function formatLine(name: string, outcomes: readonly Outcome[]): string {
  const sum = (read: (outcome: Outcome) => number) => outcomes.reduce((whole, one) => whole + read(one), 0);
  const worst = (read: (outcome: Outcome) => number) => Math.max(...outcomes.map(read));
  const spend = sum(({ attack }) => attack.spend);
  const recoveries = outcomes.flatMap(({ recoveryMinutes }) => recoveryMinutes ?? []);
  return formatRow([
    name,
    `${sum(({ events }) => events)}`,
    `${sum(({ attack }) => attack.requests)}`,
    spend.toFixed(0),
    percent(
      sum(({ attack }) => attack.spendAllowed),
      spend,
    ),
    percent(
      worst(({ attack }) => attack.spendAllowed / (attack.spend || 1)),
      spend === 0 ? 0 : 1,
    ),
    `${sum(({ honest }) => honest.persons)}`,
    percent(
      sum(({ honest }) => honest.refused),
      sum(({ honest }) => honest.persons),
    ),
    percent(
      worst(({ honest }) => honest.refused / honest.persons),
      1,
    ),
    recoveries.length === 0
      ? '-'
      : `${median(recoveries).toFixed(0)}/${Math.max(...recoveries).toFixed(0)} min`,
  ]);
}

function formatRow(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(24) : cell.padStart(12))).join('');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

const GUARDS: Readonly<Record<string, () => Guard>> = {
  'allow-all': allowAll,
  'cap-numbers': capNumbers,
  'ask-conversion': askConversion,
};

function main([what = 'allow-all', ...rest]: readonly string[]): void {
  if (what === 'write') {
    const [name, seed = '1', file = '/dev/stdout'] = rest;
    const plan = scenarios.find((one) => one.name === name);
    if (plan === undefined)
      throw new Error(`Expected one of ${scenarios.map((one) => one.name).join(', ')}.`);
    writeJsonl(plan, Number(seed), file);
    return;
  }
  const create = GUARDS[what];
  if (create === undefined) throw new Error(`Expected write or one of ${Object.keys(GUARDS).join(', ')}.`);
  const [seeds = '5', ...names] = rest;
  const plans = scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
  const drawn = Array.from({ length: Number(seeds) }, (_, at) => at + 1);
  judgeAll(create, plans, drawn, console.log, names.length > 0);
}

if (import.meta.main) main(process.argv.slice(2));
