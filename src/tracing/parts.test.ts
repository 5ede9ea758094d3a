/** What tracing puts around the parts of the service, where the whole service does not easily get to. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { request } from 'node:http';
import { beforeEach, suite, test } from 'node:test';
import fastify from 'fastify';
import { eventually } from '../../test/acceptance/client.ts';
import { answer, startGateway } from '../../test/carriers/gateway.ts';
import { closed } from '../../test/closed.ts';
import { newVerification } from '../../test/store/contract/rig.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import type { Carrier, Outcome, OutgoingMessage } from '../core/sending/carrier.ts';
import type { DeliveryQueue, ReceiptOutcome, Settlement } from '../core/sending/delivery.ts';
import type { Records } from '../core/sql/records.ts';
import type { VerificationStore } from '../core/verification/verification.ts';
import { traceCarrier } from './carriers.ts';
import { Journeys } from './journeys.ts';
import { createLinks } from './links.ts';
import { traceQueue } from './queue.ts';
import { traceRequests } from './requests.ts';
import { KIND, type Span, Tracer } from './span.ts';
import { createTracing } from './traced.ts';
import { traceVerifications } from './verifications.ts';

const MESSAGE: OutgoingMessage = {
  ...{ id: 'ver_1', accountId: 'acc_1', test: false, channel: 'sms', code: '123456', text: 'Code 123456' },
  ...{ locale: 'en', expiresAt: 0, destination: { kind: 'e164', address: '+4915112345678', country: 'DE' } },
};
const DEADLINE = { signal: AbortSignal.abort() };
/** A store that is away. */
const AWAY: Records = {
  random: SYSTEM_RANDOM,
  transact: async () => {
    throw new Error('away');
  },
  keysRevision: async () => 0,
};

const unused = (): never => assert.fail('not asked for');

