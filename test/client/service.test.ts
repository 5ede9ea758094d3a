/** The client against the real service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { phoneNumberOtp } from '../../client/src/better-auth.ts';
import { createHandlers, toExpress } from '../../client/src/handlers.ts';
import { InvalidRequestError, type Signals, type VerifyOptions } from '../../client/src/index.ts';
import { freshNumber, wrongCode } from '../acceptance/client.ts';
import { startCutter } from './cut.ts';
import { openService } from './trusted.ts';

const VALID_MS = 120_000;

const { service, clientOf } = await openService({ config: { code: { validFor: `${VALID_MS / 1000}s` } } });
const countersign = clientOf();

/** Asks for a code, which must be sent, and reads it. */
async function issue(destination = freshNumber()) {
  const sent = await countersign.verify({ destination, channel: 'sms' });
  assert.equal(sent.kind, 'sent');
  return { ...sent, code: await countersign.code(destination, { id: sent.id }) };
}

test('a verdict is given, replaced, and refused of what is not there', async () => {
  const { id } = await issue();
  for (const verdict of ['fraud', 'good', 'good', null] as const)
    assert.deepEqual(await countersign.feedback(id, verdict), { kind: 'given', id, verdict });
  for (const unknown of [`ver_${'0'.repeat(32)}`, '', '..'])
    assert.deepEqual(await countersign.feedback(unknown, 'fraud'), { kind: 'not-found' });
});

test('a code is sent, read and confirmed', async () => {
  const destination = freshNumber();
  const signals = { ip: '203.0.113.9' };
  const sent = await countersign.verify({ destination, channel: 'voice', signals });
  assert.equal(sent.kind, 'sent');
  const { kind: _, ...verification } = sent;
  assert.deepEqual(verification, { id: sent.id, destination, channel: 'voice' });
  const confirmed = await countersign.confirm(sent.id, await countersign.code(destination));
  assert.equal(confirmed.kind, 'confirmed');
  const { confirmedAt } = confirmed;
  assert.deepEqual(confirmed, { kind: 'confirmed', ...verification, confirmedAt });
  const found = await countersign.get(sent.id);
  assert.equal(found.kind, 'found');
  const { attempts, createdAt, expiresAt, ...rest } = found;
  assert.deepEqual(rest, {
    ...verification,
    kind: 'found',
    status: 'confirmed',
    confirmedAt,
    guessesLeft: 4,
  });
  assert.deepEqual(Object.keys(attempts[0] ?? {}).sort(), ['changedAt', 'channel', 'startedAt', 'state']);
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), VALID_MS);
  assert.deepEqual(await countersign.confirm(sent.id, '000000'), { kind: 'already-confirmed' });
});

test('options, signals and metadata go with a request', async () => {
  const destination = freshNumber();
  const metadata = { order: '4711' };
  const sent = await countersign.verify({
    ...{ destination, channel: 'sms', metadata },
    options: { locale: 'fr', code_length: 8, app_hash: 'FA+9qCX9VSu' },
    signals: {
      ...{ ip: '203.0.113.9', user_agent: 'test', device_id: 'x', device_platform: 'ios', app_version: '1' },
      is_trusted_user: true,
    },
  });
  assert.equal(sent.kind, 'sent');
  const { text, code } = await service.client.message(destination, sent.id);
  assert.match(text, /votre/i);
  assert.match(text, /FA\+9qCX9VSu/);
  assert.equal(code.length, 8);
  const found = await countersign.get(sent.id);
  assert.equal(found.kind, 'found');
  assert.deepEqual(found.metadata, metadata);
  const isRefused = (options: VerifyOptions, signals: Signals, field: string) =>
    assert.rejects(countersign.verify({ destination, channel: 'sms', options, signals }), (error) => {
      assert.ok(error instanceof InvalidRequestError);
      assert.deepEqual(
        error.errors.map((fault) => fault.field),
        [field],
      );
      return true;
    });
  await isRefused({ template: 'unknown' }, {}, 'options/template');
  await isRefused({ custom_code: '482913' }, {}, 'options/custom_code');
  await isRefused({}, { ip: 'nowhere' }, 'signals/ip');
});

test('a wrong code says how many attempts remain, until none do', async () => {
  const { id, code } = await issue();
  for (const attemptsRemaining of [4, 3, 2, 1, 0]) {
    const judged = await countersign.confirm(id, wrongCode(code));
    assert.deepEqual(judged, { kind: 'mismatch', attemptsRemaining });
  }
  assert.deepEqual(await countersign.confirm(id, code), { kind: 'exhausted' });
});

test('an unknown verification is not found', async () => {
  assert.deepEqual(await countersign.confirm('ver_0', '123456'), { kind: 'not-found' });
  assert.deepEqual(await countersign.get('ver_0'), { kind: 'not-found' });
});

test('a limit says whose it is and how long to wait', async () => {
  const request = { destination: freshNumber(), channel: 'sms' } as const;
  for (let sends = 0; sends < 5; sends++) await countersign.verify(request);
  const limited = await countersign.verify(request);
  assert.equal(limited.kind, 'limited');
  assert.equal(limited.limit, 'destination');
  assert.ok(Number.isInteger(limited.retryAfter) && limited.retryAfter > 0 && limited.retryAfter <= 600);
});

