/** A service that speaks CAMARA, and what its clients do. */
import assert from 'node:assert/strict';
import { eventually, freshNumber, type RequestOptions } from '../acceptance/client.ts';
import { firstAccount, read, type Scope, startPortal } from '../portal/rig.ts';

export const SENDS = 3;
export const GUESSES = 5;
export const MESSAGE = '{{code}} is your code for Acme. It is valid for 10 minutes.';
export const CORRELATOR = 'b4333c46-49c0/4f62:80d7;<f0ef>.{9}_';
export const OTP = 'ONE_TIME_PASSWORD_SMS';

const CONFIG = {
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

const NO_SETTINGS = {
  ...{ brand: null, locale: null, code_length: null, countries: [], budgets: null, guard: null },
  ...{ sends_per_destination: null, failed_guesses_per_destination: null },
};

export type Version = 'v1' | 'v2';

interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  readonly id: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface KeyWishes {
  readonly test?: boolean;
  readonly channels?: readonly string[];
}

interface TokenForm {
  readonly scope?: string;
  readonly grant_type?: string;
}

/** With an account for which it is on, unless something else is said. */
export async function startCamara(scope: Scope) {
  const { service, setUp } = await startPortal(scope, { config: CONFIG });
  const { client } = service;
  const owner = await setUp();
  const account = await firstAccount(owner);
  const path = `/portal/api/accounts/${account.id}`;

  async function makeKey({ test = false, channels = [] }: KeyWishes = {}) {
    const restrictions = { channels, countries: [], sources: [] };
    const body = { name: 'camara', test, expires_at: null, restrictions };
    const made = read<{ key: { id: string }; secret: string }>(await owner.post(`${path}/keys`, body));
    return { id: made.key.id, secret: made.secret };
  }
  const key = (await makeKey()).secret;

  /** Holds what every answer of the standard has. */
  async function call(
    version: Version,
    operation: 'send-code' | 'validate-code',
    body: unknown,
    { headers, ...options }: RequestOptions = {},
  ): Promise<Answered> {
    const answer = await client.post(`/camara/one-time-password-sms/${version}/${operation}`, body, {
      key,
      headers: { 'x-correlator': CORRELATOR, ...headers },
      ...options,
    });
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

  async function sent(version: Version, number = freshNumber()) {
    const { status, id, text } = await sendTo(version, number);
    assert.equal(status, 200, text);
    const message = await client.message(number, id, { key });
    return { id, code: message.code, number, text: message.text };
  }

  async function turn(isOn: boolean): Promise<void> {
    const body = { name: account.name, ...NO_SETTINGS, camara: isOn };
    assert.equal((await owner.send('PUT', `${path}/settings`, body)).status, 200);
    const isSeen = async () => ((await validate('v1', 'ver_0', '1')).status === 404) === isOn || undefined;
    assert.ok(await eventually(isSeen));
  }
  await turn(true);

  async function askToken(secret: string, form: TokenForm = {}, isBasic = false) {
    const fields = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'shop', ...form });
    if (!isBasic) fields.set('client_secret', secret);
    const basic = `Basic ${Buffer.from(`shop:${secret}`).toString('base64')}`;
    const answer = await client.post('/camara/oauth2/token', undefined, {
      ...{ key: null, raw: fields.toString() },
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(isBasic && { authorization: basic }),
      },
    });
    assert.equal(answer.headers['cache-control'], 'no-store');
    const said: Record<string, unknown> = JSON.parse(answer.text);
    return { status: answer.status, said };
  }
  const tokenOf = async (secret: string, form?: TokenForm): Promise<string> =>
    String((await askToken(secret, form)).said.access_token);

  return {
    service,
    client,
    owner,
    path,
    key,
    makeKey,
    call,
    sendTo,
    validate,
    sent,
    turn,
    askToken,
    tokenOf,
  };
}
