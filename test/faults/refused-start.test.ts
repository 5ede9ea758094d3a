/** A start that must fail: one line that says what, where and what to do, and a failure for the supervisor. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';
import { runInPlace } from '../run-in-place.ts';
import { startService } from '../service.ts';
import { overwrite, overwriteHeader } from '../store/damage.ts';
import { canMount, mountSmallDisk } from './small-disk.ts';

const CLI = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));
const DEADLINE_MS = 120_000;
const canWriteAll = process.getuid?.() === 0;

/** Runs `serve` until it ends by itself. */
async function serve(dataDir: string, port?: number) {
  const env = {
    PATH: process.env.PATH,
    COUNTERSIGN_PORT: String(port ?? (await freePort())),
    COUNTERSIGN_DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, [CLI, 'serve'], { cwd: tmpdir(), env, timeout: DEADLINE_MS });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

async function assertRefused(dataDir: string, line: RegExp): Promise<void> {
  const { code, stderr } = await serve(dataDir);
  assert.equal(code, 1, stderr);
  assert.match(stderr, line);
  assert.match(stderr, /^countersign: [^{\n][^\n]*\n$/, 'one line, and no JSON with a stack');
  assert.ok(stderr.includes(dataDir), 'it says where');
}

test('a start on a used port says so in one line, and nothing about work that it gave up', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-port-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const other = createServer().listen(0);
  await once(other, 'listening');
  t.after(() => other.close());
  const address = other.address();
  assert.ok(typeof address === 'object' && address !== null);
  const { code, stdout, stderr } = await serve(dataDir, address.port);
  assert.equal(code, 1);
  assert.match(stderr, /^countersign: listen EADDRINUSE[^\n]*; stop the program that uses the port[^\n]*\n$/);
  assert.match(stdout, /^\{"level":"info"[^\n]*"msg":"starting"\}\n$/);
});

suite('a start is refused', { concurrency: false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-refused-'));
  /** Of a service that has run, with everything in the file. */
  const original = join(folder, 'original');
  before(async () => {
    await using service = await startService({ dataDir: original });
    assert.equal(await service.stop(), 0);
  });
  after(() => rmSync(folder, { recursive: true }));

  let copies = 0;
  function copy(to = join(folder, `copy-${copies++}`)): string {
    cpSync(original, to, { recursive: true });
    return to;
  }

  test('in a folder that another process serves from', async () => {
    await using service = await startService({ dataDir: copy() });
    await assertRefused(service.dataDir, /another process serves from .*; stop it, or set another dataDir/);
    assert.equal((await service.client.get('/readyz')).status, 200, 'the other is not disturbed');
  });

  test('on a store whose header is damaged', async () => {
    const dataDir = copy();
    overwriteHeader(dataDir);
    await assertRefused(
      dataDir,
      /countersign\.db is damaged \(file is not a database\).*countersign restore/,
    );
  });

  test('on a store of 0 bytes, by every command too, until a backup is in its place', async () => {
    const dataDir = copy();
    const [file, backup] = [join(dataDir, 'countersign.db'), join(dataDir, 'backup')];
    const run = (...args: string[]) =>
      runInPlace(args, { folder: tmpdir(), env: { COUNTERSIGN_DATA_DIR: dataDir } });
    assert.equal((await run('backup', '--to', backup)).status, 0);
    truncateSync(file);
    // What a log holds could be all that is left, and SQLite deletes one beside an empty file.
    writeFileSync(`${file}-wal`, 'x'.repeat(5_000));
    const line = /countersign\.db is empty: .*countersign restore.*remove it if it was never used/;
    await assertRefused(dataDir, line);
    for (const args of [
      ['doctor'],
      ['keys', 'list'],
      ['keys', 'create', '--init', '--name', 'k'],
      ['backup', '--to', join(dataDir, 'second')],
      ['store', 'copy', '--from', `sqlite:${dataDir}`, '--to', 'postgres://me:me@127.0.0.1:1/none'],
    ]) {
      const { status, stdout, stderr } = await run(...args);
      const said = (stdout + stderr).split('\n').filter((each) => line.test(each));
      assert.deepEqual([status, said.length], [1, 1], stdout + stderr);
    }
    assert.equal(statSync(file).size, 0);
    assert.ok(existsSync(`${file}-wal`));

    assert.match(
      (await run('restore', '--from', backup)).stderr,
      /-wal belongs to a store that is gone .*; move it away/,
    );
    rmSync(`${file}-wal`);
    assert.equal((await run('restore', '--from', backup)).status, 0);
    assert.match((await run('keys', 'list')).stdout, /csk_live_/);
  });

  test('on a store whose keys cannot be read', async () => {
    const dataDir = copy();
    overwrite(dataDir, 'api_key');
    await assertRefused(
      dataDir,
      /countersign\.db is damaged \(database disk image is malformed\).*countersign restore/,
    );
  });

  test('where the lock is not ours', async () => {
    const dataDir = copy();
    writeFileSync(join(dataDir, 'serve.lock'), 'x'.repeat(4096));
    await assertRefused(dataDir, /serve\.lock is not one of our locks .*; remove it while no service runs/);
  });

  test('where the certificate cannot be kept, and the store that was opened meanwhile is closed', async () => {
    const dataDir = copy();
    rmSync(join(dataDir, 'tls-cert.pem'));
    mkdirSync(join(dataDir, 'tls-cert.pem'));
    await assertRefused(dataDir, /EISDIR.*tls-cert\.pem/);
  });

  test('where a file of the store may not be written', {
    skip: canWriteAll && 'root may write all',
  }, async () => {
    const dataDir = copy();
    chmodSync(join(dataDir, 'countersign.db'), 0o400);
    await assertRefused(dataDir, /EACCES.*give this user access, or set another path/);
  });

  test('in a folder that may not be written', { skip: canWriteAll && 'root may write all' }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-refused-'));
    t.after(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o500);
    await assertRefused(folder, /EACCES.*give this user access, or set another path/);
  });

  test('on a disk that is mounted read-only', {
    skip: !canMount() && 'nothing can be mounted here',
  }, async () => {
    using disk = mountSmallDisk();
    const dataDir = copy(join(disk.folder, 'data'));
    assert.equal(spawnSync('mount', ['-o', 'remount,ro', disk.folder]).status, 0);
    await assertRefused(dataDir, /EROFS.*make the disk writable, or set another folder/);
  });
});
