import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { OutcomeUnknown, StoreUnavailable } from '../../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import type { Callback, CallbackAnswer, Carrier } from '../../core/sending/carrier.ts';
import { createFixture, createTestLog } from '../fixture.ts';
import { createReceiptHandler, registerCarrierReceipts } from './carrier-receipts.ts';

const CALLBACK: Callback = { method: 'POST', url: 'https://x', headers: {}, body: Buffer.alloc(0) };
const GENUINE: CallbackAnswer = { kind: 'receipts', receipts: [] };

/** Carriers of one name, the newest first; undefined: one that makes no callbacks. */
function read(...answers: (CallbackAnswer | undefined)[]) {
  const asked: number[] = [];
  const carriers = answers.map(
    (answer, index): Carrier => ({
      name: 'a',
      concurrency: 1,
      start: () => {},
      submit: () => ({ kind: 'delivered' }),
      check: async () => ({ ok: true, detail: '' }),
      stop: async () => {},
      ...(answer !== undefined && {
        readCallback: () => {
          asked.push(index);
          return answer;
        },
      }),
    }),
  );
  const none = async () => {};
  const handler = createReceiptHandler('https://x', () => carriers, {
    ...{ receive: none, hear: none, unusable() {} },
    isElsewhere: async () => false,
  });
  return { answer: handler?.read('a', CALLBACK), asked };
}

test('a receipt that the newest takes for forged is shown to the ones before it, and no other', async () => {
  const forged: CallbackAnswer = { kind: 'forged' };
  const { answer, asked } = read(forged, forged, GENUINE, GENUINE);
  assert.equal(await answer, GENUINE);
  assert.deepEqual(asked, [0, 1, 2]);
  assert.deepEqual(await read(forged, forged).answer, forged);
  for (const kind of ['unavailable', 'receipts'] as const) {
    const said: CallbackAnswer = kind === 'receipts' ? GENUINE : { kind };
    const asking = read(said, GENUINE);
    assert.equal(await asking.answer, said);
    assert.deepEqual(asking.asked, [0]);
  }
});

test('one alone answers at once, and where none makes callbacks there is no answer', async () => {
  assert.equal(read(GENUINE).answer, GENUINE);
  assert.equal(read().answer, undefined);
  assert.equal(read(undefined).answer, undefined);
  assert.equal(read(undefined, GENUINE).answer, GENUINE);
});

test('of several in one request each is kept, and what people say in the order in which they said it', async () => {
  const done: string[] = [];
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  let answer: CallbackAnswer = GENUINE;
  const app = fastify();
  const handler = {
    acknowledge: () => 204 as const,
    largest: () => undefined,
    publicUrl: 'https://x',
    isElsewhere: async () => false,
    read: () => answer,
    receive: async ({ references }: { readonly references: readonly string[] }) => {
      await settled();
      done.push(`kept ${references}`);
    },
    unusable: (carrier: string, why: string, count = 1) => void done.push(`${count} of ${carrier} ${why}`),
    hear: async ({ text }: { readonly text: string }) => {
      done.push(`heard ${text}`);
      await settled();
      done.push(`obeyed ${text}`);
    },
  };
  registerCarrierReceipts(app, handler, {}, { clock: SYSTEM_CLOCK, log: createTestLog() });
  const post = async (said: CallbackAnswer) => {
    answer = said;
    const { statusCode } = await app.inject({ method: 'POST', url: '/carriers/a/receipts' });
    return [statusCode, ...done.splice(0)];
  };
  const messages = ['STOP', 'START'].map((text) => ({ carrier: 'a', from: '+14155550123', text }));
  assert.deepEqual(await post({ kind: 'messages', messages }), [
    ...[204, 'heard STOP', 'obeyed STOP', 'heard START', 'obeyed START'],
  ]);
  const receipts = (['r1', 'r2'] as const).map((reference) => ({
    ...({ carrier: 'a', references: [reference], status: 'delivered' } as const),
  }));
  assert.deepEqual(await post({ kind: 'receipts', receipts }), [204, 'kept r1', 'kept r2']);
  // What says nothing about a message is counted.
  assert.deepEqual(await post({ kind: 'receipts', receipts: [], unreadable: 2 }), [204, '2 of a unreadable']);
  assert.deepEqual(await post({ kind: 'malformed', detail: 'needs an id' }), [400, '1 of a unreadable']);
  assert.deepEqual(await post({ kind: 'forged' }), [403, '1 of a forged']);
  assert.deepEqual(await post({ kind: 'receipts', receipts: [] }), [204]);
  await app.close();
});