suite('traced parts', () => {
  let ended: Span[];
  let tracer: Tracer;
  let request: Span;
  let journeys: Journeys;
  const current = new AsyncLocalStorage<Span>();
  const links = createLinks(SYSTEM_CLOCK, AWAY);

  beforeEach(() => {
    ended = [];
    tracer = new Tracer(
      { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM },
      () => true,
      (span) => ended.push(span),
    );
    request = tracer.serve({ name: 'request', kind: KIND.server, attributes: {} }, undefined);
    journeys = new Journeys();
    journeys.begin(MESSAGE.id, { request, isFresh: true });
  });

  const carrierOf = (submit: Carrier['submit']): Carrier =>
    traceCarrier(
      { name: 'smsc', concurrency: 3, start: unused, submit, check: unused, stop: unused },
      { tracer, current, journeys, links },
    );
  const queueOf = (early: readonly ReceiptOutcome[], claimed: readonly string[] = []): DeliveryQueue =>
    traceQueue(
      {
        ...{ renew: unused, reserveMore: unused, receive: unused, depth: unused },
        claim: async () =>
          claimed.map((id) => ({
            ...{ id, accountId: 'acc_1', test: false, channel: 'sms', country: 'DE', destinationSealed: '' },
            ...{
              codeSealed: '',
              detailsSealed: null,
              createdAt: 0,
              expiresAt: 0,
              settings: null,
              fence: 1,
              rounds: 1,
            },
            ...{ leg: 0, spentCarriers: [], awaited: [], keyId: '', reservation: null },
          })),
        settle: async () => [...early],
      },
      { tracer, journeys, links },
    );
  const settlement: Settlement = {
    id: MESSAGE.id,
    fence: 0,
    attempts: [],
    next: { kind: 'failed' },
    charged: [],
  };

  test('a carrier that answers at once has its span, and so does one that throws', async () => {
    const outcome: Outcome = { kind: 'permanent', reason: 'no such subscriber +4915112345678' };
    assert.equal(carrierOf(() => outcome).submit(MESSAGE, DEADLINE), outcome);
    const bug = new TypeError('a bug');
    const broken = carrierOf(() => {
      throw bug;
    });
    assert.throws(() => broken.submit(MESSAGE, DEADLINE), bug);
    await assert.rejects(async () => carrierOf(() => Promise.reject(bug)).submit(MESSAGE, DEADLINE), bug);
    assert.deepEqual(
      ended.map(({ isError, attributes }) => [
        isError,
        attributes['error.type'],
        attributes['countersign.reason'],
      ]),
      [
        [true, 'permanent', 'no such subscriber +[number]'],
        [true, 'TypeError', undefined],
        [true, 'TypeError', undefined],
      ],
    );
    assert.doesNotMatch(JSON.stringify(ended), /123456/);
  });

  test('the attempt is the context of what its carrier does, and the request’s comes back', () => {
    current.run(request, () => {
      const seen: (string | undefined)[] = [];
      carrierOf(() => {
        seen.push(current.getStore()?.name);
        return { kind: 'accepted' };
      }).submit(MESSAGE, DEADLINE);
      seen.push(current.getStore()?.name);
      assert.deepEqual(seen, ['send smsc', 'request']);
    });
  });

  test('a message that nobody traces is only handed on', () => {
    const outcome = carrierOf(() => ({ kind: 'accepted' })).submit({ ...MESSAGE, id: 'ver_2' }, DEADLINE);
    assert.deepEqual(outcome, { kind: 'accepted' });
    assert.deepEqual(ended, []);
  });

  test('a receipt that came before its attempt was written is linked to the attempt', async () => {
    carrierOf(() => ({ kind: 'accepted' })).submit(MESSAGE, DEADLINE);
    const [send] = ended;
    const receipt: ReceiptOutcome = {
      ...{ kind: 'applied', status: 'delivered', channel: 'sms', country: 'DE', carrier: 'smsc' },
      ...{ latencyMs: 3, requeued: false },
    };
    assert.deepEqual(await queueOf([receipt, { kind: 'duplicate' }]).settle(settlement), [
      receipt,
      { kind: 'duplicate' },
    ]);
    const [, heard, none] = ended;
    assert.equal(heard?.name, 'receipt');
    assert.equal(heard?.place.link?.spanId, send?.spanId);
    assert.equal(none, undefined);
    assert.equal(journeys.get(MESSAGE.id), undefined, 'what is settled is forgotten');
  });

  test('a message that was claimed again while it was settled begins again', async () => {
    const settling = queueOf([]).settle(settlement);
    const next = { request, isFresh: false };
    journeys.begin(MESSAGE.id, next);
    await settling;
    assert.equal(journeys.get(MESSAGE.id), next);
  });

  test('a store that is away costs links and nothing else', async () => {
    const deliveries = await queueOf([], ['ver_3']).claim(0, 0, 1);
    assert.deepEqual(
      deliveries.map(({ id }) => id),
      ['ver_3'],
    );
    links.keep('ver_4', request);
    assert.equal((await links.find(['ver_4'])).get('ver_4')?.spanId, request.spanId, 'not written yet');
    await links.settled();
    assert.deepEqual([...(await links.find(['ver_3', 'ver_4']))], []);
  });

  test('a node remembers only so many messages under way', () => {
    for (let i = 0; i < 10_000; i++) journeys.begin(`ver_${i + 10}`, { request, isFresh: true });
    assert.equal(journeys.get(MESSAGE.id), undefined);
    assert.ok(journeys.get('ver_10'));
  });

  test('a commit that fails says so, and outside of a request there is no span', async () => {
    const lost = new RangeError('away');
    const store: VerificationStore = {
      issue: () => Promise.reject(lost),
      admit: unused,
      findReplay: unused,
      confirm: async () => ({ kind: 'unknown' }),
    };
    const traced = traceVerifications(store, { tracer, current, journeys, links, database: 'postgresql' });
    const guess = {
      ...{ id: 'ver_1', accountId: 'acc_1', test: false, codeMac: '' },
      earlierCodeMacs: [],
      now: 0,
    };
    assert.deepEqual(await traced.confirm(guess), { kind: 'unknown' });
    await assert.rejects(traced.issue(newVerification()), lost);
    assert.deepEqual(ended, []);
    await current.run(request, () => traced.confirm(guess));
    await assert.rejects(
      current.run(request, () => traced.issue(newVerification())),
      lost,
    );
    assert.deepEqual(
      ended.map(({ kind, isError, attributes }) => [kind, isError, attributes['error.type']]),
      [
        [KIND.client, false, undefined],
        [KIND.client, true, 'RangeError'],
      ],
    );
  });
});

