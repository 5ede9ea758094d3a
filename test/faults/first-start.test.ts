/** A first start that fails or is killed: it leaves nothing that the next start would use, or stumble over. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { startService } from '../service.ts';
import { LAX } from '../store/contract/rig.ts';
import { canMount, fillDisk, mountSmallDisk } from './small-disk.ts';

const CLI = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));

test('on a full disk no secret is made, and with room a complete one', {
  skip: !canMount() && 'no disk can be mounted here',
}, async () => {
  using disk = mountSmallDisk();
  const dataDir = join(disk.folder, 'data');
  // In a tmpfs folders and names take no space; the content of files does.
  mkdirSync(dataDir);
  const filler = join(disk.folder, 'filler');
  await fillDisk(filler);
  const env = { PATH: process.env.PATH, COUNTERSIGN_DATA_DIR: dataDir, COUNTERSIGN_PORT: '0' };
  for (let attempt = 0; attempt < 2; attempt++) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'serve'], {
      cwd: disk.folder,
      env,
      encoding: 'utf8',
      timeout: 120_000,
    });
    assert.equal(status, 1, stdout);
    assert.match(stderr, /ENOSPC/);
    assert.ok(!existsSync(join(dataDir, 'secret')), 'nothing that could be taken for a secret');
  }
  rmSync(filler);
  await using service = await startService({ dataDir });
  assert.match(readFileSync(join(dataDir, 'secret'), 'utf8'), /^[\w-]{43}\n$/);
  assert.equal((await service.client.get('/readyz')).status, 200);
});

const KILLS = 8;
/** A process that makes its store, and would then serve. */
const MAKES_STORE = `
  import('${new URL('../../src/store/sqlite/store.ts', import.meta.url)}')
    .then(({ openSqliteStore }) => openSqliteStore({ dataDir: process.argv[1], exclusive: true, ...${JSON.stringify(LAX)} }))
    .then(() => setInterval(() => {}, 1_000));`;

test('killed while it makes its store, it needs nobody to start, and leaves nothing beside it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-first-start-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (let kill = 0; kill < KILLS; kill++) {
    const dataDir = join(folder, String(kill));
    mkdirSync(dataDir);
    const files = () => readdirSync(dataDir).filter((name) => name.startsWith('countersign.db'));
    // As the service opens it, and without all that a start loads before.
    const child = spawn(process.execPath, ['-e', MAKES_STORE, dataDir], {
      stdio: 'ignore',
    });
    const end = once(child, 'close');
    while (files().length === 0) {
      assert.equal(child.exitCode, null, 'it ended before it made a file');
      await setImmediate();
    }
    await sleep(kill * 2);
    child.kill('SIGKILL');
    await end;
    const file = join(dataDir, 'countersign.db');
    assert.ok(!existsSync(file) || statSync(file).size > 0, 'no file without a store');

    const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
    await store.check();
    await store.close();
    assert.deepEqual(files(), ['countersign.db']);
    if (kill > 0) continue;
    await using service = await startService({ dataDir });
    assert.equal((await service.client.get('/readyz')).status, 200);
  }
});

test('killed between the two names of its file, it leaves one', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-first-start-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const file = join(dataDir, 'countersign.db');
  const open = () => openSqliteStore({ dataDir, exclusive: true, ...LAX });
  await (await open()).close();
  linkSync(file, `${file}.new`);
  await (await open()).close();
  assert.ok(existsSync(file) && !existsSync(`${file}.new`));
});
