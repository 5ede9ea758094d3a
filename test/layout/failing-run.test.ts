/** A run in which a test fails ends with an exit code that says so. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../deploy/project.ts';

test('the test command fails if a test does', (t) => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-run-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'failing.test.js');
  writeFileSync(file, "require('node:test')('fails', () => { throw new Error('as told'); });");
  const { NODE_TEST_CONTEXT: _, COUNTERSIGN_TEST_DATABASE_URL: __, ...env } = process.env;
  // With a PostgreSQL of its own, as in a whole run.
  const { status, stdout } = spawnSync(process.execPath, ['test/run.ts', file], {
    ...{ cwd: ROOT, env, encoding: 'utf8' },
  });
  assert.match(stdout, /fail 1/);
  assert.equal(status, 1);
});
