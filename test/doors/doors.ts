/** Every door that has codes sent, at one running service: how each is asked, and what a refusal is called there. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import tls from 'node:tls';
import { createHandlers } from '../../client/src/handlers.ts';
import { Countersign } from '../../client/src/index.ts';
import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { type Answer, problemOf } from '../acceptance/client.ts';
import { lendDatabase } from '../emptied-databases.ts';
import { type Gateway, openGateway } from '../faults/gateway.ts';
import { createSystems, hooksOf, type System } from '../hooks/systems.ts';
import { firstAccount, openPortal, read, type Visitor } from '../portal/rig.ts';
import { type Service, startService } from '../service.ts';
import { openAccount } from '../twilio/account.ts';

export type StoreKind = 'embedded' | 'shared';

export interface Door {
  readonly name: string;
  /** Asks for a code to a number; its answer in the words of /verify: `sent`, or the name of a problem. */
  ask(number: string): Promise<string>;
}

export interface Doors extends AsyncDisposable {
  readonly service: Service;
  /** Where messages of live keys arrive. */
  readonly gateway: Gateway;
  readonly owner: Visitor;
  readonly account: Awaited<ReturnType<typeof openAccount>> & { readonly id: string };
  /** The live key of the account that all doors use. */
  readonly key: string;
  readonly all: readonly Door[];
  /** Twilio's façade with another key. */
  twilio(key: string): Door;
}

/** What the façade and the systems that read answers in their own way call a problem. */
const TWILIO: Readonly<Record<number, readonly [status: number, problem: string]>> = {
  60410: [403, 'guarded'],
  60203: [429, 'quota-exceeded'],
};
/** The same of CAMARA, which has one word for this and a landline: only the guard says when to come again. */
const OTP = 'ONE_TIME_PASSWORD_SMS';
const CAMARA: Readonly<Record<string, string>> = {
  [`${OTP}.PHONE_NUMBER_NOT_ALLOWED`]: 'guarded',
  [`${OTP}.MAX_OTP_CODES_EXCEEDED`]: 'quota-exceeded',
};
const TITLES: Readonly<Record<string, string>> = {
  'Temporarily not sending to this destination': 'guarded',
  'Too many codes for this destination': 'quota-exceeded',
};
/** Each another one: what a system sends again within seconds is answered as before. */
let brought = 482_000;
const nextCode = () => String(brought++);

/** `config` is what differs between tests. Where the service is to read it from a file of theirs, `write` is handed all of it. */
export async function openDoors(
  kind: StoreKind,
  config: object,
  { env = {}, write }: { readonly env?: Record<string, string>; write?(config: object): Promise<void> } = {},
): Promise<Doors> {
  await using parts = new AsyncDisposableStack();
  const gateway = parts.use(await openGateway());
  const { key } = mintKey(SYSTEM_RANDOM, false);
  const systems = createSystems(key);
  const whole = {
    carriers: { gateway: gateway.carrier },
    routes: [{ channel: 'sms', carriers: ['gateway'] }],
    messages: { named: { plain: { en: { sms: '{{code}}' } } } },
    hooks: hooksOf(systems, key),
    ...config,
  };
  await write?.(whole);
  const service = parts.use(
    await startService({
      presetKey: key,
      withoutKeys: true,
      ...(write === undefined && { config: whole }),
      env: { ...(await envOf(kind, parts)), ...env },
    }),
  );
  const scope = { after: (close: () => unknown) => parts.defer(async () => void (await close())) };
  const portal = await openPortal(scope, service);
  const owner = await portal.setUp();
  const { id } = await firstAccount(owner);
  const account = { id, ...(await openAccount(owner)) };
  const [made = assert.fail()] = read<{ id: string }[]>(await owner.get(`${account.path}/keys`));
  done(await owner.send('PATCH', `${account.path}/keys/${made.id}`, { custom_codes: true }));
  const { settings } = read<{ settings: object }>(await owner.get(`${account.path}/settings`));
  done(await owner.send('PUT', `${account.path}/settings`, { ...settings, twilio: true, camara: true }));

  const twilio = (secret: string): Door => ({
    name: 'twilio',
    ask: async (to) =>
      readTwilio(await postTwilio(service, secret, 'Verifications', { To: to, Channel: 'sms' })),
  });
  const rest = (name: string, more: object = {}): Door => ({
    name,
    ask: async (destination) =>
      readProblem(await service.client.post('/verify', { destination, channel: 'sms', ...more }, { key })),
  });
  const opened = parts.move();
  return {
    ...{ service, gateway, owner, account, key, twilio },
    all: [
      rest('/verify'),
      rest('/verify, a code of the client’s own', { options: { custom_code: nextCode() } }),
      rest('/verify, for a person who is vouched for', { signals: { is_trusted_user: true } }),
      twilio(key),
      camara(service, key),
      backend(service, key),
      {
        name: 'test of a carrier',
        ask: async (number) =>
          readProblem(await owner.post(`${account.path}/carriers/gateway/test`, { number, channel: 'sms' })),
      },
      ...systems.map((system) => hook(service, system)),
    ],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** That something was changed, whatever the answer says of it. */
export function done({ status, text }: Answer): void {
  assert.ok(status < 300, `answered ${status}: ${text}`);
}

/** The variables by which a service has such a store of its own. */
export async function envOf(kind: StoreKind, parts: AsyncDisposableStack): Promise<Record<string, string>> {
  if (kind === 'embedded') return {};
  const database = await lendDatabase();
  parts.defer(() => database.giveBack());
  return { COUNTERSIGN_STORE_URL: database.url, COUNTERSIGN_SECRET: randomBytes(32).toString('hex') };
}

/** What a refusal must have wherever it says when to come again. */
function saysWhen({ headers }: Answer): void {
  assert.match(headers['retry-after'] ?? '', /^\d+$/);
}

function readProblem(answer: Answer): string {
  if (answer.status === 200) return 'sent';
  const problem = problemOf(answer) ?? answer.text;
  if (answer.status === 429) saysWhen(answer);
  // Nothing in it helps to find out what would be let through.
  if (problem === 'guarded') {
    assert.equal(answer.headers['retry-after'], '60');
    assert.doesNotMatch(answer.text, /rule|deny|pause/);
  }
  return problem;
}

/** Asks an operation of the façade. */
export function postTwilio(
  { client }: Service,
  secret: string,
  operation: 'Verifications' | 'VerificationCheck',
  form: Readonly<Record<string, string>>,
): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`AC${'a'.repeat(32)}:${secret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const raw = new URLSearchParams(form).toString();
  const path = `/twilio/v2/Services/VA${'b'.repeat(32)}/${operation}`;
  return client.post(path, undefined, { key: null, raw, headers });
}

function readTwilio(answer: Answer): string {
  if (answer.status === 201) return 'sent';
  const { code, message, more_info, status } = JSON.parse(answer.text);
  const [expected, problem] = TWILIO[code] ?? assert.fail(answer.text);
  assert.deepEqual(
    { http: answer.status, status, more_info, message: typeof message },
    {
      ...{ http: expected, status: expected, message: 'string' },
      more_info: `https://www.twilio.com/docs/errors/${code}`,
    },
  );
  saysWhen(answer);
  return problem;
}

