import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { type Answer, eventually, freshNumber, wrongCode } from './client.ts';
import { LANGUAGES, missing, readSamples, runSample, trust } from './samples.ts';
import { isOwnService, openTarget } from './target.ts';

const { baseUrl, ca, client, testKey } = await openTarget();

interface Reference {
  readonly $ref?: string;
}
interface Response extends Reference {
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, { readonly schema: object }>;
}
interface Operation {
  readonly security?: Record<string, unknown>[];
  readonly requestBody?: unknown;
  readonly responses: Record<string, Response>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly security?: Record<string, unknown>[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly securitySchemes: Record<string, { type: string; scheme: string }> };
}

const page = await client.get('/openapi.json', { key: null });
const document: Document = JSON.parse(page.text);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

function resolve(pointer: string): unknown {
  let node: unknown = document;
  for (const step of pointer.replace(/^#\//, '').split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    node = typeof node === 'object' && node !== null ? Reflect.get(node, name) : undefined;
  }
  return node;
}

/** A schema with every reference replaced by what it refers to. */
function inline(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inline);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string') return inline(resolve(node.$ref));
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value)]));
}

test('is OpenAPI 3.1 whose references all resolve', () => {
  assert.equal(page.status, 200);
  assert.match(page.headers['content-type'] ?? '', /^application\/(openapi\+)?json/);
  assert.match(document.openapi, /^3\.1\.\d+$/);
  assert.ok(document.info.title && document.info.version);
  for (const [, pointer = ''] of page.text.matchAll(/"\$ref":"([^"]+)"/g)) {
    assert.notEqual(resolve(pointer), undefined, pointer);
  }
  for (const { url } of document.servers ?? []) assert.ok(!URL.canParse(url), 'no host is written into it');
});

test('says that the API key is a bearer token', () => {
  const schemes = Object.entries(document.components.securitySchemes).filter(([name]) => name !== 'session');
  assert.ok(schemes.length > 0);
  for (const [name, { type, scheme }] of schemes) assert.deepEqual([type, scheme], ['http', 'bearer'], name);
  for (const path of ['/verify', '/confirm']) {
    const security = document.paths[path]?.post?.security ?? document.security ?? [];
    assert.ok(
      security.some((requirement) => schemes.some(([name]) => name in requirement)),
      path,
    );
  }
});

test('documents the closed set of statuses of each operation', () => {
  const statuses = (path: string) => Object.keys(document.paths[path]?.post?.responses ?? {}).sort();
  const unexpected = (path: string) => statuses(path).filter((status) => status !== '500');
  assert.deepEqual(unexpected('/verify'), ['200', '400', '401', '409', '422', '429', '503']);
  assert.deepEqual(unexpected('/confirm'), ['200', '400', '401', '403', '404', '409', '422', '503']);
});

test('documents the fields that limits and challenges carry', () => {
  const headers = (path: string, status: string) =>
    Object.keys(document.paths[path]?.post?.responses[status]?.headers ?? {}).map((name) =>
      name.toLowerCase(),
    );
  for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy']) {
    assert.ok(headers('/verify', '429').includes(name), name);
  }
  assert.ok(headers('/verify', '503').includes('retry-after'));
  assert.ok(headers('/confirm', '401').includes('www-authenticate'));
});

/** Checks an answer against the schema documented for its operation, status and media type. */
function assertDocumented(path: string, method: string, answer: Answer): void {
  const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  const response = document.paths[path]?.[method]?.responses[String(answer.status)];
  const schema = response?.content?.[type]?.schema;
  assert.ok(schema !== undefined, `${method} ${path} ${answer.status} ${type} is not documented`);
  const resolved = inline(schema);
  assert.ok(typeof resolved === 'object' && resolved !== null);
  assert.ok(Compile(resolved).Check(JSON.parse(answer.text)), `${method} ${path}: ${answer.text}`);
}

