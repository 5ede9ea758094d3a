import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fastify from 'fastify';
import type { OpenApiDocument } from '../openapi.ts';
import { PROBLEM_NAMES, PROBLEMS, problemPath } from '../problem.ts';
import { registerReference } from '../routes/reference.ts';
import { GUIDE_GROUPS } from './guide-groups.ts';
import { readLibrary } from './guides.ts';
import { partsOfGuide } from './markdown.ts';
import { SYNONYMS } from './synonyms.ts';

/** Pages beside the guides, which they lead to. */
const OTHERS = ['/docs', '/docs/guides', ...PROBLEM_NAMES.map(problemPath)];

const DOCUMENT: OpenApiDocument = {
  info: { title: 'Test', version: '1.2.3', description: 'A test.' },
  tags: [{ name: 'verification' }],
  paths: {
    '/verify': { post: { summary: 'Request a verification', tags: ['verification'], responses: {} } },
  },
};
const app = fastify();
registerReference(app, () => DOCUMENT, true);
const { guides, pictures } = await readLibrary();

async function read(address: string) {
  const { statusCode, body, headers } = await app.inject(address);
  assert.equal(statusCode, 200, address);
  const ids = Array.from(body.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);
  return { body, headers, ids };
}

test('every link of every page leads to a page, and to a part that it has', async () => {
  const addresses = [...OTHERS, ...[...guides.keys()].map((name) => `/docs/guides/${name}`)];
  assert.ok(addresses.length > 80);
  const pages = new Map(await Promise.all(addresses.map(async (at) => [at, await read(at)] as const)));
  for (const [from, { body, ids }] of pages) {
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
      `${from}: each part has a name of its own`,
    );
    for (const [, href = ''] of body.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      if (/^https?:/.test(href) || ['/portal/', '/openapi.json'].includes(href)) continue;
      const [address = '', anchor] = href.split('#');
      const there = pages.get(address === '' ? from : address);
      assert.ok(there !== undefined, `${from}: ${href}`);
      assert.ok(anchor === undefined || there.ids.includes(anchor), `${from}: ${href}`);
    }
  }
});

test('each guide but the decisions stands in one group', () => {
  const grouped = GUIDE_GROUPS.flatMap(({ names }) => names);
  assert.deepEqual(grouped.toSorted(), [...guides.keys()].filter((name) => !name.startsWith('adr/')).sort());
});

test('a guide is marked where it stands in the navigation, and no other', async () => {
  const { body } = await read('/docs/guides/portal');
  assert.match(body, /<h1>The web portal<\/h1>/);
  assert.deepEqual(
    Array.from(body.matchAll(/<a href="([^"]+)" aria-current="page">/g), ([, href]) => href),
    ['/docs/guides/portal'],
  );
  assert.match(body, /<details open><summary>Start<\/summary>/);
});

test('the headings that are found without making the page are those that it has', async () => {
  for (const guide of guides.values()) {
    const { body } = await read(`/docs/guides/${guide.name}`);
    const shown = Array.from(body.matchAll(/<h[234] id="([^"]+)">/g), ([, id]) => id);
    assert.deepEqual(
      partsOfGuide(guide).map(({ id }) => id),
      shown,
      guide.name,
    );
  }
});

type Entry = [address: string, title: string, about: string, also: string];

