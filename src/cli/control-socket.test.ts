import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { closed } from '../../test/closed.ts';
import { runInPlace } from '../../test/run-in-place.ts';
import type { ReloadOutcome } from '../reload/outcome.ts';
import { askForReload, openControlSocket, ServiceGone } from './control-socket.ts';

const ADDRESS = { host: '::', port: 8443, secure: true };
const OUTCOME: ReloadOutcome = { at: 1, by: 'command', ok: true, changed: ['routes'], problems: [] };

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-control-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function openIn(folder: string) {
  const faults: unknown[] = [];
  let asked = 0;
  const reload = async () => {
    asked += 1;
    return OUTCOME;
  };
  const opened = openControlSocket(folder, {
    ...{ reload, address: ADDRESS },
    onFault: (error) => faults.push(error),
  });
  return { opened, faults, asked: () => asked };
}

test('who asks gets the outcome; without a service there is none', async (t) => {
  const folder = await folderFor(t);
  assert.equal(await askForReload(folder), undefined);
  const { opened, asked } = openIn(join(folder, 'new'));
  const socket = await opened;
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => askForReload(join(folder, 'new')))), [
    OUTCOME,
    OUTCOME,
    OUTCOME,
  ]);
  assert.equal(asked(), 3);
  await socket[Symbol.asyncDispose]();
  assert.equal(await askForReload(join(folder, 'new')), undefined);
});

test('a door that somebody stands behind is theirs, and what else stands there is replaced', async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, 'serve.sock'), 'left behind');
  const first = openIn(folder);
  const socket = await first.opened;
  assert.deepEqual(first.faults, []);
  const second = openIn(folder);
  const other = await second.opened;
  assert.equal(second.faults.length, 1);
  await other[Symbol.asyncDispose]();
  assert.deepEqual(await askForReload(folder), OUTCOME);
  assert.deepEqual([first.asked(), second.asked()], [1, 0]);
  await socket[Symbol.asyncDispose]();
});

test('a folder whose path is too long has no door, and the service hears of it', async (t) => {
  const folder = join(await folderFor(t), 'x'.repeat(120));
  const { opened, faults } = openIn(folder);
  const socket = await opened;
  assert.equal(faults.length, 1);
  assert.equal(await askForReload(folder), undefined);
  await socket[Symbol.asyncDispose]();
});

test('who says anything else is shown out, and nothing is read again', async (t) => {
  const folder = await folderFor(t);
  const { opened, asked } = openIn(folder);
  const socket = await opened;
  for (const said of ['reload now\n', 'GET / HTTP/1.1\r\n\r\n', 'reload\nreload\n', 'constructor']) {
    const socket = connect(join(folder, 'serve.sock'));
    socket.on('error', () => {});
    socket.write(said);
    await closed(socket);
  }
  assert.equal(asked(), 0);
  await socket[Symbol.asyncDispose]();
});

test('who asks where the service listens is told, and nothing is read again', async (t) => {
  const folder = await folderFor(t);
  const { opened, asked } = openIn(folder);
  const socket = await opened;
  const asking = connect(join(folder, 'serve.sock'));
  asking.write('addr');
  asking.write('ess\n');
  let said = '';
  for await (const chunk of asking) said += chunk;
  assert.deepEqual([JSON.parse(said), asked()], [ADDRESS, 0]);
  await socket[Symbol.asyncDispose]();
});

test('a service that ends before it has answered is no outcome, and said so', async (t) => {
  for (const answer of ['', '{"at":1,']) {
    const folder = await folderFor(t);
    const server = createServer((socket) => socket.on('data', () => socket.end(answer)));
    t.after(() => server.close());
    await once(server.listen(join(folder, 'serve.sock')), 'listening');
    await assert.rejects(askForReload(folder), ServiceGone);
    const { status, stderr } = await runInPlace(['config', 'reload'], {
      folder,
      env: { COUNTERSIGN_DATA_DIR: folder },
    });
    assert.equal(status, 1);
    assert.match(stderr, /^countersign: the service did not answer: .*\n$/);
  }
});
