/** Signals to a service that has not started yet. Its configuration is a pipe, so that the test says how far it gets. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../deploy/project.ts';
import { freePort } from '../free-port.ts';
import { provideCertificate } from '../service.ts';
import { isRunning, outputOf } from '../started.ts';

const CLI = join(ROOT, 'bin/countersign.js');

async function startReading(t: TestContext, execArgv: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-early-'));
  const pipe = join(folder, 'countersign.yaml');
  execFileSync('mkfifo', [pipe]);
  const dataDir = join(folder, 'data');
  await provideCertificate(dataDir);
  const env = {
    PATH: process.env.PATH,
    COUNTERSIGN_CONFIG: pipe,
    COUNTERSIGN_DATA_DIR: dataDir,
    COUNTERSIGN_PORT: String(await freePort()),
  };
  const child = spawn(process.execPath, [...execArgv, CLI, 'serve'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(child);
  const exited = once(child, 'exit');
  t.after(async () => {
    if (isRunning(child)) child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true });
  });
  return { child, exited, pipe, ...output };
}

test('SIGHUP during the start ends nothing: the service reads its configuration again when it runs', async (t) => {
  const { child, exited, pipe, until, said } = await startReading(t);
  // Opens when the service reads.
  const first = await open(pipe, 'w');
  child.kill('SIGHUP');
  child.kill('SIGHUP');
  await first.writeFile('messages: { brand: First }');
  await writeFile(`${pipe}.new`, 'messages: { brand: Second }');
  await rename(`${pipe}.new`, pipe);
  await first.close();
  const text = await until('config.reloaded');
  assert.match(text, /"by":"signal","changed":\["messages\.brand"\]/, said());
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
  assert.equal(said().match(/config\.reloaded/g)?.length, 1);
});

test('SIGTERM during the start ends it well, before anything is opened', async (t) => {
  const { child, exited, pipe, said } = await startReading(t);
  const handle = await open(pipe, 'w');
  child.kill('SIGTERM');
  await handle.writeFile('{}');
  await handle.close();
  assert.deepEqual(await exited, [0, null], said());
  assert.doesNotMatch(said(), /"serving"/);
});

test('no part of the service is loaded before signals are heard', async (t) => {
  // Says which of our files are loaded, and when somebody listens for a signal.
  const watch = `
    import { registerHooks } from 'node:module';
    import { writeSync } from 'node:fs';
    const root = ${JSON.stringify(pathToFileURL(ROOT).href)};
    process.on('newListener', (name) => String(name) === 'SIGTERM' && writeSync(1, 'heard\\n'));
    registerHooks({
      load(url, context, next) {
        if (url.startsWith(root) && !url.includes('node_modules')) writeSync(1, 'loaded ' + url.slice(root.length) + '\\n');
        return next(url, context);
      },
    });`;
  const { child, exited, pipe, until } = await startReading(t, [
    '--import',
    `data:text/javascript,${encodeURIComponent(watch)}`,
  ]);
  const handle = await open(pipe, 'w');
  const [before = ''] = (await until('heard')).split('heard');
  const loaded = before.split('\n').flatMap((line) => line.split('loaded ')[1] ?? []);
  assert.deepEqual(
    loaded.map((file) => file.replace(/^\//, '')),
    ['bin/countersign.js', 'src/runtime/start.js', 'src/runtime/compile-cache.js', 'src/runtime/signals.ts'],
  );
  child.kill('SIGTERM');
  await handle.close();
  await exited;
});
