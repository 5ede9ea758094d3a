/** Runs all tests, or only some: `npm test`, `npm run test:unit`, `npm test -- src/core/clock.test.ts`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { COUNTS, type Report } from './reporter.ts';
import { listTests, SETS, type SetName, setOf } from './sets.ts';

/**
 * Most of the time of a unit goes into the start of its process, so that a few processes share all files. What they hold together makes
 * the collection of small garbage slow, unless it is rare.
 */
const TOGETHER = ['--test-isolation=none', '--test-timeout=60000', '--max-semi-space-size=32'];
const UNIT_PROCESSES = 2;
const APART = ['--test-global-setup=test/once-a-run.ts', '--test-concurrency=4', '--test-timeout=240000'];
const REPORTER = ['--test-reporter=./test/reporter.ts', '--test-reporter-destination=stdout'];

/** What a terminal sends when somebody interrupts or leaves it, and what other programs send. */
const SIGNALS = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const;

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('--'));
const isSet = (name: string): name is SetName => SETS.some((set) => set === name);
const sets = words.filter(isSet);
const named = words.filter((word) => !isSet(word) && !word.startsWith('--'));
const wanted = sets.length + named.length === 0 ? SETS : sets;
const chosen = [...listTests().filter((file) => wanted.some((set) => setOf(file) === set)), ...named];
const isUnit = (file: string) => setOf(file) === 'unit';

/** In the order in which Node prints them. */
const counts: Record<string, number> = Object.fromEntries(COUNTS.map((name) => [name, 0]));
const failed: string[] = [];
const started = performance.now();
let isInterrupted = false;

/** A process without a report did not come to its end, whatever it exits with. */
async function run(args: readonly string[], output: 'inherit' | 'pipe' = 'inherit'): Promise<void> {
  if (isInterrupted) return;
  const child = spawn(process.execPath, ['--test', ...REPORTER, ...flags, ...args], {
    stdio: ['inherit', output, 'inherit', 'ipc'],
    // A process group of its own: the runner ends at a signal, and leaves the processes of its files behind.
    detached: true,
  });
  let report: Report | undefined;
  child.once('message', (message: Report) => {
    report = message;
  });
  const end = () => {
    isInterrupted = true;
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.pid !== undefined) process.kill(-child.pid);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  const ended = once(child, 'close');
  // Two that write at once would be unreadable.
  const said = child.stdout === null ? '' : await text(child.stdout);
  const [code, signal] = await ended;
  for (const signal of SIGNALS) process.off(signal, end);
  process.stdout.write(said);
  if (code !== 0 || report === undefined) process.exitCode = 1;
  if (report === undefined) failed.push(`a process of tests ended early, with ${signal ?? code}`);
  for (const [name, count] of Object.entries(report?.counts ?? {}))
    counts[name] = (counts[name] ?? 0) + count;
  failed.push(...(report?.failed ?? []));
}

const units = chosen.filter(isUnit);
const others = chosen.filter((file) => !isUnit(file));
if (units.length > 0) {
  const parts = Array.from({ length: UNIT_PROCESSES }, (_, n) => `--test-shard=${n + 1}/${UNIT_PROCESSES}`);
  await Promise.all(parts.map((part, n) => run([...TOGETHER, part, ...units], n === 0 ? 'inherit' : 'pipe')));
}
if (others.length > 0) await run([...APART, ...others]);

for (const [name, count] of Object.entries({ ...counts, duration_ms: performance.now() - started }))
  console.log(`ℹ ${name} ${count}`);
for (const name of failed) console.log(`✖ ${name}`);
