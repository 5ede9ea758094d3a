/** Runs all tests, or only some: `npm test`, `npm run test:unit`, `npm test -- src/core/clock.test.ts`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { listTests, SETS, type SetName, setOf } from './sets.ts';

/** Most of the time of a unit goes into the start of its process, so that a few processes share all files. */
const TOGETHER = ['--test-isolation=none', '--test-timeout=60000'];
const UNIT_PROCESSES = 2;
const APART = ['--test-global-setup=test/once-a-run.ts', '--test-concurrency=4', '--test-timeout=240000'];

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('--'));
const isSet = (name: string): name is SetName => SETS.some((set) => set === name);
const sets = words.filter(isSet);
const named = words.filter((word) => !isSet(word) && !word.startsWith('--'));
const wanted = sets.length + named.length === 0 ? SETS : sets;
const chosen = listTests().filter((file) => wanted.some((set) => setOf(file) === set));
const isUnit = (file: string) => setOf(file) === 'unit';

/** This process ends as Node's runner did. */
async function run(args: readonly string[], output: 'inherit' | 'pipe' = 'inherit'): Promise<void> {
  const child = spawn(process.execPath, ['--test', ...flags, ...args], {
    stdio: ['inherit', output, 'inherit'],
  });
  // A terminal tells both; whoever ends only this process means the tests too.
  process.once('SIGTERM', () => child.kill());
  const ended = once(child, 'exit');
  // Two that write at once would be unreadable.
  const said = child.stdout === null ? '' : await text(child.stdout);
  const [code] = await ended;
  if (code !== 0) process.exitCode = code ?? 1;
  process.stdout.write(said);
}

const units = chosen.filter(isUnit);
const others = [...chosen.filter((file) => !isUnit(file)), ...named];
if (units.length > 0) {
  const parts = Array.from({ length: UNIT_PROCESSES }, (_, n) => `--test-shard=${n + 1}/${UNIT_PROCESSES}`);
  await Promise.all(parts.map((part, n) => run([...TOGETHER, part, ...units], n === 0 ? 'inherit' : 'pipe')));
}
if (others.length > 0) await run([...APART, ...others]);
