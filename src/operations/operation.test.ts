/** Its schemas bind an operation. What must not compile stands under `@ts-expect-error`: tsc fails if it does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import Type from 'typebox';
import { DONE, NoContent } from './conventions.ts';
import { type NamesOf, operationsWith, type PathWith, type PortalCall } from './operation.ts';
import { refuse, refuseBusy } from './refusal.ts';

const operation = operationsWith<object>();
const TEXT = { summary: 'Try', description: 'For this test.' };
const Named = Type.Object({ name: Type.String() });
const GIVEN = { ...TEXT, response: { 200: Named } };
const SILENT = { ...TEXT, response: { 204: NoContent } };
const ELSEWHERE = { ...TEXT, response: { 303: Type.Null() } };
const FILE = { ...TEXT, response: { 200: { content: { 'text/csv': { schema: Type.String() } } } } };

test('a handler answers what its schema says, or refuses', () => {
  operation({ ...GIVEN, handler: async () => ({ name: 'Ada' }) });
  operation({ ...GIVEN, handler: () => refuse('not-found') });
  operation({ ...GIVEN, handler: async () => (Math.max() > 0 ? refuseBusy() : { name: 'Ada' }) });
  // @ts-expect-error: not what the schema says
  operation({ ...TEXT, response: { 200: Named }, handler: async () => ({ nonsense: true }) });
  // @ts-expect-error: a wrong type, deep in it
  operation({ ...TEXT, response: { 200: Type.Array(Named) }, handler: async () => [{ name: 1 }] });
  // @ts-expect-error: nothing
  operation({ ...GIVEN, handler: async () => DONE });
  // @ts-expect-error: an unknown problem
  operation({ ...GIVEN, handler: () => refuse('nonsense') });
});

test('an operation whose answer is nothing, an address or a file answers that', () => {
  operation({ ...SILENT, handler: async () => DONE });
  operation({ ...ELSEWHERE, handler: async () => '/portal/' });
  operation({ ...FILE, handler: async () => 'a,b\n' });
  // @ts-expect-error: an answer where there is none
  operation({ ...SILENT, handler: async () => ({ nonsense: true }) });
  // @ts-expect-error: no address
  operation({ ...ELSEWHERE, handler: async () => ({ url: '/portal/' }) });
  // @ts-expect-error: no text
  operation({ ...FILE, handler: async () => ({ name: 'Ada' }) });
  // @ts-expect-error: a status that no operation answers
  operation({ ...TEXT, response: { 299: Named }, handler: async () => ({ name: 'Ada' }) });
});

test('a handler returns its answer: it cannot send one past its schema', () => {
  // @ts-expect-error: only headers are set by hand
  operation({ ...GIVEN, handler: async (_request, _portal, reply) => reply.send({ nonsense: true }) });
  // @ts-expect-error: the same by another way
  operation({ ...GIVEN, handler: async (_request, _portal, reply) => reply.header('a', 'b') });
});

test('a handler reads what its schemas say, and no more', () => {
  operation({
    ...GIVEN,
    params: { id: Type.String() },
    querystring: Type.Object({ before: Type.Optional(Type.String()) }),
    body: Named,
    handler: async ({ params, query, body }) => {
      const name: string = params.id + (query.before ?? '') + body.name;
      // @ts-expect-error: not named by the operation
      void params.account;
      // @ts-expect-error: not in the query
      void query.after;
      // @ts-expect-error: not a number
      const age: number = body.name;
      return { name: `${name}${age}` };
    },
  });
  // @ts-expect-error: there is no body
  operation({ ...GIVEN, handler: async ({ body }) => ({ name: body.name }) });
  // @ts-expect-error: nor names in the path
  operation({ ...GIVEN, handler: async ({ params }) => ({ name: params.id }) });
});

test('a path has every name that its operation reads', () => {
  const one = operation({
    ...GIVEN,
    params: { id: Type.String() },
    handler: async ({ params }) => ({ name: params.id }),
  });
  type Path = PathWith<NamesOf<typeof one>>;
  const good: Path[] = ['keys/:id', 'keys/:id/rotate'];
  // @ts-expect-error: the path lacks it
  good.push('keys');
  // @ts-expect-error: a longer name that begins with it
  good.push('keys/:identity');
  const two: PathWith<'id' | 'message'>[] = ['a/:id/b/:message'];
  // @ts-expect-error: only one of two
  two.push('a/:id');
  type Taken = PortalCall<'accounts/:account/keys/:id', typeof one>;
  const call: Taken = {
    ...{ params: { account: 'acc', id: 'key' }, query: undefined, body: undefined },
    answer: { name: 'Ada' },
  };
  // @ts-expect-error: a string
  const age: number = call.answer.name;
  assert.equal(age, 'Ada');
});

type Tried = ReturnType<typeof operation>;

/** What it answers to a GET. */
async function ask(asked: Tried) {
  const app = fastify();
  asked.register(
    app,
    {},
    {
      ...{ method: 'GET', url: '/it/:id', params: { id: Type.String({ maxLength: 3 }) } },
      ...{ onRequest: (_request, _reply, done) => done(), schema: {}, problems: [] },
    },
  );
  return app.inject('/it/one');
}

test('the status of an answer is that of its schema', async () => {
  const statusOf = async (asked: Tried) => (await ask(asked)).statusCode;
  assert.equal(await statusOf(operation({ ...GIVEN, handler: async () => ({ name: 'Ada' }) })), 200);
  const made = { ...TEXT, response: { 201: Named } };
  assert.equal(await statusOf(operation({ ...made, handler: async () => ({ name: 'Ada' }) })), 201);
  assert.equal(await statusOf(operation({ ...SILENT, handler: async () => DONE })), 204);
  assert.equal(await statusOf(operation({ ...GIVEN, handler: () => refuse('not-found') })), 404);
  assert.equal((await ask(operation({ ...GIVEN, handler: refuseBusy }))).headers['retry-after'], '1');
  const sent = await ask(operation({ ...ELSEWHERE, handler: async () => '/portal/' }));
  assert.deepEqual([sent.statusCode, sent.headers.location], [303, '/portal/']);
});
