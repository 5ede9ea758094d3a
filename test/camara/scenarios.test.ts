/** Every scenario that CAMARA has published of one-time-password-sms, in both versions, against a whole service, and what crosses. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { eventually, freshNumber, type RequestOptions, wrongCode } from '../acceptance/client.ts';
import { firstAccount, type PortalRig, read, startPortal } from '../portal/rig.ts';

const LANDLINE = '+493012345678';
const SENDS = 3;
const GUESSES = 5;
const MESSAGE = '{{code}} is your code for Acme. It is valid for 10 minutes.';
const CORRELATOR = 'b4333c46-49c0/4f62:80d7;<f0ef>.{9}_';
const NOTHING = {
  ...{ brand: null, locale: null, code_length: null, countries: [], budgets: null, guard: null },
  ...{ sends_per_destination: null, failed_guesses_per_destination: null },
};

const cleanups: (() => unknown)[] = [];
let rig: PortalRig;
let owner: Awaited<ReturnType<PortalRig['setUp']>>;
let path: string;
let name: string;
let key: string;

before(async () => {
  const config = {
    routes: [{ channel: 'sms', carriers: ['simulator'], countries: ['DE'] }],
    limits: { sendsPerDestination: [`${SENDS}/1h`] },
    messages: {
      brand: 'Acme',
      named: {
        login: {
          en: { sms: '{{code}} is your code for {{brand}}. It is valid for {{minutes}} minutes.' },
          de: { sms: '{{code}} ist dein Code.\nGib ihn niemandem.' },
        },
      },
    },
  };
  rig = await startPortal({ after: (close) => cleanups.push(close) }, { config });
  owner = await rig.setUp();
  const account = await firstAccount(owner);
  path = `/portal/api/accounts/${account.id}`;
  name = account.name;
  key = await createKey();
  await turn({ camara: true });
});
after(async () => {
  for (const close of cleanups.reverse()) await close();
});

interface MadeKey {
  readonly id: string;
  readonly secret: string;
}

async function makeKey({ test = false, channels = [] as string[] } = {}): Promise<MadeKey> {
  const restrictions = { channels, countries: [], sources: [] };
  const body = { name: 'camara', test, expires_at: null, restrictions };
  const { key, secret } = read<{ key: { id: string }; secret: string }>(
    await owner.post(`${path}/keys`, body),
  );
  return { id: key.id, secret };
}

const createKey = async (wanted?: Parameters<typeof makeKey>[0]) => (await makeKey(wanted)).secret;

async function turn(doors: { readonly camara?: boolean; readonly twilio?: boolean }): Promise<void> {
  assert.equal((await owner.send('PUT', `${path}/settings`, { name, ...NOTHING, ...doors })).status, 200);
  const isOn = async () => {
    const { status } = await call('v1', 'validate-code', { authenticationId: 'ver_0', code: '1' });
    return (status === 404) === (doors.camara === true) || undefined;
  };
  assert.ok(await eventually(isOn));
}

type Version = 'v1' | 'v2';

interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  readonly id: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Holds what every answer of the standard has. */
async function call(
  version: Version,
  operation: 'send-code' | 'validate-code',
  body: unknown,
  { headers, ...options }: RequestOptions = {},
): Promise<Answered> {
  const answer = await rig.service.client.post(
    `/camara/one-time-password-sms/${version}/${operation}`,
    body,
    {
      key,
      headers: { 'x-correlator': CORRELATOR, ...headers },
      ...options,
    },
  );
  const { status, text } = answer;
  if (headers?.['x-correlator'] === undefined) assert.equal(answer.headers['x-correlator'], CORRELATOR);
  const isEmpty = status === 204;
  assert.equal(text === '', isEmpty);
  if (!isEmpty) assert.match(String(answer.headers['content-type']), /^application\/json/);
  const said: Record<string, unknown> = isEmpty ? {} : JSON.parse(text);
  if (status >= 400) {
    assert.deepEqual(Object.keys(said), ['status', 'code', 'message']);
    assert.equal(said.status, status);
    assert.ok(String(said.message).length > 10);
  }
  const code = said.code === undefined ? undefined : String(said.code);
  return { status, code, id: String(said.authenticationId ?? ''), headers: answer.headers, text };
}

const sendTo = (version: Version, phoneNumber: string, more: object = {}, options?: RequestOptions) =>
  call(version, 'send-code', { phoneNumber, message: MESSAGE, ...more }, options);
const validate = (version: Version, authenticationId: string, code: string, options?: RequestOptions) =>
  call(version, 'validate-code', { authenticationId, code }, options);

async function sent(version: Version, number = freshNumber(), options?: RequestOptions) {
  const { status, id, text } = await sendTo(version, number, {}, options);
  assert.equal(status, 200, text);
  const { code, text: read } = await rig.service.client.message(number, id, { key, ...options });
  return { id, code, number, read };
}

