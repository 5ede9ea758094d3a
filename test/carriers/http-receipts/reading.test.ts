/** Callbacks of `http` carriers: every place for the fields, every proof. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createHttpCarrier } from '../../../src/carriers/http/carrier.ts';
import { httpOptions } from '../../../src/carriers/http/options.ts';
import { createSignatureCheck } from '../../../src/carriers/http/receipts/hmac.ts';
import { findProblem, loadText } from '../../../src/config/fixture.ts';
import type { Callback, CarrierPorts } from '../../../src/core/sending/carrier.ts';
import { CALLBACK_URL, message } from '../contract.ts';
import { answer, startGateway } from '../gateway.ts';
import { decodeOptions } from '../options.ts';
import { UNHEARD } from '../ports.ts';
import { type Event, receiptContract } from '../receipt-contract.ts';

const SECRET = 'the-secret-of-the-gateway';
const WORDS = { delivered: ['DELIVRD', 1], undelivered: ['UNDELIV', 'EXPIRED', 2] };
const STATUSES: Readonly<Record<Event, string | undefined>> = {
  delivered: 'DELIVRD',
  undelivered: 'UNDELIV',
  pending: 'ENROUTE',
  nonsense: undefined,
};

const optionsOf = (receipts: object, more: object = {}) => ({
  ...{ type: 'http', url: 'https://example.com/sms', json: ['{{to}}', '{{text}}'], reference: 'id' },
  ...{ receipts: { ...WORDS, ...receipts }, ...more },
});
const create =
  (receipts: object, more: object = {}) =>
  (ports: CarrierPorts) =>
    createHttpCarrier('gateway', decodeOptions(httpOptions, optionsOf(receipts, more)), ports);

const hmac = (algorithm: string, encoding: 'hex' | 'base64' | 'base64url', signed: string) =>
  createHmac(algorithm, SECRET).update(signed).digest(encoding);

const fields = (event: Event): Record<string, string> => {
  const status = STATUSES[event];
  return {
    msgid: 'r-1',
    ...(status !== undefined && { status }),
    ...(event === 'undelivered' && { err: '004' }),
  };
};
const asForm = (event: Event) => new URLSearchParams(fields(event)).toString();
const asJson = (event: Event) => JSON.stringify({ data: [{ message: fields(event) }] });
const IN_JSON = {
  in: 'json',
  id: 'data.0.message.msgid',
  status: 'data.0.message.status',
  reason: 'data.0.message.err',
};
const FLAT = { id: 'msgid', status: 'status', reason: 'err' };
const post = (url: string, headers: Record<string, string>, body: string): Callback => ({
  method: 'POST',
  url,
  headers,
  body: Buffer.from(body),
});
const withoutHeaders = (callback: Callback): Callback => ({ ...callback, headers: {} });

receiptContract({
  name: 'http: JSON, with an HMAC over the body',
  create: create({
    ...IN_JSON,
    proof: { type: 'hmac', secret: SECRET, header: 'X-Signature', prefix: 'sha256=' },
  }),
  undeliveredReason: '004',
  coversUrl: false,
  report: (event, url) =>
    post(
      url,
      { 'x-signature': `sha256=${hmac('sha256', 'hex', asJson(event)).toUpperCase()}` },
      asJson(event),
    ),
  unsign: withoutHeaders,
});

receiptContract({
  name: 'http: a form, with an HMAC over the time and the body',
  create: create({
    ...{ in: 'form', ...FLAT },
    proof: {
      ...{ type: 'hmac', secret: SECRET, header: 'X-Sig', algorithm: 'sha512', encoding: 'base64' },
      ...{ signs: 'v1:{{timestamp}}:{{ body }}', timestamp: { header: 'X-Time' } },
    },
  }),
  undeliveredReason: '004',
  coversUrl: false,
  toleranceMs: 300_000,
  report(event, url, at) {
    const time = String(at);
    const signature = hmac('sha512', 'base64', `v1:${time}:${asForm(event)}`);
    return post(url, { 'x-sig': signature.replace(/=+$/, ''), 'x-time': time }, asForm(event));
  },
  unsign: withoutHeaders,
});

receiptContract({
  name: 'http: the query, with an HMAC over the address',
  create: create({
    ...{ in: 'query', ...FLAT },
    proof: {
      ...{ type: 'hmac', secret: SECRET, header: 'signature', algorithm: 'sha1', encoding: 'base64url' },
      signs: '{{url}}',
    },
  }),
  undeliveredReason: '004',
  coversUrl: true,
  report(event, url) {
    const called = `${url}?${asForm(event)}`;
    const headers = { signature: hmac('sha1', 'base64url', called) };
    return { method: 'GET', url: called, headers, body: Buffer.alloc(0) };
  },
  unsign: withoutHeaders,
});

receiptContract({
  name: 'http: JSON, with a secret in a header',
  create: create({
    ...IN_JSON,
    proof: { type: 'secret', secret: `Bearer ${SECRET}`, header: 'Authorization' },
  }),
  undeliveredReason: '004',
  coversUrl: false,
  covers: 'nothing',
  report: (event, url) => post(url, { authorization: `Bearer ${SECRET}` }, asJson(event)),
  unsign: withoutHeaders,
});

receiptContract({
  name: 'http: the query, with a secret in it',
  create: create({ ...{ in: 'query', ...FLAT }, proof: { type: 'secret', secret: SECRET, query: 'token' } }),
  undeliveredReason: '004',
  coversUrl: false,
  covers: 'nothing',
  report: (event, url) => ({
    method: 'GET',
    url: `${url}?token=${SECRET}&${asForm(event)}`,
    headers: {},
    body: Buffer.alloc(0),
  }),
  unsign: (callback) => ({ ...callback, url: callback.url.replace(SECRET, 'another-secret-of-another') }),
});

const token = (id: string, url: string) =>
  createHmac('sha256', SECRET).update(`receipt of ${id} at ${url}`).digest('base64url');

receiptContract({
  name: 'http: a form, to the address of the message',
  create: create(
    { in: 'form', status: 'status', reason: 'err', proof: { type: 'address', secret: SECRET } },
    { reference: undefined, json: ['{{to}}', '{{text}}', '{{receiptUrl}}'] },
  ),
  undeliveredReason: '004',
  coversUrl: true,
  covers: 'message',
  report: (event, url) => post(`${url}?id=r-1&token=${token('r-1', url)}`, {}, asForm(event)),
  unsign: (callback) => ({ ...callback, url: callback.url.replace(/&token=.*/, '') }),
});

