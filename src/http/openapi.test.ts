import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import project from '../../package.json' with { type: 'json' };
import { assertWellDescribed } from '../../test/openapi-rules.ts';
import { FIELD_ERROR_CODES } from '../core/errors/field-error.ts';
import { createFixture } from './fixture.ts';
import type { OpenApiDocument, Schema } from './openapi.ts';
import { PROBLEM_NAMES, problemPath } from './problem.ts';

const STATUSES: Record<string, string[]> = {
  'post /verify': ['200', '400', '401', '409', '422', '429', '500', '503'],
  'post /confirm': ['200', '400', '401', '403', '404', '409', '422', '500', '503'],
  'get /verifications/{id}': ['200', '400', '401', '404', '429', '500', '503'],
  'post /verifications/{id}/feedback': ['200', '400', '401', '404', '429', '500', '503'],
  'get /simulator/messages': ['200', '400', '401', '500', '503'],
  'get /healthz': ['200', '400', '500'],
  'get /readyz': ['200', '400', '500', '503'],
  'get /metrics': ['200', '400', '401', '500'],
};

interface Components {
  readonly components: {
    readonly schemas: {
      readonly Problem: {
        readonly properties: {
          readonly type: Schema;
          readonly errors: { readonly items: { readonly properties: { readonly code: Schema } } };
        };
      };
    };
  };
}

/** Every value under every `$ref` of a document. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
  );
}

function resolve(document: unknown, reference: string): unknown {
  const path = reference.replace(/^#\//, '').split('/');
  return path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
}

describe('the OpenAPI document', () => {
  it('lists every operation with every status and names no host', async (t) => {
    const { app } = await createFixture(t);
    const answer = await app.inject('/openapi.json');
    assert.match(String(answer.headers['content-type']), /^application\/json/);
    const document = answer.json<OpenApiDocument & { openapi: string; servers: { url: string }[] }>();
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.version, project.version);
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      ['/'],
    );
    const found = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { responses }]) => [
        `${method} ${path}`,
        Object.keys(responses).sort(),
      ]),
    );
    assert.deepEqual(Object.fromEntries(found), STATUSES);
  });

  it('resolves each reference, and its examples are problems of their status', async (t) => {
    const { app } = await createFixture(t);
    const document = (await app.inject('/openapi.json')).json<OpenApiDocument>();
    const found = references(document);
    assert.ok(found.length > 0);
    for (const reference of found) assert.ok(resolve(document, reference), reference);
    for (const operations of Object.values(document.paths)) {
      for (const { responses } of Object.values(operations)) {
        for (const [status, { content, headers }] of Object.entries(responses)) {
          const examples = content?.['application/problem+json']?.examples ?? {};
          for (const [name, { value }] of Object.entries(examples)) {
            const { type, status: shown } = value as { type: string; status: number };
            assert.deepEqual([type, String(shown)], [`/problems/${name}`, status]);
          }
          if (status === '429' || status === '503') {
            assert.equal('Retry-After' in (headers ?? {}), Object.keys(examples).length > 0);
          }
        }
      }
    }
  });

  it('lists every kind of problem and every reason for refusing a field', async (t) => {
    const { app } = await createFixture(t);
    const document = (await app.inject('/openapi.json')).json<Components>();
    const { type, errors } = document.components.schemas.Problem.properties;
    assert.deepEqual(type.enum, PROBLEM_NAMES.map(problemPath));
    assert.deepEqual(errors.items.properties.code.enum, Object.keys(FIELD_ERROR_CODES));
  });

  it('says what linters ask for', async (t) => {
    const { app } = await createFixture(t);
    assertWellDescribed((await app.inject('/openapi.json')).json<OpenApiDocument>());
  });

  it('is built once', async (t) => {
    const { app } = await createFixture(t);
    const [first, second] = [
      (await app.inject('/openapi.json')).body,
      (await app.inject('/openapi.json')).body,
    ];
    assert.equal(first, second);
  });
});

describe('the reference page', () => {
  it('shows every operation and problem, under a policy that allows only files of the service', async (t) => {
    const { app } = await createFixture(t);
    const { body, headers } = await app.inject('/docs');
    assert.match(String(headers['content-type']), /^text\/html/);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; /);
    for (const operation of Object.keys(STATUSES)) {
      const [method = '', path = ''] = operation.split(' ');
      assert.ok(body.includes(`${method.toUpperCase()} ${path}`), operation);
    }
    for (const name of PROBLEM_NAMES) assert.ok(body.includes(name), name);
    for (const code of Object.keys(FIELD_ERROR_CODES)) assert.ok(body.includes(`<code>${code}</code>`), code);
    assert.doesNotMatch(body, /<script>|style=|onclick|https?:\/\//);
    assert.ok(body.includes('Idempotency-Key'));
    assert.ok(body.includes('&#60;API_KEY&#62;'));
  });

  it('has a page where each problem’s type leads', async (t) => {
    const { app } = await createFixture(t);
    for (const name of PROBLEM_NAMES) {
      const { statusCode, body } = await app.inject(problemPath(name));
      assert.equal(statusCode, 200);
      assert.ok(body.includes(name));
    }
  });
});
