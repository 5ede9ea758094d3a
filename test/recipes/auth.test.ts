/** The recipes for better-auth, Auth.js and Auth0. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { freshNumber, wrongCode } from '../acceptance/client.ts';
import { createAppFolder, startApp } from '../app.ts';
import { openService } from '../client/trusted.ts';
import { freePort } from '../free-port.ts';
import { paste } from './page.ts';
import { createVisitor, read } from './visitor.ts';

const { service, clientOf } = await openService({});
const apiKey = await service.createKey('recipes', { test: true });
const countersign = clientOf({ apiKey });
const SECRET = 'thirty-two characters, at random';
const env = { COUNTERSIGN_API_KEY: apiKey, COUNTERSIGN_URL: service.baseUrl };

function prepare(t: TestContext, page: string, packages: readonly string[], type: 'module' | 'commonjs') {
  const { folder, remove } = createAppFolder(packages);
  t.after(remove);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
  writeFileSync(join(folder, 'ca.pem'), service.ca);
  paste(page, folder);
  return folder;
}

/** The page's own test passes, in a process that has what the page says. */
async function runTest(folder: string, file: string, more: Readonly<Record<string, string>> = {}) {
  await promisify(execFile)(process.execPath, ['--test', file], {
    cwd: folder,
    env: { ...env, ...more, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
  });
}

test('Auth.js: the code is judged by the service, and the session is of the number', async (t) => {
  const folder = prepare(t, 'authjs.md', ['@auth/core', 'hono', '@hono/node-server'], 'module');
  const app = await startApp(folder, 'server.js', service.ca, { ...env, AUTH_SECRET: SECRET });
  t.after(app.end);
  const visitor = createVisitor(app.origin);
  const destination = freshNumber();
  // Whoever has the id and the code of a number proves nothing with them: neither who asked for none, nor who asked for another.
  const other = await countersign.verify({ destination: freshNumber(), channel: 'sms' });
  assert.ok(other.kind === 'sent');
  const { id } = other;
  const codeOfOther = await countersign.code(other.destination, { id });
  const signIn = async (typed: string, brought: Readonly<Record<string, string>> = {}) => {
    const { csrfToken } = await read<{ csrfToken: string }>(await visitor.get('/auth/csrf'));
    const answer = await visitor.postForm('/auth/callback/phone', { csrfToken, code: typed, ...brought });
    return answer.headers.get('location') ?? '';
  };
  assert.match(await signIn(codeOfOther, { id }), /error=CredentialsSignin/);
  assert.equal((await visitor.post('/verify', { destination })).status, 200);
  assert.match(await signIn(codeOfOther, { id }), /error=CredentialsSignin&code=mismatch/);
  const code = await countersign.code(destination);
  assert.match(await signIn(wrongCode(code)), /error=CredentialsSignin&code=mismatch/);
  assert.equal(await (await visitor.get('/auth/session')).json(), null);
  assert.doesNotMatch(await signIn(code), /error/);
  const { user } = await read<{ user: { name: string } }>(await visitor.get('/auth/session'));
  assert.equal(user.name, destination);
  assert.match(await signIn(code), /code=already-confirmed/);
});

interface Refused {
  readonly code: string;
  readonly retryAfter?: number;
}

interface SignedIn {
  readonly user: { readonly phoneNumber: string; readonly phoneNumberVerified: boolean };
}

test('better-auth: a number signs up by its code, and the page is told why none is sent', async (t) => {
  const folder = prepare(t, 'better-auth.md', ['better-auth'], 'module');
  const more = { BETTER_AUTH_SECRET: SECRET };
  const started = { cwd: folder, env: { ...env, ...more, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } };
  await promisify(execFile)(process.execPath, ['migrate.js'], started);
  const app = await startApp(folder, 'server.js', service.ca, { ...env, ...more });
  t.after(app.end);
  const visitor = createVisitor(app.origin);
  const phoneNumber = freshNumber();
  const send = (to: string) => visitor.post('/api/auth/phone-number/send-otp', { phoneNumber: to });
  const verify = (code: string) => visitor.post('/api/auth/phone-number/verify', { phoneNumber, code });
  assert.equal((await send(phoneNumber)).status, 200);
  const code = await countersign.code(phoneNumber);
  const wrong = await verify(wrongCode(code));
  assert.deepEqual([wrong.status, (await read<Refused>(wrong)).code], [400, 'INVALID_OTP']);
  assert.equal((await verify(code)).status, 200);
  const { user } = await read<SignedIn>(await visitor.get('/api/auth/get-session'));
  assert.deepEqual([user.phoneNumber, user.phoneNumberVerified], [phoneNumber, true]);
  assert.equal((await verify(code)).status, 400, 'once');

  const limited = await send('+15005550006');
  assert.equal(limited.status, 429);
  const body = await read<Refused>(limited);
  assert.equal(body.code, 'LIMITED');
  assert.ok(Number.isInteger(body.retryAfter));
  const landline = await send('+493012345678');
  assert.deepEqual([landline.status, (await read<Refused>(landline)).code], [400, 'LANDLINE']);
  const spelled = await send('+49 151 23456789');
  assert.deepEqual([spelled.status, (await read<Refused>(spelled)).code], [400, 'INVALID_PHONE_NUMBER']);
  await runTest(folder, 'sign-in.test.js', more);
});

interface Ended {
  readonly by: 'sent' | 'drop' | 'retry';
  readonly reason?: string;
}

test('Auth0: its code is sent as it is, and what fails is told apart by what helps', async (t) => {
  const folder = prepare(t, 'auth0.md', [], 'commonjs');
  const action = createRequire(join(folder, 'x.js'))('./action.js');
  /** The event as Auth0's reference of the trigger describes it, as far as an Action of ours may look. */
  async function send(notification: object, secrets: object = {}): Promise<Ended> {
    let ended: Ended = { by: 'sent' };
    const event = {
      notification: {
        ...{ message_type: 'otp_verify', code: '482913', delivery_method: 'text', locale: 'en-US' },
        ...{ as_text: 'Your code is 482913', as_voice: '', from: '+18085552222', ...notification },
      },
      request: { ip: '203.0.113.9', language: 'en', user_agent: 'curl' },
      secrets: { ...env, ...secrets },
    };
    const api = {
      notification: {
        drop: (reason: string) => {
          ended = { by: 'drop', reason };
        },
        retry: (reason: string) => {
          ended = { by: 'retry', reason };
        },
      },
    };
    await action.onExecuteCustomPhoneProvider(event, api);
    return ended;
  }
  const recipient = freshNumber();
  assert.deepEqual(await send({ recipient }), { by: 'sent' });
  assert.equal(await countersign.code(recipient), '482913');
  const french = freshNumber();
  const called = { recipient: french, delivery_method: 'voice', locale: 'fr-CA', code: '0042' };
  assert.deepEqual(await send(called), { by: 'sent' });
  const [message] = await service.client.messages(french, { key: apiKey });
  assert.deepEqual([message?.channel, message?.code], ['voice', '0042']);
  assert.match(message?.text ?? '', /Votre/);

  const failures: readonly (readonly [object, object, Ended['by'], RegExp])[] = [
    [{ message_type: 'blocked_account', code: undefined }, {}, 'drop', /codes only, not blocked_account/],
    [{}, { COUNTERSIGN_API_KEY: `csk_live_${'x'.repeat(36)}` }, 'drop', /: 401 invalid-key/],
    [
      {},
      { COUNTERSIGN_API_KEY: service.key },
      'drop',
      /: 400 invalid-request options\/custom_code not_permitted/,
    ],
    [{ code: '123' }, {}, 'drop', /options\/custom_code too_short/],
    [{ recipient: '+493012345678' }, {}, 'drop', /: 400 invalid-request destination landline/],
    [{ recipient: '+15005550006' }, {}, 'retry', /: 429 quota-exceeded/],
    [
      {},
      { COUNTERSIGN_URL: `https://localhost:${await freePort()}` },
      'retry',
      /cannot be reached: ECONNREFUSED/,
    ],
  ];
  for (const [notification, secrets, by, reason] of failures) {
    const ended = await send({ recipient, ...notification }, secrets);
    assert.equal(ended.by, by, ended.reason ?? '');
    assert.match(ended.reason ?? '', reason);
    assert.doesNotMatch(ended.reason ?? '', /482913|\d{7}/, 'neither code nor number is in the log of Auth0');
  }
  await runTest(folder, 'action.test.js');
});