const OTP = 'ONE_TIME_PASSWORD_SMS';

for (const version of ['v1', 'v2'] as const) {
  suite(`one-time-password-sms ${version}`, () => {
    test('a code is sent in the words of the client, and is right once', async () => {
      const { id, code, read } = await sent(version);
      assert.ok(id.length <= 36);
      assert.equal(read, MESSAGE.replace('{{code}}', code));
      assert.equal((await validate(version, id, code)).status, 204);
      const again = await validate(version, id, code);
      assert.deepEqual([again.status, again.code], [400, `${OTP}.VERIFICATION_EXPIRED`]);
    });

    test('without a correlator there is none in the answer', async () => {
      const { id, status, headers } = await sendTo(
        version,
        freshNumber(),
        {},
        { headers: { 'x-correlator': '' } },
      );
      assert.deepEqual([status, headers['x-correlator']], [200, undefined]);
      assert.notEqual(id, '');
    });

    test('a correlator that is malformed is refused, and not repeated', async () => {
      for (const malformed of ['a b', 'x'.repeat(257)]) {
        const options = { headers: { 'x-correlator': malformed } };
        const { status, code, headers } = await sendTo(version, freshNumber(), {}, options);
        assert.deepEqual([status, code, headers['x-correlator']], [400, 'INVALID_ARGUMENT', undefined]);
      }
    });

    test('a body that does not keep to the schema is refused, and uses nothing up', async () => {
      const phoneNumber = freshNumber();
      const unsent: readonly unknown[] = [
        ...[undefined, {}, [], { phoneNumber }, { message: MESSAGE }, { phoneNumber, message: '' }],
        ...['3301', '+49 151', '+0491', `tel:${phoneNumber}`, 7].map((each) => ({
          phoneNumber: each,
          message: MESSAGE,
        })),
        ...[
          'message without code',
          `${MESSAGE} ${'x'.repeat(160)}`,
          '{{ code }}',
          '{{code}} is a text of our own',
        ].map((message) => ({ phoneNumber, message })),
      ];
      for (const body of unsent) {
        const { status, code, text } = await call(version, 'send-code', body);
        assert.deepEqual([status, code], [400, 'INVALID_ARGUMENT'], JSON.stringify(body));
        assert.ok(!text.includes(phoneNumber.slice(1)));
      }
      const { id, code } = await sent(version, phoneNumber);
      for (const body of [
        ...[undefined, {}, { authenticationId: id }, { code }, { authenticationId: id, code: '' }],
        { authenticationId: id, code: 'thisCodeExceedsTenCharacters' },
        { authenticationId: 'x'.repeat(37), code },
      ]) {
        const refused = await call(version, 'validate-code', body);
        assert.deepEqual([refused.status, refused.code], [400, 'INVALID_ARGUMENT'], JSON.stringify(body));
      }
      for (let guess = 1; guess < GUESSES; guess++) await validate(version, id, wrongCode(code));
      assert.equal((await validate(version, id, code)).status, 204);
    });

    test('a message in another of the operator’s texts is sent, whatever its white space', async () => {
      const number = freshNumber();
      const message = ' {{code}}  ist dein Code. Gib ihn\nniemandem.';
      const { id, status } = await sendTo(version, number, { message });
      assert.equal(status, 200);
      const found = await rig.service.client.message(number, id, { key });
      assert.equal(found.text, `${found.code} ist dein Code.\nGib ihn niemandem.`);
    });

    test('without a valid key or token nothing is looked at', async () => {
      const token = await tokenOf(key);
      for (const [bearer, header] of [
        [null, 'Bearer'],
        ['nonsense', 'Bearer error="invalid_token"'],
        [`${token.slice(0, -4)}AAAA`, 'Bearer error="invalid_token"'],
      ] as const) {
        for (const operation of ['send-code', 'validate-code'] as const) {
          const { status, code, headers } = await call(version, operation, undefined, { key: bearer });
          assert.deepEqual([status, code], [401, 'UNAUTHENTICATED']);
          assert.equal(headers['www-authenticate'], header);
        }
      }
    });

    test('a number gets so many codes and no more, and a refusal ends nothing', async () => {
      const number = freshNumber();
      let last = await sent(version, number);
      for (let n = 1; n < SENDS; n++) last = await sent(version, number);
      const { status, code, headers } = await sendTo(version, number);
      assert.deepEqual([status, code], [403, `${OTP}.MAX_OTP_CODES_EXCEEDED`]);
      assert.ok(Number(headers['retry-after']) > 0);
      assert.equal((await validate(version, last.id, last.code)).status, 204);
    });

    test('what receives no SMS, is blocked, or is not served is refused', async () => {
      const blocked = freshNumber();
      const put = await owner.post(`${path}/do-not-send/numbers`, { number: blocked });
      assert.equal(put.status, 204, put.text);
      for (const [number, status, code] of [
        [LANDLINE, 403, `${OTP}.PHONE_NUMBER_NOT_ALLOWED`],
        ['+881612345678', 403, `${OTP}.PHONE_NUMBER_NOT_ALLOWED`],
        [blocked, 403, `${OTP}.PHONE_NUMBER_BLOCKED`],
        ['+447400123456', 404, 'NOT_FOUND'],
        ['+4915', 400, 'INVALID_ARGUMENT'],
      ] as const) {
        const refused = await sendTo(version, number);
        assert.deepEqual([refused.status, refused.code], [status, code], number);
      }
    });

    test('a wrong code is invalid, and the last of them ends the verification', async () => {
      const { id, code } = await sent(version);
      const codes: (string | undefined)[] = [];
      for (let guess = 0; guess < GUESSES; guess++)
        codes.push((await validate(version, id, wrongCode(code))).code);
      const failed = `${OTP}.VERIFICATION_FAILED`;
      assert.deepEqual(codes, [...Array(GUESSES - 1).fill(`${OTP}.INVALID_OTP`), failed]);
      const right = await validate(version, id, code);
      assert.deepEqual([right.status, right.code], [400, failed]);
    });

    test('a code is not right when its time is over, or a newer one was sent', async () => {
      const late = await sent(version);
      using database = new DatabaseSync(join(rig.service.dataDir, 'countersign.db'), { timeout: 20_000 });
      database.prepare('UPDATE verification SET expires_at = created_at WHERE id = ?').run(late.id);
      const first = await sent(version);
      const second = await sent(version, first.number);
      for (const { id, code } of [late, first]) {
        const expired = await validate(version, id, code);
        assert.deepEqual([expired.status, expired.code], [400, `${OTP}.VERIFICATION_EXPIRED`]);
      }
      assert.equal((await validate(version, second.id, second.code)).status, 204);
    });

    test('an id of nobody, or of a key of the other kind, is not found', async () => {
      const { id, code } = await sent(version);
      const asTest = { key: await createKey({ test: true }) };
      for (const found of [
        await validate(version, `ver_${'0'.repeat(32)}`, code),
        await validate(version, 'nonsense', code),
        await validate(version, id, code, asTest),
      ]) {
        assert.deepEqual([found.status, found.code], [404, 'NOT_FOUND']);
      }
      assert.equal((await validate(version, id, code)).status, 204);
    });

    test('a key that may not send SMS has no permission', async () => {
      const { status, code } = await sendTo(
        version,
        freshNumber(),
        {},
        { key: await createKey({ channels: ['voice'] }) },
      );
      assert.deepEqual([status, code], [403, 'PERMISSION_DENIED']);
    });

    test('another method is not allowed, another path is not there, and another type is not read', async () => {
      const options = { key, headers: { 'x-correlator': CORRELATOR } };
      const base = `/camara/one-time-password-sms/${version}`;
      const { client } = rig.service;
      const got = await client.get(`${base}/send-code`, options);
      assert.deepEqual(
        [got.status, got.headers.allow, JSON.parse(got.text).code],
        [405, 'POST', 'METHOD_NOT_ALLOWED'],
      );
      const lost = await client.post(`${base}/send`, {}, options);
      assert.deepEqual([lost.status, JSON.parse(lost.text).code], [404, 'NOT_FOUND']);
      for (const answer of [got, lost]) assert.equal(answer.headers['x-correlator'], CORRELATOR);
      const form = await call(version, 'send-code', {}, { headers: { 'content-type': 'text/plain' } });
      assert.deepEqual([form.status, form.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
    });
  });
}

test('the second version refuses what it does not know, the first does not mind', async () => {
  const more = { validity: 7 };
  assert.equal((await sendTo('v1', freshNumber(), more)).status, 200);
  const { status, code } = await sendTo('v2', freshNumber(), more);
  assert.deepEqual([status, code], [400, 'INVALID_ARGUMENT']);
});

interface TokenForm {
  readonly scope?: string;
  readonly grant_type?: string;
}

async function askToken(secret: string, form: TokenForm = {}, isBasic = false) {
  const fields = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'shop', ...form });
  if (!isBasic) fields.set('client_secret', secret);
  const basic = `Basic ${Buffer.from(`shop:${secret}`).toString('base64')}`;
  const answer = await rig.service.client.post('/camara/oauth2/token', undefined, {
    ...{ key: null, raw: fields.toString() },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: basic }),
    },
  });
  assert.equal(answer.headers['cache-control'], 'no-store');
  const said: Record<string, unknown> = JSON.parse(answer.text);
  return { status: answer.status, said, headers: answer.headers };
}

