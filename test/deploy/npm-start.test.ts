/** `npm start` under a supervisor that knows only npm. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, isListening } from '../free-port.ts';
import { provideCertificate } from '../service.ts';
import { outputOf, untilListening } from '../started.ts';
import { ROOT } from './project.ts';

test('SIGTERM to `npm start` stops the service', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-npm-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const port = await freePort();
  const dataDir = join(folder, 'data');
  await provideCertificate(dataDir);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    COUNTERSIGN_DATA_DIR: dataDir,
    COUNTERSIGN_PORT: String(port),
  };
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(npm, 'close');
  t.after(async () => {
    try {
      if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL');
    } catch {
      // All have ended.
    }
    await closed;
  });
  const { said } = outputOf(npm);
  assert.ok(await untilListening(npm, port), said());
  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await ended;
  assert.equal(await isListening(port), false);
});
