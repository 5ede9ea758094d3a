/** What holds for every page: where its parts come from, how it is kept, and whose colours it has. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createFixture } from '../fixture.ts';

const PLACES = ['/docs', '/docs/guides', '/docs/guides/portal', '/problems/code-mismatch'];

test('everything on a page comes from the service, in files of its own', async (t) => {
  const { app } = await createFixture(t);
  for (const place of PLACES) {
    const { body, headers } = await app.inject(place);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; style/);
    assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|https?:|data:/);
    assert.doesNotMatch(body, /<style|<script>|<iframe| style="| on[a-z]+="/, place);
    const loaded = Array.from(
      body.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g),
      ([, from]) => from,
    );
    assert.ok(loaded.length >= 2);
    for (const from of loaded) assert.match(String(from), /^\/docs\//, place);
  }
});

test('style and script are kept for good, and are small', async (t) => {
  const { app } = await createFixture(t);
  const { body } = await app.inject('/docs');
  for (const [kind, most] of [
    ['style', 5_000],
    ['script', 4_000],
  ] as const) {
    const [address = ''] = new RegExp(`/docs/${kind}-[0-9a-f]{16}\\.(css|js)`).exec(body) ?? [];
    const answer = await app.inject(address);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(answer.headers['content-type']), /^text\/(css|javascript); charset=utf-8$/);
    assert.ok(gzipSync(answer.rawPayload).length < most, kind);
  }
});

test('pages come compressed, to whoever takes that', async (t) => {
  const { app } = await createFixture(t);
  const plain = await app.inject('/docs');
  assert.equal(plain.headers['content-encoding'], undefined);
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const packed = await app.inject({ url: '/docs', headers: { 'accept-encoding': accepted } });
    assert.equal(packed.headers['content-encoding'], encoding);
    assert.equal(Number(packed.headers['content-length']), packed.rawPayload.length);
    assert.ok(packed.rawPayload.length < plain.rawPayload.length / 4);
    assert.equal(String(unpack(packed.rawPayload)), plain.body);
    for (const name of ['vary', 'etag', 'cache-control', 'content-type', 'content-security-policy']) {
      assert.ok(packed.headers[name] !== undefined, name);
      assert.equal(packed.headers[name], plain.headers[name], name);
    }
  }
});

test('a page that has not changed is not sent again', async (t) => {
  const { app } = await createFixture(t);
  const { headers } = await app.inject('/docs/guides/carriers');
  assert.equal(headers['cache-control'], 'no-cache');
  const ask = (tag: string) =>
    app.inject({ url: '/docs/guides/carriers', headers: { 'if-none-match': tag } });
  const again = await ask(String(headers.etag));
  assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', headers.etag]);
  assert.equal((await ask('W/"0123"')).statusCode, 200);
});

test('without a portal, the brand leads to the reference', async (t) => {
  const { app } = await createFixture(t);
  const { body } = await app.inject('/docs/guides');
  assert.match(body, /<a class="brand" href="\/docs">Countersign<\/a>/);
  assert.doesNotMatch(body, /(?:href|src)="\/portal/);
});

test('the colours are those of the portal', () => {
  const styles = globSync('browser/style/*.css', { cwd: import.meta.dirname });
  const style = styles.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
  const theme = readFileSync(new URL('../../../portal/src/theme/theme.ts', import.meta.url), 'utf8');
  const colours = new Set(style.match(/#[0-9a-f]{3,8}\b/g));
  assert.ok(colours.size > 20);
  assert.deepEqual(
    [...colours].filter((colour) => !theme.includes(colour)),
    [],
  );
});