const tokenOf = async (secret: string, form?: TokenForm): Promise<string> =>
  String((await askToken(secret, form)).said.access_token);

suite('access tokens', () => {
  test('a token made with a key sends and validates as the key does, live and test', async () => {
    for (const isTest of [false, true]) {
      const secret = await createKey({ test: isTest });
      for (const isBasic of [false, true]) {
        const scope = 'one-time-password-sms:send-validate dpv:FraudPreventionAndDetection';
        const { status, said } = await askToken(secret, { scope }, isBasic);
        assert.deepEqual(
          [status, said.token_type, said.expires_in, said.scope],
          [200, 'Bearer', 3_600, scope],
        );
        const token = String(said.access_token);
        assert.ok(!token.includes(secret));
        const number = freshNumber();
        const { status: done, id } = await sendTo('v1', number, {}, { key: token });
        assert.equal(done, 200);
        const { code } = await rig.service.client.message(number, id, { key: secret });
        assert.equal((await validate('v2', id, code, { key: token })).status, 204);
      }
    }
  });

  test('a token opens no other door', async () => {
    const token = await tokenOf(key);
    assert.equal((await rig.service.client.verify(freshNumber(), 'sms', { key: token })).status, 401);
  });

  test('a token without the scope has no permission', async () => {
    const token = await tokenOf(key, { scope: 'dpv:FraudPreventionAndDetection' });
    const { status, code } = await sendTo('v1', freshNumber(), {}, { key: token });
    assert.deepEqual([status, code], [403, 'PERMISSION_DENIED']);
  });

  test('a token ends with its key', async () => {
    const { id, secret } = await makeKey();
    const token = await tokenOf(secret);
    assert.equal((await sendTo('v1', freshNumber(), {}, { key: token })).status, 200);
    read(await owner.post(`${path}/keys/${id}/revoke`));
    const ended = await eventually(async () => {
      const { status } = await sendTo('v1', freshNumber(), {}, { key: token });
      return status === 401 || undefined;
    });
    assert.ok(ended);
  });

  test('what is no request for a token is refused in the words of OAuth', async () => {
    for (const [secret, form, status, error] of [
      [key, { grant_type: 'password' }, 400, 'unsupported_grant_type'],
      ['nonsense', {}, 401, 'invalid_client'],
      ['', {}, 401, 'invalid_client'],
      [key, { scope: 'openid' }, 400, 'invalid_scope'],
      [key, { scope: 'dpv:One dpv:Two' }, 400, 'invalid_scope'],
    ] as const) {
      const answer = await askToken(secret, form);
      assert.deepEqual([answer.status, answer.said.error], [status, error]);
    }
    const { status, text } = await rig.service.client.post('/camara/oauth2/token', {}, { key: null });
    assert.deepEqual([status, JSON.parse(text).error], [400, 'invalid_request']);
  });
});

