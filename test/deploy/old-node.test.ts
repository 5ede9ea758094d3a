/** A Node that is older than the service needs. These tests run on a new one, which is told to say that it is old. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { outputOf } from '../started.ts';
import { ROOT } from './project.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-old-node-'));
after(() => rmSync(folder, { recursive: true }));

/** Starts the entry of an installation on a Node of this version. Whatever it starts is gone after the test. */
function startOn(t: TestContext, version: string, installation: string, ...args: string[]) {
  const entry = join(folder, `node-${version}.js`);
  const program = pathToFileURL(join(installation, 'bin/countersign.js'));
  writeFileSync(
    entry,
    `Object.defineProperty(process.versions, 'node', { value: '${version}' }); import('${program}');`,
  );
  const env = { PATH: '', COUNTERSIGN_DATA_DIR: join(folder, 'data'), COUNTERSIGN_PORT: '0' };
  const child = spawn(process.execPath, [entry, ...args], { cwd: folder, env, detached: true });
  const closed = once(child, 'close');
  t.after(async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All have ended.
    }
    await closed;
  });
  return { child, ended: once(child, 'exit'), closed, ...outputOf(child) };
}

test('an old Node hands over to the one that came with the packages, and passes signals on', async (t) => {
  const { child, ended, until } = startOn(t, '20.19.0', ROOT, 'serve');
  assert.match(await until('/portal/setup'), /\/portal\/setup/);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});

test('what the command ends with is passed on', async (t) => {
  const { closed, said } = startOn(t, '22.12.0', ROOT, 'no-such-command');
  assert.deepEqual(await closed, [2, null]);
  assert.match(said(), /unknown command/);
});

test('without it, one line says what is needed and what to do', async (t) => {
  const bare = join(folder, 'bare');
  for (const name of ['bin', 'package.json']) cpSync(join(ROOT, name), join(bare, name), { recursive: true });
  const { closed, said } = startOn(t, '18.20.8', bare, 'serve');
  assert.deepEqual(await closed, [1, null]);
  assert.match(said(), /^countersign: needs Node 26 or later, this is 18\.20\.8, .*; run `npm .*`.*\n$/);
});

test('the Node that comes with the packages is one that the service accepts', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const versions = new Set(Object.values<string>(optionalDependencies));
  assert.equal(versions.size, 1, 'the same on all systems');
  const [major] = String([...versions]).split('.');
  assert.ok(readFileSync(join(ROOT, 'bin/countersign.js'), 'utf8').includes(`NEEDED = ${major};`));
});