const SERVICE = { publicUrl: 'https://v.example.com' };
const silent: CarrierPorts = {
  ...UNHEARD,
  callbackUrl: CALLBACK_URL,
};

suite('receipts of http carriers', () => {
  test('statuses are numbers or words, and a reason is shown only if it is a short number or a name', () => {
    const carrier = create({ ...IN_JSON, proof: { type: 'secret', secret: SECRET, header: 'x' } })(silent);
    const read = (status: unknown, err: unknown) =>
      carrier.readCallback?.(
        post(CALLBACK_URL, { x: SECRET }, JSON.stringify({ data: [{ message: { msgid: 7, status, err } }] })),
      );
    const receipt = { carrier: 'gateway', references: ['7'] };
    assert.deepEqual(read(1, undefined), {
      kind: 'receipts',
      receipts: [{ ...receipt, status: 'delivered' }],
    });
    for (const [err, reason] of [
      ['004', '004'],
      [-3, '-3'],
      ['EC_ABSENT', 'EC_ABSENT'],
      ['to +12025550123', '2'],
      ['12025550123', '2'],
      ['482913', '2'],
      ['', '2'],
      [{}, '2'],
    ]) {
      const receipts = [{ ...receipt, status: 'undelivered', reason }];
      assert.deepEqual(read('2', err), { kind: 'receipts', receipts });
    }
  });

  test('a secret that comes twice, or is a part of the right one, is none', () => {
    const query = create({ in: 'query', ...FLAT, proof: { type: 'secret', secret: SECRET, query: 'token' } })(
      silent,
    );
    const header = create({ ...IN_JSON, proof: { type: 'secret', secret: SECRET, header: 'X-Token' } })(
      silent,
    );
    const called = (search: string): Callback => ({
      method: 'GET',
      url: `${CALLBACK_URL}?${search}&${asForm('delivered')}`,
      headers: {},
      body: Buffer.alloc(0),
    });
    for (const search of [
      `token=${SECRET}&token=${SECRET}`,
      `token=${SECRET}&token=`,
      `token=${SECRET.slice(1)}`,
      `token=${SECRET}x`,
      'token=',
      `Token=${SECRET}`,
    ]) {
      assert.deepEqual(query.readCallback?.(called(search)), { kind: 'forged' }, search);
    }
    for (const value of [[SECRET, SECRET], '', SECRET.slice(1), `${SECRET} `]) {
      const callback = { ...post(CALLBACK_URL, {}, asJson('delivered')), headers: { 'x-token': value } };
      assert.deepEqual(header.readCallback?.(callback), { kind: 'forged' });
    }
  });

  test('each message names an address of its own, and is known by its id in it', async () => {
    const gateway = await startGateway();
    gateway.play(answer(202));
    const receipts = { in: 'form', status: 'status', proof: { type: 'address', secret: SECRET } };
    const json = { to: '{{to}}', text: '{{text}}', dlr: '{{receiptUrl}}' };
    const more = { url: gateway.url, reference: undefined, json };
    try {
      const carrier = create(receipts, more)(silent);
      const submit = () => carrier.submit(message, { signal: AbortSignal.timeout(20_000) });
      const outcomes = [await submit(), await submit()];
      const addresses = gateway.requests.map(({ body }) => new URL(JSON.parse(body).dlr));
      for (const [index, address] of addresses.entries()) {
        assert.equal(address.origin + address.pathname, CALLBACK_URL);
        const reference = address.searchParams.get('id') ?? '';
        assert.deepEqual(outcomes[index], { kind: 'accepted', reference, receiptFollows: true });
        const callback = post(address.href, {}, 'status=DELIVRD');
        const arrived = [{ carrier: 'gateway', references: [reference], status: 'delivered' }];
        assert.deepEqual(carrier.readCallback?.(callback), { kind: 'receipts', receipts: arrived });
      }
      assert.notEqual(addresses[0]?.href, addresses[1]?.href);
      const swapped = new URL(addresses[0] ?? '');
      swapped.searchParams.set('id', addresses[1]?.searchParams.get('id') ?? '');
      assert.deepEqual(carrier.readCallback?.(post(swapped.href, {}, 'status=DELIVRD')), { kind: 'forged' });
      await carrier.stop();
    } finally {
      await gateway.close();
    }
  });

  test('the address with its secret is told to the gateway, and the id in its answer waits for the receipt', async () => {
    const gateway = await startGateway();
    gateway.play(answer(200, { id: 'r-9' }), answer(200, {}));
    const receipts = { in: 'query', ...FLAT, proof: { type: 'secret', secret: SECRET, query: 'token' } };
    const json = { to: '{{to}}', text: '{{text}}', dlr: '{{receiptUrl}}' };
    try {
      const carrier = create(receipts, { url: gateway.url, json })(silent);
      const submit = () => carrier.submit(message, { signal: AbortSignal.timeout(20_000) });
      assert.deepEqual(await submit(), { kind: 'accepted', reference: 'r-9', receiptFollows: true });
      assert.equal(JSON.parse(gateway.requests[0]?.body ?? '').dlr, `${CALLBACK_URL}?token=${SECRET}`);
      assert.deepEqual(await submit(), { kind: 'accepted' }, 'no id, so no receipt can be matched');
      await carrier.stop();
    } finally {
      await gateway.close();
    }
  });

  test('any signature of other bytes is refused', () => {
    const options = {
      ...({ type: 'hmac', secret: SECRET, header: 'x', algorithm: 'sha256', encoding: 'hex' } as const),
      ...{ prefix: '', signs: '{{body}}' },
    };
    const isSigned = createSignatureCheck(options);
    fc.assert(
      fc.property(fc.string(), fc.string(), (signed, body) => {
        const callback = post(CALLBACK_URL, { x: hmac('sha256', 'hex', signed) }, body);
        assert.equal(isSigned(callback, 0), signed === body);
        assert.equal(isSigned({ ...callback, headers: { x: signed } }, 0), false);
      }),
    );
  });
});

