/** A run in which a test fails, or that does not come to its end, says so, and ends with an exit code that does. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../deploy/project.ts';

const UNIT = 'src/core/verification/code.test.ts';

/** Runs a file with this content as `npm test -- FILE` does, and returns what is said last. */
function run(t: TestContext, source: string, ...others: readonly string[]) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-run-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'of-a-run.test.js');
  writeFileSync(file, source);
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  // What a run that ends early leaves behind goes with the folder. It needs no PostgreSQL.
  const env = { ...own, TMPDIR: folder, COUNTERSIGN_TEST_DATABASE_URL: 'postgres://nobody@localhost' };
  const { status, stdout } = spawnSync(process.execPath, ['test/run.ts', file, ...others], {
    ...{ cwd: ROOT, env, encoding: 'utf8' },
  });
  return { status, stdout, end: stdout.slice(stdout.lastIndexOf('ℹ tests ')).trimEnd().split('\n') };
}

test('the test command fails if a test does, and names it after the counts', (t) => {
  const { status, stdout, end } = run(
    t,
    `const { test, suite } = require('node:test');
    suite('of two', () => {
      test('fails', () => { throw new Error('as told'); });
      test('passes', (t) => t.diagnostic('tests 7'));
    });
    test.skip('is skipped', () => {});`,
    UNIT,
  );
  assert.match(stdout, /as told/);
  const counts = Object.fromEntries(end.slice(0, 8).map((line) => line.split(' ').slice(1)));
  const { tests, suites, pass, duration_ms: duration, ...rest } = counts;
  assert.deepEqual(rest, { fail: '1', cancelled: '0', skipped: '1', todo: '0' });
  // Those of the other file passed.
  assert.ok(Number(suites) > 1 && Number(pass) > 2);
  assert.equal(Number(tests), Number(pass) + 2);
  assert.ok(Number(duration) > 0);
  assert.match(end.slice(8).join('\n'), /^✖ .*of-a-run\.test\.js: fails$/);
  assert.equal(status, 1);
});

test('it fails if a process of tests ends early, whatever code it ends with', (t) => {
  const { status, end } = run(
    t,
    "require('node:test').test('ends', () => process.exit(0));",
    '--test-isolation=none',
  );
  assert.match(end.at(-1) ?? '', /^✖ a process of tests ended early, with 0$/);
  assert.equal(status, 1);
});

test('it fails if it is interrupted, and leaves no process behind', async (t) => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-interrupted-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const pidFile = join(folder, 'pid');
  // The process above the runner that started this one.
  const { status, end } = run(
    t,
    `const { readFileSync, writeFileSync } = require('node:fs');
    writeFileSync('${pidFile}', String(process.pid));
    const [, , , run] = readFileSync('/proc/' + process.ppid + '/stat', 'utf8').split(' ');
    require('node:test').test('hangs', () => new Promise(() => {
      process.kill(Number(run), 'SIGTERM');
      require('node:net').createServer().listen(0);
    }));`,
  );
  assert.match(end.at(-1) ?? '', /^✖ /);
  assert.equal(status, 1);
  const hanging = readFileSync(pidFile, 'utf8');
  // Nobody waits for it, so that its end may not have been noticed yet.
  while (isRunning(hanging)) await new Promise((resolve) => setTimeout(resolve, 10));
});

function isRunning(pid: string): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !readFileSync(stat, 'utf8').includes(') Z ');
}
