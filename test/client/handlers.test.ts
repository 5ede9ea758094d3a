/** The handlers of a backend: what they answer, what they refuse, and what their cookie is good for. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { phoneNumberOtp } from '../../client/src/better-auth.ts';
import { createHandlers, type Handler, type HandlerOptions } from '../../client/src/handlers.ts';
import { CHANNEL_NAMES } from '../../src/core/destination/channel.ts';
import { ROOT, readProjectFile } from '../deploy/project.ts';
import { clientOf, json, problem, SENT } from './answers.ts';

const SECRET = 'thirty-two characters, at random';
const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json; charset=utf-8' };
const CONFIRMED = { ...SENT, confirmed_at: '2026-11-20T12:00:00.000Z' };
const START = { destination: '+1 202 555 0123' };

function ask(handler: Handler, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const init = { method: 'POST', headers: { ...OWN_PAGE, ...headers }, body: text };
  return handler(new Request('https://app.example.com/verify', init));
}

/** Handlers in front of a service that gives these answers in turn. */
function handlersOf(answers: Parameters<typeof clientOf>[0], options: Partial<HandlerOptions> = {}) {
  const { countersign, asked } = clientOf(answers, { maxRetries: 0 });
  const confirmed: string[] = [];
  const errors: unknown[] = [];
  const handlers = createHandlers({
    countersign,
    secret: SECRET,
    onConfirmed: (destination) => {
      confirmed.push(destination);
      return undefined;
    },
    onError: (error) => errors.push(error),
    ...options,
  });
  return { ...handlers, asked, confirmed, errors };
}

/** What a browser sends back of what it was given. */
const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

async function startedWith(handlers: ReturnType<typeof handlersOf>) {
  const response = await ask(handlers.start, START);
  assert.equal(response.status, 200);
  return cookieOf(response);
}

test('start sends a code and gives a cookie that no script and no other site can use', async () => {
  const handlers = handlersOf([json(SENT)], { clientIp: () => '203.0.113.9' });
  const response = await ask(handlers.start, START);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { ok: true, channel: 'sms', resendAfter: 30 });
  const [cookie = '', ...others] = response.headers.getSetCookie();
  assert.deepEqual(others, []);
  assert.match(
    cookie,
    /^__Host-countersign-verify=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
  );
  assert.doesNotMatch(cookie, /2025550123/);
  const sent = { ...START, channel: 'sms', signals: { ip: '203.0.113.9' } };
  assert.deepEqual(JSON.parse(String(handlers.asked[0]?.init.body)), sent);
});

test('its cookie is none of the portal’s: on one host they share a jar, whatever their ports', async () => {
  const [name = ''] = (await startedWith(handlersOf([json(SENT)]))).split('=');
  const source = globSync('src/{portal,identity}/**/*.ts', { cwd: ROOT }).map(readProjectFile).join('\n');
  const names = Array.from(source.matchAll(/_COOKIE = '([^']+)'/g), ([, taken]) => taken);
  assert.ok(names.length >= 4, 'the portal’s were found');
  assert.ok(!names.includes(name), name);
});

test('check confirms the verification of the cookie, and passes headers on', async () => {
  const handlers = handlersOf([json(SENT), json(CONFIRMED)], {
    onConfirmed: (destination) =>
      Response.json(
        { destination },
        {
          headers: [
            ['set-cookie', `session=${destination}`],
            ['x-own', '1'],
          ],
        },
      ),
  });
  const response = await ask(
    handlers.check,
    { code: '123456' },
    { cookie: `a=1; ${await startedWith(handlers)}` },
  );
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { ok: true });
  assert.equal(response.headers.get('x-own'), '1');
  const [cleared = '', session] = response.headers.getSetCookie();
  assert.match(cleared, /^__Host-countersign-verify=; .*Max-Age=0$/);
  assert.equal(session, `session=${SENT.destination}`);
  assert.deepEqual(JSON.parse(String(handlers.asked[1]?.init.body)), { id: 'ver_1', code: '123456' });
});

test('confirm judges the verification of the cookie for a framework, and no other', async () => {
  const handlers = handlersOf([
    json(SENT),
    json(CONFIRMED),
    json({ ...CONFIRMED, destination: '+12025550124' }),
  ]);
  const cookie = await startedWith(handlers);
  const confirm = (headers: Readonly<Record<string, string>>) =>
    handlers.confirm(new Request('https://app.example.com/sign-in', { headers }), '123456');
  assert.deepEqual(await confirm({}), { kind: 'expired' });
  const answer = await confirm({ cookie });
  assert.equal(answer.kind === 'confirmed' && answer.destination, SENT.destination);
  assert.deepEqual(JSON.parse(String(handlers.asked[1]?.init.body)), { id: 'ver_1', code: '123456' });
  assert.deepEqual(await confirm({ cookie }), { kind: 'expired' }, 'the cookie is for another number');
  assert.deepEqual(handlers.confirmed, []);
});

