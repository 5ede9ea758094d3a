/** A first start on a full disk: it fails, and leaves nothing that the next start would use. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startService } from '../service.ts';
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
