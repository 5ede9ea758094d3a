import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { decorateRequests } from '../../http/request.ts';
import { registerFrontEnd } from './front-end.ts';

async function serve(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-front-'));
  t.after(() => rm(folder, { recursive: true }));
  const dist = join(folder, 'dist');
  const fill = async (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) {
      await mkdir(join(dist, name, '..'), { recursive: true });
      await writeFile(join(dist, name), text);
    }
  };
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await fill(files);
  const app = fastify();
  decorateRequests(app, []);
  registerFrontEnd(app, dist);
  const remove = (name: string) => rm(join(dist, name));
  const get = (url: string, encoding = '') => app.inject({ url, headers: { 'accept-encoding': encoding } });
  return { get, fill, remove };
}

test('files come with their type, in the best form that the client takes; hashed ones may be kept', async (t) => {
  const { get } = await serve(t, {
    'index.html': 'page',
    'assets/app-1a2b.js': 'plain',
    'assets/app-1a2b.js.br': 'brotli',
    'assets/app-1a2b.js.gz': 'gzip',
    'icon.svg': '<svg/>',
  });
  for (const [accepted, body, encoding] of [
    ['gzip, deflate, br', 'brotli', 'br'],
    ['gzip;q=0.5, br;q=0', 'gzip', 'gzip'],
    ['', 'plain', undefined],
  ] as const) {
    const answer = await get('/portal/assets/app-1a2b.js', accepted);
    assert.deepEqual([answer.body, answer.headers['content-encoding']], [body, encoding]);
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(answer.headers.vary, 'accept-encoding');
    assert.match(String(answer.headers['cache-control']), /immutable/);
  }
  const icon = await get('/portal/icon.svg');
  assert.deepEqual(
    [icon.headers['content-type'], icon.headers['cache-control']],
    ['image/svg+xml', undefined],
  );
});

test('every path of the portal is the page; missing and foreign files are not found', async (t) => {
  const { get } = await serve(t, { 'index.html': 'page', '.vite/manifest': 'x' });
  for (const path of ['/portal/', '/portal/keys', '/portal/accounts/acc_1/verifications/ver_1']) {
    assert.equal((await get(path)).body, 'page', path);
  }
  for (const path of [
    '/portal/assets/gone.js',
    '/portal/api/nothing',
    '/portal/..%2fsecret.txt',
    '/portal/%2e%2e/secret.txt',
    '/portal/../secret.txt',
    '/portal//etc/passwd.txt',
  ]) {
    assert.equal((await get(path)).statusCode, 404, path);
  }
});

test('without a build, a page says how to make one, and a new build is served at once', async (t) => {
  const { get, fill } = await serve(t, {});
  const answer = await get('/portal/');
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /npm run build --workspace portal/);
  await fill({ 'index.html': 'page' });
  assert.equal((await get('/portal/')).body, 'page');
});

test('a build that comes while the service runs is served, and what it took away is not found', async (t) => {
  const { get, fill, remove } = await serve(t, { 'index.html': 'page', 'assets/old-1a.js': 'old' });
  assert.equal((await get('/portal/assets/old-1a.js')).body, 'old');
  assert.equal((await get('/portal/assets/new-1b.js')).statusCode, 404);
  await fill({ 'index.html': 'new page', 'assets/new-1b.js': 'new', 'assets/new-1b.js.br': 'packed' });
  await remove('assets/old-1a.js');
  assert.equal((await get('/portal/')).body, 'new page');
  assert.equal((await get('/portal/assets/new-1b.js', 'br')).body, 'packed');
  const gone = await get('/portal/assets/old-1a.js');
  assert.equal(gone.statusCode, 404);
  assert.equal(gone.headers['cache-control'], undefined, 'it may come back');
});
