import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { build } from 'vite';
import { heaviestFirstPage } from './budget.ts';

describe('the built front end', () => {
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'countersign-portal-'));
    await build({
      root: join(import.meta.dirname, '..'),
      build: { outDir: dir, emptyOutDir: true },
      logLevel: 'silent',
    });
  });
  after(() => rm(dir, { recursive: true }));

  test('costs under 200 KB of script, gzip, on whichever page is opened first', async () => {
    const { route, bytes } = await heaviestFirstPage(dir);
    assert.ok(bytes > 0 && bytes < 200 * 1024, `${route} needs ${bytes} bytes`);
  });

  test('has nothing inline that the policy would block', async () => {
    const page = await readFile(join(dir, 'index.html'), 'utf8');
    assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  test('has each file compressed beside it', async () => {
    const names = await readdir(dir, { recursive: true });
    const scripts = names.filter(
      (name) => name.endsWith('.js') || name.endsWith('.css') || name.endsWith('.html'),
    );
    assert.ok(scripts.length > 10);
    for (const name of scripts) assert.ok(names.includes(`${name}.br`) && names.includes(`${name}.gz`), name);
    const [plain, packed] = await Promise.all(
      ['index.html', 'index.html.gz'].map((name) => readFile(join(dir, name))),
    );
    assert.deepEqual(plain && packed && gunzipSync(packed), plain);
  });
});