test('a key that is not valid and fields that are not are errors', async () => {
  const stranger = clientOf({ apiKey: `csk_live_${'x'.repeat(36)}` });
  await assert.rejects(stranger.verify({ destination: freshNumber(), channel: 'sms' }), {
    name: 'AuthenticationError',
    status: 401,
    type: 'invalid-key',
  });
  await assert.rejects(countersign.verify({ destination: '+4912', channel: 'sms' }), (error) => {
    assert.ok(error instanceof InvalidRequestError);
    assert.deepEqual(
      error.errors.map(({ field, code }) => [field, code]),
      [['destination', 'not_e164']],
    );
    assert.match(error.requestId ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    return true;
  });
  await assert.rejects(countersign.confirm('', '1'), InvalidRequestError);
});

test('an answer that was lost on its way is asked for again: one message, one guess', async () => {
  await using cutter = await startCutter(service);
  const through = clientOf({ baseUrl: cutter.baseUrl });
  const destination = freshNumber();
  cutter.loseNext(1);
  const sent = await through.verify({ destination, channel: 'sms' });
  assert.equal(sent.kind, 'sent');
  assert.equal(cutter.cuts(), 1);
  const code = await through.code(destination, { id: sent.id });
  cutter.loseNext(1);
  const judged = await through.confirm(sent.id, wrongCode(code));
  assert.deepEqual(judged, { kind: 'mismatch', attemptsRemaining: 4 });
  cutter.loseNext(1);
  assert.equal((await through.confirm(sent.id, code)).kind, 'confirmed');
  assert.equal(cutter.cuts(), 3);
  // What a repetition had sent would have been queued before this one.
  const last = await issue(destination);
  const received = await service.client.messages(destination);
  assert.deepEqual(
    received.map(({ id }) => id),
    [last.id, sent.id],
  );
});

test('a backend on Node’s server: its handlers confirm a number, and no other site can', async (t) => {
  const confirmed: string[] = [];
  const { start, check } = createHandlers({
    countersign,
    secret: 'thirty-two characters, at random',
    onConfirmed: (destination) => {
      confirmed.push(destination);
      return new Response(null, { headers: { 'set-cookie': 'session=1' } });
    },
  });
  const routes = new Map([
    ['/start', toExpress(start)],
    ['/check', toExpress(check)],
  ]);
  const server = createServer((request, response) => routes.get(request.url ?? '')?.(request, response));
  await once(server.listen(0, 'localhost'), 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const origin = `http://localhost:${port}`;
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    });
  const destination = freshNumber();
  assert.equal((await post('/start', { destination }, { origin: 'https://evil.example.com' })).status, 403);
  const started = await post('/start', { destination });
  assert.deepEqual(await started.json(), { ok: true, channel: 'sms', resendAfter: 30 });
  const [cookie = ''] = started.headers.getSetCookie().map((text) => text.split(';', 1)[0] ?? '');
  const code = await countersign.code(destination);
  const wrong = await post('/check', { code: wrongCode(code) }, { cookie });
  assert.deepEqual(await wrong.json(), { ok: false, reason: 'mismatch', attemptsRemaining: 4 });
  const right = await post('/check', { code }, { cookie });
  assert.deepEqual([right.status, await right.json()], [200, { ok: true }]);
  assert.equal(right.headers.getSetCookie().at(-1), 'session=1');
  assert.deepEqual(confirmed, [destination]);
  assert.deepEqual(await (await post('/check', { code }, { cookie })).json(), {
    ok: false,
    reason: 'expired',
  });
  const landline = await post('/start', { destination: '+493012345678' });
  assert.deepEqual(await landline.json(), { ok: false, reason: 'invalid', code: 'landline' });
  const tooLarge = await post('/start', { destination, more: 'x'.repeat(100_000) }).then(
    ({ status }) => status,
    () => 'closed',
  );
  assert.ok(tooLarge === 400 || tooLarge === 'closed');
  assert.equal((await post('/check', { code }, { cookie })).status, 410, 'the server lives');
});

test('better-auth’s two functions send and judge a code', async () => {
  const { sendOTP, verifyOTP } = phoneNumberOtp({ countersign });
  const phoneNumber = freshNumber();
  await sendOTP({ phoneNumber });
  const code = await countersign.code(phoneNumber);
  assert.equal(await verifyOTP({ phoneNumber, code: wrongCode(code) }), false);
  assert.equal(await verifyOTP({ phoneNumber, code }), true);
});

test('a code that came too late has expired', async () => {
  const { id, code } = await issue();
  const database = new DatabaseSync(join(service.dataDir, 'countersign.db'), { timeout: 5_000 });
  database.prepare('UPDATE verification SET expires_at = created_at WHERE id = ?').run(id);
  database.close();
  assert.deepEqual(await countersign.confirm(id, code), { kind: 'expired' });
});