test('the search knows each operation, guide, heading, option and problem, and leads to each', async () => {
  const { body, headers } = await read('/docs/search.json');
  const entries: Entry[] = JSON.parse(body);
  assert.ok(entries.length > 400);
  assert.match(String(headers['content-type']), /^application\/json/);
  for (const [address, title, about] of entries) {
    const [path = '', anchor] = address.split('#');
    const { ids } = await read(path);
    assert.ok(anchor === undefined || ids.includes(anchor), address);
    assert.ok(title !== '' && about !== '', address);
    assert.doesNotMatch(title, /[`*]|\]\(/);
  }
  for (const wanted of [
    ['/docs#verify', 'POST /verify', 'Request a verification'],
    ['/docs/guides/carriers', 'Carriers', 'Sending'],
    ['/docs/guides/configuration#limits', 'limits.sendsPerDestination', 'Configuration · limits'],
    ['/docs/guides/configuration#general', 'publicUrl', 'Configuration · General'],
    [
      '/docs/guides/configuration#carriersname-type-smpp',
      'carriers.NAME.systemId',
      'Configuration · carriers.NAME, type smpp',
    ],
    ['/docs/guides/portal#single-sign-on', 'Single sign-on', 'The web portal'],
    ['/problems/code-mismatch', 'code-mismatch', PROBLEMS['code-mismatch'].title],
  ]) {
    assert.ok(
      entries.some((entry) => entry.slice(0, 3).join() === wanted.join()),
      wanted.join(),
    );
  }
});

test('the search finds options by their environment variables, and parts by words that newcomers have', async () => {
  const { body } = await read('/docs/search.json');
  const entries: Entry[] = JSON.parse(body);
  for (const [word, title] of [
    ['COUNTERSIGN_DATA_DIR', 'dataDir'],
    ['docker', 'Container'],
    ['nginx', 'Behind a proxy'],
    ['helm', 'Kubernetes'],
    ['install', 'npm package'],
    ['sms pumping', 'The guard'],
    ['toll fraud', 'The guard'],
    ['sso', 'Single sign-on'],
    ['gdpr', 'Personal data'],
    ['forgot password', 'Lost access'],
    ['demo', 'A look at it with traffic'],
    ['locked', 'Lost access'],
    ['stop', 'What people send back'],
    ['csk_test', 'Test keys'],
  ] as const) {
    assert.ok(
      entries.some(([, name, , also]) => name === title && also.includes(word)),
      word,
    );
  }
  const addresses = new Set(entries.map(([address]) => address));
  assert.deepEqual(
    Object.keys(SYNONYMS).filter((address) => !addresses.has(address)),
    [],
    'each of these parts exists',
  );
});

test('pictures are shown with their size, are kept by browsers, and stand nowhere else', async () => {
  assert.equal(pictures.size, 8);
  const { body } = await read('/docs/guides/portal');
  for (const [file, { address, width, height }] of pictures) {
    const [tag = ''] = body.match(new RegExp(`<img src="${address}"[^>]*>`)) ?? [];
    assert.ok(tag.includes(` width="${width}" height="${height}" loading="lazy"`), `${file}: ${tag}`);
    assert.ok(width >= 360 && width <= 1440 && height >= 780 && height <= 900, file);
    const { headers, rawPayload } = await app.inject(address);
    assert.equal(headers['content-type'], 'image/webp');
    assert.match(String(headers['cache-control']), /immutable/);
    assert.deepEqual(rawPayload, readFileSync(new URL(`../../../docs/${file}`, import.meta.url)));
  }
});

test('an address that is nearly one leads to the page', async () => {
  for (const [from, to] of [
    ['/docs/', '/docs'],
    ['/docs/guides/', '/docs/guides'],
    ['/docs/guides/alerts/?a=b', '/docs/guides/alerts'],
    ['/docs/guides/recipes', '/docs/guides/recipes/README'],
    ['/problems', '/docs#problems'],
    ['/problems/', '/docs#problems'],
  ] as const) {
    const { statusCode, headers } = await app.inject(from);
    assert.deepEqual([statusCode, headers.location], [308, to], from);
  }
});

test('where nothing stands, people get a page, and programs a problem', async () => {
  const ask = (accept: string) => app.inject({ url: '/docs/guides/none', headers: { accept } });
  const page = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
  assert.equal(page.statusCode, 404);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'/);
  assert.equal(page.headers.etag, undefined);
  assert.match(page.body, /<h1>There is no such page<\/h1>/);
  assert.match(page.body, /<nav class="contents"/);
  assert.match(page.body, /<button class="find"/);
  const problem = await ask('*/*');
  assert.equal(problem.statusCode, 404);
  assert.equal(problem.headers['content-type'], 'application/problem+json');
  for (const { headers } of [page, problem]) assert.match(String(headers.vary), /^accept,/);
});

test('each cell of a table says in which column it is', async () => {
  const { body } = await read('/docs/guides/configuration');
  assert.match(body, /<th role="columnheader">Option<\/th>/);
  assert.match(body, /<td role="cell" data-label="Option"><code>sendsPerDestination<\/code><\/td>/);
  assert.doesNotMatch(body, /<td role="cell"><code>|<td>/);
});

test('other files are none', async () => {
  for (const path of [
    ...['guides/none', 'guides/../package', 'guides/..%2fREADME', 'guides/portal/overview'],
    ...['pictures/overview.webp', 'pictures/..%2fapi.md', 'pictures/', 'script.js', 'browser/script.js'],
  ]) {
    assert.equal((await app.inject(`/docs/${path}`)).statusCode, 404, path);
  }
});