test('the operations answer as documented', async () => {
  const destination = freshNumber();
  const headers = { 'idempotency-key': `documented-${destination}` };
  const verified = await client.verify(destination, 'sms', { headers });
  assertDocumented('/verify', 'post', verified);
  assertDocumented('/verify', 'post', await client.verify(freshNumber(), 'sms', { headers }));
  assertDocumented('/verify', 'post', await client.post('/verify', {}));
  assertDocumented('/verify', 'post', await client.post('/verify', {}, { key: null }));
  assertDocumented('/verify', 'post', await client.verify('+15005550006', 'sms', { key: testKey }));

  const { id, code } = await client.issue(destination);
  assertDocumented('/confirm', 'post', await client.confirm(id, wrongCode(code)));
  assertDocumented('/confirm', 'post', await client.confirm(id, code));
  assertDocumented('/confirm', 'post', await client.confirm(id, code));
  assertDocumented('/confirm', 'post', await client.confirm('nonsense', code));
  assertDocumented('/confirm', 'post', await client.post('/confirm', {}));
  assertDocumented('/confirm', 'post', await client.post('/confirm', {}, { key: null }));
  assertDocumented('/simulator/messages', 'get', await client.get('/simulator/messages'));
  for (const wanted of [id, 'nonsense', 'i'.repeat(65)]) {
    const answer = await client.get(`/verifications/${wanted}`);
    assertDocumented('/verifications/{id}', 'get', answer);
  }
});

test('/docs is a page that loads nothing from elsewhere', async () => {
  const docs = await client.get('/docs', { key: null });
  assert.equal(docs.status, 200);
  assert.match(docs.headers['content-type'] ?? '', /^text\/html/);
  assert.match(String(docs.headers['content-security-policy']), /default-src 'none'/);
  assert.doesNotMatch(docs.text, /<script>|javascript:|<(?:script|link|img)[^>]+(?:src|href)="(?!\/)/i);
  for (const { path } of operations.filter(({ method }) => method === 'post')) {
    assert.ok(docs.text.includes(path), path);
  }
  for (const name of ['code-mismatch', 'attempts-exhausted', 'verification-expired', 'https-required']) {
    assert.ok(docs.text.includes(name), name);
  }
});

test('the samples on /docs verify a telephone, in each language', async (t) => {
  const samples = readSamples((await client.get('/docs', { key: null })).text);
  const shown = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-samples-'));
  t.after(() => rm(folder, { recursive: true }));
  const env = {
    ...{ COUNTERSIGN_URL: baseUrl, COUNTERSIGN_API_KEY: testKey },
    ...(ca !== undefined && (await trust(ca, folder))),
  };
  const example = { id: /ver_[0-9a-f]{32}/g, code: /\b123456\b/g };
  for (const language of LANGUAGES) {
    await t.test(language, { skip: missing(language) }, async () => {
      const own = new Map(
        samples.filter((sample) => sample.language === language).map((sample) => [sample.operation, sample]),
      );
      assert.deepEqual([...own.keys()], shown);
      const filled = { id: '', code: '' };
      const run = async (operation: string, status = 200) => {
        const sample = own.get(operation);
        assert.ok(sample !== undefined, operation);
        const code = sample.code.replace(example.id, filled.id).replace(example.code, filled.code);
        return runSample({ ...sample, code }, folder, env, status);
      };
      filled.id = /ver_[0-9a-f]{32}/.exec(await run('POST /verify'))?.[0] ?? '';
      const arrived = async () => {
        const { text } = await client.get('/simulator/messages', { key: testKey });
        const messages: { id: string; code: string }[] = JSON.parse(text);
        return messages.find(({ id }) => id === filled.id)?.code;
      };
      const right = (await eventually(arrived)) ?? '';
      filled.code = wrongCode(right);
      assert.match(await run('POST /confirm', 403), /code-mismatch/, 'what went wrong is shown');
      filled.code = right;
      const messages = await run('GET /simulator/messages');
      assert.ok(messages.includes(filled.id) && messages.includes(filled.code), messages);
      assert.match(await run('POST /confirm'), /confirmed_at/);
      const rest: [string, RegExp][] = [
        ['GET /verifications/{id}', /confirmed/],
        ['GET /healthz', /ok/],
        ['GET /readyz', /ready/],
      ];
      // Only the service's own machine may read the metrics.
      if (isOwnService) rest.push(['GET /metrics', /# TYPE/]);
      await Promise.all(
        rest.map(async ([operation, expected]) => assert.match(await run(operation), expected)),
      );
    });
  }
});