for (const [name, expected] of [
  ['code-mismatch', { ok: false, reason: 'mismatch', attemptsRemaining: 4 }],
  ['attempts-exhausted', { ok: false, reason: 'exhausted' }],
  ['verification-expired', { ok: false, reason: 'expired' }],
  ['verification-not-found', { ok: false, reason: 'expired' }],
  ['already-confirmed', { ok: false, reason: 'expired' }],
  ['unavailable', { ok: false, reason: 'unavailable' }],
] as const) {
  test(`check answers ${expected.reason} to ${name}`, async () => {
    const handlers = handlersOf([json(SENT), problem(name, {}, { attempts_remaining: 4 })]);
    const response = await ask(handlers.check, { code: '1' }, { cookie: await startedWith(handlers) });
    assert.deepEqual(await response.json(), expected);
    assert.ok(response.status >= 400);
    assert.deepEqual(handlers.confirmed, []);
    assert.equal(handlers.errors.length, expected.reason === 'unavailable' ? 1 : 0);
  });
}

const LANDLINE = [{ field: 'destination', code: 'landline', detail: 'is a landline' }] as const;

for (const [name, members, expected] of [
  ['invalid-request', { errors: LANDLINE }, { ok: false, reason: 'invalid', code: 'landline' }],
  ['quota-exceeded', {}, { ok: false, reason: 'limited', retryAfter: 417 }],
  ['guarded', {}, { ok: false, reason: 'limited', retryAfter: 417 }],
  ['budget-exhausted', { budget: 'account per day' }, { ok: false, reason: 'limited', retryAfter: 417 }],
  ['invalid-key', {}, { ok: false, reason: 'unavailable' }],
  ['unavailable', {}, { ok: false, reason: 'unavailable' }],
] as const) {
  test(`start answers ${expected.reason} to ${name}`, async () => {
    const handlers = handlersOf([problem(name, { 'retry-after': '417' }, members)]);
    const response = await ask(handlers.start, START);
    assert.deepEqual(await response.json(), expected);
    assert.equal(response.headers.get('retry-after'), 'retryAfter' in expected ? '417' : null);
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.equal(handlers.errors.length, expected.reason === 'unavailable' ? 1 : 0);
  });
}

for (const [what, headers] of [
  ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ['of another subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://app.example.com' }],
  ['that a form can send', { 'content-type': 'text/plain' }],
] as const) {
  test(`a request ${what} is refused`, async () => {
    const handlers = handlersOf([json(SENT)]);
    for (const handler of [handlers.start, handlers.check]) {
      const response = await ask(handler, START, headers);
      assert.equal(response.status, 403);
      assert.deepEqual(await response.json(), { ok: false, reason: 'forbidden' });
    }
    assert.equal(handlers.asked.length, 0);
  });
}

