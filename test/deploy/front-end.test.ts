/** An installation whose portal was never built, or built from other sources, says so when it starts. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { outputOf } from '../started.ts';
import { ROOT } from './project.ts';

/** The output of a start, until it contains `last` or the process ends. */
async function start(t: TestContext, folder: string, last: RegExp): Promise<string> {
  const env = { PATH: process.env.PATH, COUNTERSIGN_DATA_DIR: join(folder, 'data'), COUNTERSIGN_PORT: '0' };
  const child = spawn(process.execPath, ['bin/countersign.js', 'serve'], { cwd: folder, env });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const output = outputOf(child);
  await output.until(last);
  child.kill('SIGTERM');
  await ended;
  return output.said();
}

test('no link leads to a portal that is not built, and an outdated one is served only with a warning', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-front-end-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['bin', 'src', 'package.json', 'package-lock.json', 'portal']) {
    const isOurs = (path: string) => !/portal\/(dist|node_modules)/.test(path);
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isOurs });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

  const missing = await start(t, folder, /portal is not built/);
  assert.match(
    missing,
    /^warning: the web portal is not built, .*; run `npm ci && npm prune --omit=dev --workspaces=false --no-save`/m,
  );
  assert.doesNotMatch(missing, /\/portal\/setup/);

  mkdirSync(join(folder, 'portal/dist'));
  writeFileSync(join(folder, 'portal/dist/index.html'), 'of the version before');
  const stale = await start(t, folder, /\/portal\/setup/);
  assert.match(stale, /^warning: the web portal is built for another version of the service; run /m);
  assert.match(stale, /\/portal\/setup/);
});