test('a carrier that takes only 200 for a success gets it, and a challenge is sent back as plain text', async () => {
  const none = async () => {};
  let answer: CallbackAnswer = GENUINE;
  const carrierOf = (name: string, acknowledge?: 200): Carrier => ({
    ...{ name, concurrency: 1, start() {}, stop: none },
    ...{ submit: () => ({ kind: 'accepted' }), check: async () => ({ ok: true, detail: '' }) },
    readCallback: () => answer,
    ...(acknowledge && { acknowledge }),
  });
  const carriersOf = (name: string) => [carrierOf(name, name === 'strict' ? 200 : undefined)];
  const handler = createReceiptHandler('https://x', carriersOf, {
    ...{ receive: none, hear: none, unusable() {} },
    isElsewhere: async () => false,
  });
  assert.ok(handler);
  const app = fastify();
  registerCarrierReceipts(app, handler, {}, { clock: SYSTEM_CLOCK, log: createTestLog() });
  const post = (name: string) => app.inject({ method: 'POST', url: `/carriers/${name}/receipts` });
  assert.deepEqual([(await post('strict')).statusCode, (await post('usual')).statusCode], [200, 204]);
  answer = { kind: 'challenge', echo: '1158201444' };
  const { statusCode, headers, body } = await post('strict');
  assert.deepEqual([statusCode, body], [200, '1158201444']);
  assert.match(String(headers['content-type']), /^text\/plain/);
  await app.close();
});

test('a carrier that only another node has reports again; one that makes no callbacks, or that nobody has, has no address', async (t) => {
  const none = async () => {};
  const silent: Carrier = {
    ...{ name: 'silent', concurrency: 1, start() {}, stop: none },
    ...{ submit: () => ({ kind: 'accepted' }), check: async () => ({ ok: true, detail: '' }) },
  };
  const receipts = createReceiptHandler('https://x', (name) => (name === 'silent' ? [silent] : []), {
    ...{ receive: none, hear: none, unusable() {} },
    isElsewhere: async (name) => name !== 'nowhere',
  });
  assert.ok(receipts);
  const { app } = await createFixture(t, {}, { receipts });
  const post = (name: string) => app.inject({ method: 'POST', url: `/carriers/${name}/receipts` });
  const { statusCode, headers } = await post('elsewhere');
  assert.equal(statusCode, 503);
  assert.match(String(headers['retry-after']), /^[1-9]/);
  assert.deepEqual([(await post('silent')).statusCode, (await post('nowhere')).statusCode], [404, 404]);
});

test('what the store does not keep is no success, so the carrier reports it again', async (t) => {
  let answer: CallbackAnswer = GENUINE;
  const failures = new Map<string, Error>();
  const keep = async (what: string) => {
    const failure = failures.get(what);
    if (failure !== undefined) throw failure;
  };
  const { app } = await createFixture(
    t,
    {},
    {
      receipts: {
        acknowledge: () => 204,
        largest: () => undefined,
        publicUrl: 'https://x',
        isElsewhere: async () => false,
        read: () => answer,
        receive: ({ references }) => keep(references[0]),
        hear: ({ text }) => keep(text),
        unusable() {},
      },
    },
  );
  const post = async () => (await app.inject({ method: 'POST', url: '/carriers/a/receipts' })).statusCode;
  const receipts = (['r1', 'r2'] as const).map((reference) => ({
    ...({ carrier: 'a', references: [reference], status: 'delivered' } as const),
  }));
  const messages = ['STOP', 'START'].map((text) => ({ carrier: 'a', from: '+14155550123', text }));
  const both: CallbackAnswer = { kind: 'receipts', receipts, messages };
  for (const said of [{ kind: 'receipts', receipts }, { kind: 'messages', messages }, both] as const) {
    answer = said;
    const parts = [
      ...('receipts' in said ? ['r1', 'r2'] : []),
      ...('messages' in said ? ['STOP', 'START'] : []),
    ];
    for (const part of parts) {
      for (const error of [new StoreUnavailable('closed'), new OutcomeUnknown('cut')]) {
        failures.set(part, error);
        assert.equal(await post(), 503, `${said.kind}: ${part}, ${error.name}`);
      }
      failures.clear();
    }
    assert.equal(await post(), 204, said.kind);
  }
});