test('of a browser without fetch metadata, the origin says where a request is from', async () => {
  const handlers = handlersOf([json(SENT)]);
  const from = (origin: Readonly<Record<string, string>>, at = 'http://app.example.com') =>
    handlers.start(
      new Request(`${at}/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...origin },
        body: JSON.stringify(START),
      }),
    );
  assert.equal((await from({ origin: 'https://app.example.com' })).status, 200, 'a proxy ended TLS');
  for (const named of [
    'http://app.example.com:443',
    'http://APP.example.com:443',
    'https://app.example.com:443',
  ]) {
    const answer = await from({ origin: 'https://app.example.com' }, named);
    assert.equal(answer.status, 200, `${named}: the port goes without saying`);
  }
  assert.equal(
    (await from({ origin: 'https://app.example.com' }, 'http://app.example.com:8443')).status,
    403,
  );
  for (const origin of ['https://evil.example.com', 'https://app.example.com.evil.com', 'null', '']) {
    assert.equal((await from({ origin })).status, 403, origin);
  }
  assert.equal((await from({})).status, 403);
  const get = await handlers.start(new Request('https://app.example.com/verify', { headers: OWN_PAGE }));
  assert.equal(get.status, 403);
});

test('every channel may be asked for; whether it is offered is for the service to say', async () => {
  for (const channel of CHANNEL_NAMES) {
    const refusal = { errors: [{ field: 'channel', code: 'not_allowed_value' as const, detail: '' }] };
    const handlers = handlersOf([json({ ...SENT, channel }), problem('invalid-request', {}, refusal)]);
    const answer = await ask(handlers.start, { ...START, channel });
    assert.deepEqual(await answer.json(), { ok: true, channel, resendAfter: 30 });
    const refused = await ask(handlers.start, { ...START, channel });
    assert.deepEqual(await refused.json(), { ok: false, reason: 'invalid', code: 'not_allowed_value' });
  }
});

test('what is not the documented JSON is invalid', async () => {
  const handlers = handlersOf([json(SENT)]);
  const cookie = await startedWith(handlers);
  const tooLarge = JSON.stringify({ ...START, more: 'x'.repeat(5_000) });
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    {},
    { destination: 1 },
    { ...START, channel: 'fax' },
    { ...START, channel: ['sms'] },
    tooLarge,
  ]) {
    const response = await ask(handlers.start, body);
    assert.deepEqual(await response.json(), { ok: false, reason: 'invalid' });
  }
  for (const body of ['', '[]', {}, { code: 123456 }, { code: '' }, { code: '1'.repeat(65) }]) {
    const response = await ask(handlers.check, body, { cookie });
    assert.deepEqual(await response.json(), { ok: false, reason: 'invalid' });
  }
  assert.equal(handlers.asked.length, 1);
});

test('a cookie that was changed, made by another secret, or has expired is none', async (t) => {
  const handlers = handlersOf([json(SENT)]);
  const cookie = await startedWith(handlers);
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  const [id, end, tag, signature] = value.split('.');
  const foreign = await startedWith(handlersOf([json(SENT)], { secret: `${SECRET}!` }));
  const expect = async (sent: string) => {
    const response = await ask(handlers.check, { code: '123456' }, { cookie: sent });
    assert.deepEqual([response.status, await response.json()], [410, { ok: false, reason: 'expired' }], sent);
  };
  for (const changed of [
    `ver_2.${end}.${tag}.${signature}`,
    `${id}.${Number(end) + 1}.${tag}.${signature}`,
    `${id}.${end}.${signature}.${tag}`,
    `${id}.${end}.${tag}.${tag}`,
    `${id}.${end}.${tag}.`,
    `${id}.${end}.${tag}`,
    '???',
    '',
  ]) {
    await expect(`${name}=${changed}`);
  }
  await expect(foreign);
  await expect(`x${cookie}`);
  await expect('');
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 601_000 });
  await expect(cookie);
  assert.equal(handlers.asked.length, 1, 'the service was not asked');
});

test('a cookie is good for its destination only', async () => {
  const handlers = handlersOf([json(SENT), json({ ...CONFIRMED, destination: '+12025550199' })]);
  const response = await ask(handlers.check, { code: '1' }, { cookie: await startedWith(handlers) });
  assert.deepEqual(await response.json(), { ok: false, reason: 'expired' });
  assert.deepEqual(handlers.confirmed, []);
});

test('a callback that fails is not a success', async () => {
  const handlers = handlersOf([json(SENT), json(CONFIRMED)], {
    onConfirmed: () => {
      throw new Error('no session today');
    },
  });
  const response = await ask(handlers.check, { code: '1' }, { cookie: await startedWith(handlers) });
  assert.deepEqual(await response.json(), { ok: false, reason: 'unavailable' });
  assert.equal(handlers.errors.length, 1);
});

test('a short secret is a mistake', () => {
  assert.throws(() => handlersOf([], { secret: 'short' }), /^TypeError: secret must be at least 32/);
});

test('better-auth: the code of the service is judged by the service', async () => {
  const mismatch = problem('code-mismatch', {}, { attempts_remaining: 4 });
  const { countersign, asked } = clientOf([json(SENT), mismatch, json(CONFIRMED)]);
  const { sendOTP, verifyOTP } = phoneNumberOtp({ countersign });
  const phoneNumber = SENT.destination;
  assert.equal(await verifyOTP({ phoneNumber, code: '1' }), false, 'nothing was sent yet');
  await sendOTP({ phoneNumber });
  assert.equal(await verifyOTP({ phoneNumber: '+12025550199', code: '123456' }), false);
  assert.equal(await verifyOTP({ phoneNumber, code: '000000' }), false);
  assert.equal(await verifyOTP({ phoneNumber, code: '123456' }), true);
  assert.equal(await verifyOTP({ phoneNumber, code: '123456' }), false, 'once');
  assert.equal(asked.length, 3);
});

test('better-auth: what was not sent is an error, without the number', async () => {
  const { countersign } = clientOf([problem('quota-exceeded', { 'retry-after': '417' })]);
  await assert.rejects(phoneNumberOtp({ countersign }).sendOTP({ phoneNumber: SENT.destination }), {
    message: 'no code was sent (limited): try again in 417 s',
  });
});

test('better-auth: the memory is bounded, and forgets the oldest', async () => {
  const countersign = {
    verify: async ({ destination }: { readonly destination: string }) =>
      ({ kind: 'sent', id: destination, destination, channel: 'sms' }) as const,
    confirm: async (id: string) =>
      ({ kind: 'confirmed', id, destination: id, channel: 'sms', confirmedAt: '' }) as const,
  };
  const { sendOTP, verifyOTP } = phoneNumberOtp({ countersign });
  const numberOf = (i: number) => `+1202${5_550_000 + i}`;
  for (let i = 0; i <= 10_000; i++) await sendOTP({ phoneNumber: numberOf(i) });
  assert.equal(await verifyOTP({ phoneNumber: numberOf(0), code: '1' }), false);
  for (const i of [1, 10_000]) assert.equal(await verifyOTP({ phoneNumber: numberOf(i), code: '1' }), true);
});
