import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { build } from 'vite';
import { heaviestFirstPage } from './budget.ts';

const DAY_MS = 86_400_000;

/** Files of earlier builds, so many days old; the first belongs to the newest of these builds. */
async function leave(dir: string, ages: Readonly<Record<string, number>>): Promise<void> {
  await mkdir(join(dir, 'assets'));
  await mkdir(join(dir, '.vite'));
  const manifest = { 'src/main.tsx': { file: `assets/${Object.keys(ages)[0]}`, isEntry: true } };
  await writeFile(join(dir, '.vite/manifest.json'), JSON.stringify(manifest));
  for (const [name, days] of Object.entries(ages)) {
    const at = Date.now() / 1000 - days * 86_400;
    for (const path of [name, `${name}.br`, `${name}.gz`].map((each) => join(dir, 'assets', each))) {
      await writeFile(path, 'export {}');
      await utimes(path, at, at);
    }
  }
}

describe('the built front end', () => {
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'countersign-portal-'));
    await leave(dir, { 'replaced-1a.js': 10, 'gone-1b.js': 2, 'recent-1c.js': 0.5 });
    await build({
      root: join(import.meta.dirname, '..'),
      build: { outDir: dir },
      logLevel: 'silent',
    });
  });
  after(() => rm(dir, { recursive: true }));

  test('keeps replaced files for a day, and no longer', async () => {
    const names = await readdir(join(dir, 'assets'));
    const left = names.filter((name) => /-1[abc]\./.test(name)).sort();
    assert.deepEqual(
      left,
      ['recent-1c.js', 'replaced-1a.js'].flatMap((name) => [name, `${name}.br`, `${name}.gz`]),
    );
    const { mtimeMs } = await stat(join(dir, 'assets/replaced-1a.js'));
    assert.ok(Date.now() - mtimeMs < DAY_MS, 'it is counted from when it was replaced');
  });

  test('needs less than 200 KB of script (gzip), whichever page is opened first', async () => {
    const { route, bytes } = await heaviestFirstPage(dir);
    assert.ok(bytes > 0 && bytes < 200 * 1024, `${route} needs ${bytes} bytes`);
  });

  test('says what it was built from, in its own folder', async () => {
    const stamp = await readFile(join(dir, 'built-from.txt'), 'utf8');
    assert.match(stamp, /^[0-9a-f]{64}\n$/);
  });

  test('has nothing inline that the policy would block', async () => {
    const page = await readFile(join(dir, 'index.html'), 'utf8');
    assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  test('has a compressed copy beside each file', async () => {
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