function camara({ client }: Service, key: string): Door {
  return {
    name: 'camara',
    ask: async (phoneNumber) => {
      const body = { phoneNumber, message: '{{code}}' };
      const answer = await client.post('/camara/one-time-password-sms/v1/send-code', body, { key });
      if (answer.status === 200) return 'sent';
      const { code, message, status } = JSON.parse(answer.text);
      assert.deepEqual([answer.status, status, typeof message], [403, 403, 'string']);
      saysWhen(answer);
      return CAMARA[code] ?? assert.fail(answer.text);
    },
  };
}

function hook({ client }: Service, { name, make }: System): Door {
  return {
    name,
    ask: async (number) => {
      const { headers, body: raw } = make(number, nextCode()).send();
      const answer = await client.post(`/hooks/${name}`, undefined, { key: null, raw, headers });
      const titleOf = (text: unknown) => TITLES[String(text)] ?? assert.fail(answer.text);
      if (name === 'supabase' && 'error' in answer.json) {
        const { error } = JSON.parse(answer.text);
        assert.deepEqual([answer.status, error.http_code], [200, 429]);
        return titleOf(error.message);
      }
      if (answer.status === 200) return 'sent';
      saysWhen(answer);
      if (name === 'authgear') {
        const { code, description } = JSON.parse(answer.text);
        assert.deepEqual([answer.status, code], [429, 'rate_limited']);
        return titleOf(description);
      }
      if (name === 'authentik') {
        assert.equal(answer.status, 429);
        return titleOf(answer.text);
      }
      return readProblem(answer);
    },
  };
}

/** The handlers of an application's backend, which the web component speaks to. Whoever asks there is not told why. */
function backend({ baseUrl, ca }: Service, apiKey: string): Door {
  // Node's fetch has no certificates of its own to be told.
  tls.setDefaultCACertificates([...tls.getCACertificates(), ca]);
  const { start } = createHandlers({
    countersign: new Countersign({ apiKey, baseUrl, maxRetries: 0 }),
    secret: randomBytes(32).toString('hex'),
    onConfirmed: () => undefined,
  });
  return {
    name: 'backend of the web component',
    ask: async (destination) => {
      const body = JSON.stringify({ destination });
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
      const answer = await start(
        new Request('https://app.example.com/verify', { method: 'POST', headers, body }),
      );
      if (answer.status === 200) return 'sent';
      const { ok, reason, retryAfter } = JSON.parse(await answer.text());
      assert.deepEqual([answer.status, ok, typeof retryAfter], [429, false, 'number']);
      return reason;
    },
  };
}