suite('beside the other doors', () => {
  test('a code of one door is confirmed at another, once', async () => {
    const ours = await sent('v1');
    assert.equal((await rig.service.client.confirm(ours.id, ours.code, { key })).status, 200);
    assert.equal((await validate('v1', ours.id, ours.code)).code, `${OTP}.VERIFICATION_EXPIRED`);
    const theirs = await rig.service.client.issue(freshNumber(), 'sms', { key });
    assert.equal((await validate('v2', theirs.id, theirs.code)).status, 204);
    assert.equal((await rig.service.client.confirm(theirs.id, theirs.code, { key })).status, 409);
  });

  test('a code that is sent here ends those of /verify, and one of /verify ends none', async () => {
    const number = freshNumber();
    const first = await rig.service.client.issue(number, 'sms', { key });
    const second = await sent('v1', number);
    const third = await rig.service.client.issue(number, 'sms', { key });
    assert.equal((await validate('v1', first.id, first.code)).code, `${OTP}.VERIFICATION_EXPIRED`);
    assert.equal((await validate('v1', second.id, second.code)).status, 204);
    // A number is approved once.
    assert.equal((await validate('v1', third.id, third.code)).code, `${OTP}.VERIFICATION_EXPIRED`);
  });

  test('it is off until an owner turns it on, and the audit log says who did', async () => {
    await turn({});
    const { status, code } = await sendTo('v1', freshNumber());
    assert.deepEqual([status, code], [403, 'PERMISSION_DENIED']);
    assert.deepEqual((await askToken(key)).said.error, 'unauthorized_client');
    await turn({ camara: true });
    const { entries } = read<{ entries: { detail: string }[] }>(await owner.get(`${path}/audit`));
    assert.ok(entries.some(({ detail }) => detail === 'CAMARA: on'));
  });

  test('keys and tokens are in no line of the log', async () => {
    const token = await tokenOf(key);
    await sendTo('v1', freshNumber(), {}, { key: token });
    const log = rig.service.logs();
    assert.ok(!log.includes(token) && !log.includes(key));
  });
});
