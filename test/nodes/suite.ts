/** Runs test files again, with two nodes on one PostgreSQL in place of each service that they start. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../postgres.ts';

/** `files` are below `test/`, without their extension; `only` chooses tests by name. At least this many must pass. */
export async function runOnTwoNodes(
  t: TestContext,
  files: readonly string[],
  least: number,
  only = '.',
): Promise<void> {
  const paths = files.map((name) => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)));
  const postgres = await startPostgres();
  t.after(() => postgres.dispose());
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = ['--test-concurrency=2', '--test-reporter=tap', `--test-name-pattern=${only}`];
  const child = spawn(process.execPath, ['--test', ...options, ...paths], {
    env: { ...env, COUNTERSIGN_TEST_NODES: '2', COUNTERSIGN_TEST_DATABASE_URL: postgres.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1]);
  t.diagnostic(`${count('pass')} tests passed on two nodes`);
  const failures = output.match(/^ *not ok (?!.*SKIP)[\s\S]*?^ *\.\.\.$/gm) ?? [];
  assert.equal(code, 0, failures.join('\n').slice(0, 10_000));
  assert.ok(count('pass') >= least, output.slice(-2_000));
}
