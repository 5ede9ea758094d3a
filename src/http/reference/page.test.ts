import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { createFixture } from '../fixture.ts';
import type { OpenApiDocument, Schema } from '../openapi.ts';
import { registerReference } from '../routes/reference.ts';
import { exampleOf } from './example.ts';
import { readReference, renderReference } from './page.ts';

const DOCUMENT: OpenApiDocument = {
  info: { title: 'Test', version: '1.2.3', description: 'A test.' },
  tags: [
    { name: 'second', description: 'Comes first.' },
    { name: 'first', description: 'Comes second.' },
  ],
  paths: {
    '/a': { get: { summary: 'A', tags: ['first'], responses: {} } },
    '/b/{id}': {
      post: {
        summary: 'B <b>',
        tags: ['second'],
        security: [{ apiKey: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'one two' },
          { name: 'to', in: 'query', schema: { type: 'string' }, example: '+1' },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['kind'],
                properties: {
                  kind: { type: 'string', enum: ['x', 'y'] },
                  note: { type: 'string', minLength: 1, maxLength: 9, examples: ['it’s <new>'] },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'Done.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    tries: {
                      type: 'array',
                      items: {
                        type: 'object',
                        required: ['at'],
                        properties: { at: { type: 'string', format: 'date-time', examples: ['noon'] } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

test('groups come in the order of the tags', () => {
  const page = renderReference(readReference(DOCUMENT)).content;
  assert.ok(page.indexOf('Comes first.') < page.indexOf('id="b-id"'));
  assert.ok(page.indexOf('id="b-id"') < page.indexOf('Comes second.'));
  assert.ok(page.indexOf('Comes second.') < page.indexOf('id="a"'));
});

test('a new field shows up by itself, with its type, its values, an example, and whether it must be there', () => {
  const page = renderReference(readReference(DOCUMENT)).content;
  for (const shown of [
    '<code>kind</code> <span class="type">string</span> <strong>required</strong>',
    'One of <code>x</code> <code>y</code>',
    '<code>note</code> <span class="type">string, 1 to 9 characters</span> <span class="type">optional</span>',
    '<code>tries</code> <span class="type">list, each object</span> <span class="type">not always</span>',
    '<code>tries[].at</code> <span class="type">string, date-time</span> <strong>always</strong>',
    'Example: <code>noon</code>',
    'B &#60;b&#62;',
    // The sample and the example of the answer.
    '/b/one%20two?to=%2B1',
    "-d '{&#34;kind&#34;: &#34;x&#34;, &#34;note&#34;: &#34;it’s &#60;new&#62;&#34;}'",
    '      &#34;at&#34;: &#34;noon&#34;',
  ]) {
    assert.ok(page.includes(shown), shown);
  }
});

test('each link within the page leads to one heading', async (t) => {
  const { app } = await createFixture(t);
  const { body } = await app.inject('/docs');
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
  const wanted = [...body.matchAll(/(?:href="(?:\/docs)?#|labelledby=")([^"]+)"/g)].map(([, id]) => id);
  assert.ok(wanted.length > 40);
  assert.deepEqual(
    wanted.filter((id) => !ids.includes(id)),
    [],
  );
});

test('every field and every answer of the document has an example', async (t) => {
  const { app } = await createFixture(t);
  const { paths } = (await app.inject('/openapi.json')).json<OpenApiDocument>();
  const bare: string[] = [];
  const visit = (at: string, schema: Schema) => {
    const { items, properties } = schema;
    for (const [name, part] of Object.entries(properties ?? {})) visit(`${at}.${name}`, part);
    if (items !== undefined) visit(`${at}[]`, items);
    if (exampleOf(schema) === undefined) bare.push(at);
  };
  for (const [path, operations] of Object.entries(paths)) {
    for (const { requestBody, responses } of Object.values(operations)) {
      const answers = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
      for (const { schema } of Object.values(requestBody?.content ?? {})) visit(path, schema);
      for (const { schema, example, examples } of answers) {
        if (example === undefined && examples === undefined) visit(path, schema);
      }
    }
  }
  assert.deepEqual(bare, []);
});

test('is made when it is first asked for, and once for each document', async (t) => {
  let asked = 0;
  let looks = 0;
  const counted = () => ({
    ...DOCUMENT,
    get paths() {
      looks += 1;
      return DOCUMENT.paths;
    },
  });
  let document = counted();
  const app = fastify();
  t.after(() => app.close());
  const describe = () => {
    asked += 1;
    return document;
  };
  registerReference(app, describe, false);
  await app.ready();
  assert.equal(asked, 0);
  const read = async () => (await app.inject('/docs')).body;
  const page = await read();
  const looksOfOne = looks;
  assert.ok(looksOfOne > 0);
  assert.equal(await read(), page);
  assert.equal(looks, looksOfOne);
  document = counted();
  await read();
  assert.equal(looks, 2 * looksOfOne);
});
