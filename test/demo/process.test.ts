/** `countersign demo` as a process, where an operator's service may be set up. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../acceptance/client.ts';
import { outputOf } from '../started.ts';

const PROGRAM = resolve('bin/countersign.js');

interface Place {
  /** Of an operator: a configuration that nobody could start with. */
  readonly own: string;
  /** Where temporary folders are made. */
  readonly scratch: string;
  start(...args: string[]): ChildProcess;
}

async function openPlace(t: { after(end: () => unknown): void }): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-demo-'));
  const [own, scratch] = [join(folder, 'own'), join(folder, 'scratch')];
  await Promise.all([mkdir(own), mkdir(scratch)]);
  writeFileSync(join(own, 'countersign.yaml'), 'nonsense: true\n');
  const children: ChildProcess[] = [];
  t.after(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const env = {
    PATH: process.env.PATH,
    TMPDIR: scratch,
    COUNTERSIGN_CONFIG: join(own, 'countersign.yaml'),
    COUNTERSIGN_DATA_DIR: join(own, 'data'),
    COUNTERSIGN_STORE_URL: 'postgres://nobody@localhost:1/none',
    COUNTERSIGN_HOST: '0.0.0.0',
    COUNTERSIGN_PORT: '1',
  };
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [PROGRAM, 'demo', ...args], { cwd: own, env });
    children.push(child);
    return child;
  };
  return { own, scratch, start };
}

function isRefused(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, host);
    socket.on('connect', () => socket.destroy()).on('connect', () => done(false));
    socket.on('error', () => done(true));
  });
}

test('it prints a link, listens on loopback only, and SIGTERM leaves nothing', async (t) => {
  const { own, scratch, start } = await openPlace(t);
  const child = start();
  const said = await outputOf(child).until('takes its data away');
  const port = Number(/https:\/\/127\.0\.0\.1:(\d+)\/portal\/invitation#[\w-]{43}\n/.exec(said)?.[1]);
  assert.ok(port > 1, said);
  assert.equal(await isRefused('127.0.0.1', port), false);
  assert.equal(await isRefused('127.0.0.2', port), true, 'another address of this machine');
  assert.equal(readdirSync(scratch).length, 1);
  assert.deepEqual(readdirSync(own), ['countersign.yaml'], 'nothing of the operator’s is touched');

  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.deepEqual(readdirSync(scratch), []);
});

test('a signal while it is being filled leaves nothing either', async (t) => {
  const { scratch, start } = await openPlace(t);
  const child = start();
  const ended = once(child, 'exit');
  await eventually(async () => readdirSync(scratch)[0]);
  child.kill('SIGINT');
  await ended;
  assert.deepEqual(readdirSync(scratch), []);
});

test('a port that is none is refused before anything is made', async (t) => {
  const { scratch, start } = await openPlace(t);
  const child = start('--port', 'http');
  const said = await outputOf(child).until('--port must be');
  assert.match(said, /^countersign: --port must be a port such as 8443, or 0 for a free one\n$/);
  assert.deepEqual(readdirSync(scratch), []);
});