test('lost spans are counted and told once a minute; log lines have the ids of their request', async (t) => {
  const collector = await startGateway();
  collector.play(answer(400));
  const { now } = performance;
  let later = 0;
  t.mock.method(performance, 'now', () => now.call(performance) + later);
  const told: unknown[] = [];
  const counted: unknown[] = [];
  const draft = createTracing(
    {
      ...{ url: collector.url, headers: {}, resource: {}, sampler: 'always_on' },
      ...{ ratio: 1, database: 'sqlite' },
    },
    { queueSize: 10, batchSize: 1, delayMs: 60_000, timeoutMs: 20_000 },
  );
  const fields: unknown[] = [];
  const note = async () => {
    fields.push(draft.logFields?.());
    return {};
  };
  const app = fastify();
  {
    await using tracing = draft.open({
      clock: SYSTEM_CLOCK,
      random: SYSTEM_RANDOM,
      records: AWAY,
      count: (...spans) => counted.push(spans),
      log: (_level, message, facts) => told.push([message, facts]),
    });
    tracing.requests?.(app);
    app.addHook('onResponse', note);
    app.post('/verify', note);
    app.get('/readyz', note);
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    for (const [index, ms] of [0, 0, 60_000].entries()) {
      later += ms;
      await app.inject({ method: 'POST', url: '/verify', payload: { a: 1 }, headers: { traceparent } });
      await eventually(async () => (counted.length > index ? counted : undefined));
    }
    await app.inject('/readyz');
  }
  await collector.close();
  assert.deepEqual(counted, [
    ['dropped', 1],
    ['dropped', 1],
    ['dropped', 1],
  ]);
  const why = 'the collector answers 400';
  assert.deepEqual(told, [
    ['spans of traces are dropped', { spans: 1, why }],
    ['spans of traces are dropped', { spans: 2, why }],
  ]);
  assert.equal(fields.length, 8);
  for (const [index, each] of fields.entries()) {
    if (index >= 6) assert.deepEqual(each, {});
    else assert.partialDeepStrictEqual(each, { trace_id: 'a'.repeat(32), trace_flags: '01' });
  }
});

test('a context lasts over a body that comes late, and a span ends though its client goes away', async () => {
  const ended: Span[] = [];
  const tracer = new Tracer(
    { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM },
    () => true,
    (span) => ended.push(span),
  );
  const current = new AsyncLocalStorage<Span>();
  const seen: (string | undefined)[] = [];
  const app = fastify();
  traceRequests(app, tracer, current);
  app.post('/confirm', async ({ raw }) => {
    seen.push(current.getStore()?.name);
    call.destroy();
    await closed(raw.socket);
    return 'too late';
  });
  const path = `${await app.listen({ port: 0, host: '127.0.0.1' })}/confirm`;
  const headers = { 'content-type': 'application/json', 'content-length': 2 };
  const call = request(path, { method: 'POST', headers }).on('error', () => {});
  call.flushHeaders();
  await once(app.server, 'request');
  call.end('{}');
  await eventually(async () => ended[0]);
  await app.close();
  assert.deepEqual(seen, ['POST /confirm']);
  assert.deepEqual(
    ended.map(({ name, attributes }) => [name, attributes['countersign.outcome']]),
    [['POST /confirm', 'client gone']],
  );
});
