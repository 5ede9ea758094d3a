import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { PROBLEM_NAMES, problemPath } from '../problem.ts';
import { registerReference } from '../routes/reference.ts';
import { readGuides } from './guides.ts';

/** Addresses of the service that guides and their pages lead to. */
const ELSEWHERE = ['/docs', '/docs/guides', ...PROBLEM_NAMES.map(problemPath)];

const app = fastify();
registerReference(app, () => {
  throw new Error('no guide needs the document');
});
const names = [...(await readGuides()).keys()];

async function read(name: string) {
  const { statusCode, body, headers } = await app.inject(`/docs/guides/${name}`);
  assert.equal(statusCode, 200, name);
  return { body, headers, ids: new Set(Array.from(body.matchAll(/ id="([^"]+)"/g), ([, id]) => id)) };
}

test('every link between guides leads to a guide, and to a heading that it has', async () => {
  assert.ok(names.length > 50);
  const pages = new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
  for (const [from, { body, ids }] of pages) {
    for (const [, href = ''] of body.matchAll(/<a href="([^"]*)"/g)) {
      if (/^https?:/.test(href) || ELSEWHERE.includes(href)) continue;
      const [, name, anchor] = /^(?:\/docs\/guides\/([^#]+))?(?:#(.+))?$/.exec(href) ?? [];
      const there = name === undefined ? ids : pages.get(name)?.ids;
      assert.ok(there !== undefined, `${from}: ${href}`);
      assert.ok(anchor === undefined || there.has(anchor), `${from}: ${href}`);
    }
  }
});

test('a guide is a page of its own: nothing comes from elsewhere, and no script runs', async () => {
  const { body, headers } = await read('portal');
  assert.doesNotMatch(body, /<(img|script|link|iframe)\b/);
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
  assert.match(body, /<h1>The web portal<\/h1>/);
  assert.match(body, /aria-current="page">The web portal</);
});

test('the list of guides has each but the decisions, which guides lead to', async () => {
  const { body } = await app.inject('/docs/guides');
  for (const name of names) {
    assert.equal(body.includes(`href="/docs/guides/${name}"`), !name.startsWith('adr/'), name);
  }
});

test('other files are none', async () => {
  for (const path of ['none', '../package', '..%2fREADME', 'portal/overview-light-1440', 'alerts.md']) {
    assert.equal((await app.inject(`/docs/guides/${path}`)).statusCode, 404, path);
  }
});