test('receipts that could not be trusted, or not be matched, are refused with the fix', () => {
  const hmacProof = { type: 'hmac', secret: SECRET, header: 'x' };
  const problem = (receipts: object, more: object, service: object = SERVICE) =>
    findProblem(
      JSON.stringify({
        ...service,
        carriers: { c: optionsOf({ ...IN_JSON, proof: hmacProof, ...receipts }, more) },
        routes: [{ channel: 'sms', carriers: ['c'] }],
      }),
    );
  const address = { type: 'address', secret: SECRET };
  const asking = { json: ['{{to}}', '{{text}}', '{{receiptUrl}}'] };
  for (const [receipts, more, wrong] of [
    [{ id: undefined }, {}, /^carriers\.c\.receipts\.id: is missing/],
    [{}, { reference: undefined }, /^carriers\.c\.reference: is missing/],
    [{ status: undefined }, {}, /^carriers\.c\.receipts\.status: is missing/],
    [{ delivered: [] }, {}, /^carriers\.c\.receipts\.delivered: /],
    [{ delivered: [0], undelivered: ['0'] }, {}, /^carriers\.c\.receipts\.undelivered: 0 is in delivered/],
    [{ proof: undefined }, {}, /^carriers\.c\.receipts\.proof: is missing/],
    [{ proof: { type: 'none' } }, {}, /^carriers\.c\.receipts\.proof\.type: is "none"/],
    [{ proof: { type: 'secret', secret: SECRET } }, {}, /receipts\.proof: needs either header or query/],
    [
      { proof: { type: 'secret', secret: SECRET, header: 'x', query: 'y' } },
      {},
      /receipts\.proof: needs either header or query/,
    ],
    [{ proof: { type: 'secret', secret: 'short', header: 'x' } }, {}, /receipts\.proof\.secret: /],
    [{ in: 'query' }, {}, /receipts\.proof\.signs: needs \{\{url\}\}/],
    [{ proof: { ...hmacProof, signs: '{{url}}' } }, {}, /receipts\.proof\.signs: needs \{\{body\}\}/],
    [{ proof: { ...hmacProof, signs: '{{body}}{{nonce}}' } }, {}, /unknown placeholder \{\{nonce\}\}/],
    [{ proof: { ...hmacProof, signs: '{{timestamp}}{{body}}' } }, {}, /receipts\.proof\.timestamp: /],
    [
      { proof: { ...hmacProof, timestamp: { header: 'y' } } },
      {},
      /receipts\.proof\.signs: needs \{\{timestamp\}\}/,
    ],
    [{ proof: { ...hmacProof, algorithm: 'md5' } }, {}, /receipts\.proof\.algorithm: /],
    [{ proof: address }, asking, /receipts\.id: the address of a receipt says/],
    [{ proof: address, id: undefined }, asking, /\.reference: the address of a receipt says/],
    [
      { proof: address, id: undefined },
      { reference: undefined },
      /receipts\.proof: nothing holds \{\{receiptUrl\}\}/,
    ],
    [
      {},
      { json: undefined, form: { a: '{{to}}{{text}}{{receiptURL}}' } },
      /unknown placeholder \{\{receiptURL\}\}/,
    ],
    [{}, { receipts: undefined, ...asking }, /receipts: \{\{receiptUrl\}\} is used but receipts are not set/],
  ] as const) {
    const found = problem(receipts, more);
    assert.match(found, wrong);
    assert.ok(!found.includes(SECRET));
  }
  assert.match(problem({}, {}, {}), /^carriers\.c\.receipts: needs publicUrl/);
  loadText(
    JSON.stringify({
      ...SERVICE,
      carriers: { c: optionsOf({ ...IN_JSON, proof: hmacProof }) },
      routes: [{ channel: 'sms', carriers: ['c'] }],
    }),
  );
});

test('nothing comes back from a carrier without receipts, and from one with them something may', async () => {
  const without = {
    type: 'http',
    url: 'https://example.com/sms',
    json: ['{{to}}', '{{text}}'],
    reference: 'id',
  };
  const carrier = await createHttpCarrier('gateway', decodeOptions(httpOptions, without), UNHEARD);
  assert.equal(carrier.silent, true);
  const proof = { type: 'hmac', secret: SECRET, header: 'X-Signature' };
  const { silent } = await create({ ...IN_JSON, proof })({ ...UNHEARD, callbackUrl: CALLBACK_URL });
  assert.equal(silent, undefined);
});
