/** Runs test files again, against two nodes on one PostgreSQL. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../postgres.ts';

export interface Suite {
  /** Below `test/`, without their extension. */
  readonly files: readonly string[];
  /** Chooses tests by name. */
  readonly only?: string;
  /** At least this many must pass. */
  readonly least: number;
}

/** With two nodes in place of each service that the tests start. */
export async function runOnTwoNodes(t: TestContext, suite: Suite): Promise<void> {
  const postgres = await startPostgres();
  t.after(() => postgres.dispose());
  await runSuite(t, suite, { COUNTERSIGN_TEST_NODES: '2', COUNTERSIGN_TEST_DATABASE_URL: postgres.url });
}

/** With these variables in the environment, and in one process: to start one and read the tests takes longer than most of them. */
async function runSuite(
  t: TestContext,
  { files, only = '.', least }: Suite,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const paths = files.map((name) => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = ['--test-isolation=none', '--test-reporter=tap', `--test-name-pattern=${only}`];
  const child = spawn(process.execPath, ['--test', ...options, ...paths], {
    env: { ...env, ...variables },
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
