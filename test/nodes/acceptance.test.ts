/** The acceptance suite against two nodes on one PostgreSQL, its connections spread over both. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startOwnPostgres } from '../postgres.ts';

// The others test what is a process's own: its listener, its start, its documents.
const FILES = [
  'authentication',
  'verify',
  'confirm',
  'idempotency',
  'limits',
  'simulator',
  'problems',
  'races',
];

test('the acceptance suite is green on two nodes', async (t) => {
  const files = FILES.map((name) => fileURLToPath(new URL(`../acceptance/${name}.test.ts`, import.meta.url)));
  const postgres = await startOwnPostgres();
  t.after(() => postgres.dispose());
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', ...files], {
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
  assert.ok(count('pass') > 100);
});
