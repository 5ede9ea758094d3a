/** After a walk through every route of the portal, no secret is found in clear anywhere. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { test } from 'node:test';
import { type Answer, eventually, type RequestOptions, wrongCode } from '../acceptance/client.ts';
import { onTwoNodes } from '../acceptance/target.ts';
import { LOOPBACK, openEndpoint } from '../events/endpoint.ts';
import { assertNothingIn, assertNothingOnDisk, Evidence } from '../faults/evidence.ts';
import { listRoutes, type Route } from './catalogue.ts';
import { firstAccount, OWNER, PASSWORD, type PortalRig, read, startPortal, type Visitor } from './rig.ts';
import { createAuthenticator } from './sign-in/authenticator.ts';
import { STEP_MS, totp } from './sign-in/totp.ts';

const NEW_PASSWORD = 'cobalt-violin-meadow';
const RESET_PASSWORD = 'walnut-compass-tide';
const LEAKED_PASSWORD = 'a-password-in-the-wrong-field';
const MAIL_PASSWORD = 'teapot-meadow-anvil';
const SECRETS = [PASSWORD, NEW_PASSWORD, RESET_PASSWORD, LEAKED_PASSWORD];

/** Walked with a provider of single sign-on, in `oidc/`. */
const ELSEWHERE = ['DELETE me/identities/{id}', 'GET oidc/{name}', 'GET oidc/{name}/callback'];

/** Six digits, which may be part of some other number: they count only without digits around them. */
const standsAlone = (digits: string) => new RegExp(`(?<![\\w-])${digits}(?![\\w-])`);

/** Records which routes were answered as they should be, and every token that comes in a cookie. */
class Walk {
  readonly done = new Set<string>();
  readonly digits = new Set<string>();
  readonly evidence = new Evidence(SECRETS);
  readonly #routes: readonly { readonly route: Route; readonly pattern: RegExp }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({
      route,
      pattern: new RegExp(`^${route.template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    }));
  }

  note(method: string, path: string, answer: Pick<Answer, 'status'>): void {
    const [plain = ''] = path.split('?');
    const found = this.#routes.find(({ route, pattern }) => route.method === method && pattern.test(plain));
    assert.ok(found !== undefined, `${method} ${plain} is in the document`);
    if (answer.status < 300) this.done.add(found.route.name);
  }

  get left(): string[] {
    return this.#routes.map(({ route }) => route.name).filter((name) => !this.done.has(name));
  }

  /** A visitor whose every step is recorded. */
  watch(visitor: Visitor): Visitor {
    const send = async (method: string, path: string, body?: unknown, options?: RequestOptions) => {
      const answer = await visitor.send(method, path, body, options);
      this.note(method, path, answer);
      this.evidence.add(...visitor.cookies.values());
      return this.evidence.keep(answer);
    };
    return {
      ...visitor,
      send,
      get: (path) => send('GET', path),
      post: (path, body, options) => send('POST', path, body, options),
    };
  }

  code(digits: string): string {
    this.digits.add(digits);
    return digits;
  }

  token(link: string): string {
    const token = link.trim().split('#')[1] ?? '';
    assert.ok(token.length > 20);
    this.evidence.add(token);
    return token;
  }
}

async function walkKeys(walk: Walk, owner: Visitor, account: string): Promise<string> {
  const path = `/portal/api/accounts/${account}/keys`;
  const restrictions = { channels: [], countries: [], sources: [] };
  const add = { name: 'shop', test: false, expires_at: null, restrictions };
  const created = read<{ key: { id: string }; secret: string }>(await owner.post(path, add));
  read(await owner.send('PATCH', `${path}/${created.key.id}`, { name: 'shop 2' }));
  const rotate = `${path}/${created.key.id}/rotate`;
  const rotated = read<{ key: { id: string }; secret: string }>(
    await owner.post(rotate, { overlap_minutes: 5 }),
  );
  read(await owner.post(`${path}/${created.key.id}/revoke`));
  read(await owner.get(path));
  walk.evidence.add(created.secret, rotated.secret);
  // A key in the wrong place, as people paste them.
  await owner.post(path, { ...add, name: rotated.secret, restrictions: { sources: [rotated.secret] } });
  await owner.get(`${path}?key=${rotated.secret}`);
  const found = read<{ keys: readonly unknown[] }>(
    await owner.post(`${path}/search`, { text: rotated.secret }),
  );
  assert.equal(found.keys.length, 1, 'a key is found by itself');
  assert.equal((await owner.get(`${path}.csv`)).status, 200);
  return rotated.secret;
}

async function walkLookups(
  walk: Walk,
  { service }: PortalRig,
  owner: Visitor,
  account: string,
  key: string,
): Promise<void> {
  const { evidence } = walk;
  const path = `/portal/api/accounts/${account}`;
  const number = evidence.number();
  const sent = await service.client.issue(number, 'sms', { key });
  const guess = wrongCode(sent.code);
  evidence.add(sent.code, guess);
  evidence.keep(await service.client.confirm(sent.id, guess, { key }));
  read(await owner.get(`${path}/verifications`));
  assert.equal((await owner.get(`${path}/verifications.csv`)).status, 200);
  read(await owner.post(`${path}/verifications/search`, { query: number }));
  read(await owner.get(`${path}/verifications/${sent.id}`));
  read(await owner.post(`${path}/verifications/${sent.id}/reveal`));
  read(await owner.post(`${path}/numbers/export`, { destination: number }));
  for (const wrong of [`${number}x`, sent.code]) {
    assert.equal((await owner.post(`${path}/numbers/erase`, { destination: wrong })).status, 400);
  }
  read(await owner.post(`${path}/numbers/erase`, { destination: number }));
  for (const query of [`${number}x`, sent.code, key, evidence.number()]) {
    await owner.post(`${path}/verifications/search`, { query });
  }
  await owner.get(`${path}/verifications?before=${encodeURIComponent(number)}&carrier=${sent.code}`);
  const span = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date().toISOString()}`;
  for (const part of ['', '/earlier', '/carriers']) {
    assert.equal((await owner.get(`${path}/overview${part}?${span}`)).status, 200);
  }
  assert.equal((await owner.get(`${path}/overview.csv?${span}`)).status, 200);
  await owner.get(`${path}/overview?from=${encodeURIComponent(number)}`);
  read(await owner.get(`${path}/carriers`));
  read(await owner.get(`${path}/routing`));
  for (const asked of [number, `${number}x`])
    read(await owner.post(`${path}/explain`, { number: asked, channel: 'sms' }));
  read(await owner.get(`${path}/start`));
  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
  const events = `${path}/handset/events`;
  const stream = get(new URL(events, service.baseUrl), { ca: service.ca, headers: { cookie }, agent: false });
  const [response] = (await once(stream, 'response')) as [IncomingMessage];
  walk.note('GET', events, { status: response.statusCode ?? 0 });
  response.on('error', () => {}).destroy();
}

async function walkDoNotSend({ evidence }: Walk, owner: Visitor, account: string): Promise<void> {
  const list = `/portal/api/accounts/${account}/do-not-send`;
  const [listed, known] = [evidence.number(), evidence.number()];
  for (const number of [listed, known, known, `${known}x`]) await owner.post(`${list}/numbers`, { number });
  const { numbers } = read<{ numbers: readonly { id: string }[] }>(await owner.get(`${list}/numbers`));
  assert.equal(numbers.length, 2);
  assert.equal((await owner.send('DELETE', `${list}/numbers/${numbers[0]?.id}`)).status, 204);
  for (const number of [listed, known]) await owner.post(`${list}/numbers/remove`, { number });
  await owner.post(`${list}/ranges`, { prefix: known });
  await owner.post(`${list}/ranges`, { prefix: '+88213' });
  read(await owner.get(`${list}/ranges`));
  assert.equal((await owner.send('DELETE', `${list}/ranges/88213`)).status, 204);
}

async function walkGuard({ evidence }: Walk, owner: Visitor, account: string): Promise<void> {
  const path = `/portal/api/accounts/${account}/guard`;
  const rule = { action: 'deny', subject: 'number', ends_at: null, reason: 'pumped' };
  const known = evidence.number();
  for (const value of [known, `${known}x`]) await owner.post(`${path}/rules`, { ...rule, value });
  const rules = read<readonly { id: string }[]>(await owner.get(`${path}/rules`));
  assert.equal(rules.length, 1);
  assert.equal((await owner.send('DELETE', `${path}/rules/${rules[0]?.id}`)).status, 204);
  for (const part of ['', '/refusals', '/evidence?place=range4']) read(await owner.get(`${path}${part}`));
  read(await owner.post(`${path}/backtest`, { mode: 'enforce', days: 30 }));
}

async function walkWebhooks(
  { evidence }: Walk,
  { service }: PortalRig,
  owner: Visitor,
  account: string,
  key: string,
): Promise<void> {
  await using endpoint = await openEndpoint();
  const path = `/portal/api/accounts/${account}/webhooks`;
  const wanted = { url: endpoint.url, types: [], full_numbers: true };
  const { webhook, secret } = read<{ webhook: { id: string }; secret: string }>(
    await owner.post(path, wanted),
  );
  endpoint.secrets = [secret];
  const at = `${path}/${webhook.id}`;
  const sent = await service.client.issue(evidence.number(), 'sms', { key });
  const tested = read<{ message: string }>(await owner.post(`${at}/test`)).message;
  const last = await eventually(async () => {
    const { messages } = read<{ messages: readonly { id: string; state: string }[] }>(
      await owner.get(`${at}/messages`),
    );
    return messages.every(({ state }) => state === 'sent') ? messages.at(-1) : undefined;
  });
  assert.ok(last !== undefined && endpoint.received.some(({ id }) => id === tested));
  const message = `${at}/messages/${last.id}`;
  read(await owner.get(message));
  assert.equal((await owner.post(`${message}/replay`)).status, 204);
  const span = { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', also_taken: true };
  read(await owner.post(`${at}/replay`, span));
  const revealed = read<{ secret: string }>(await owner.post(`${at}/reveal`));
  const rotated = read<{ secret: string }>(await owner.post(`${at}/rotate`));
  evidence.add(sent.code, secret, rotated.secret);
  assert.equal(revealed.secret, secret);
  for (const url of [secret, `https://hooks.invalid/#${secret}`]) await owner.post(path, { ...wanted, url });
  read(await owner.get(path));
  read(await owner.get(at));
  read(await owner.send('PATCH', at, { types: ['delivery.failed'] }));
  for (const act of ['disable', 'enable']) assert.equal((await owner.post(`${at}/${act}`)).status, 204);
  assert.equal((await owner.send('DELETE', at)).status, 204);
}

async function walkAlerts({ evidence }: Walk, owner: Visitor, account: string): Promise<void> {
  await using endpoint = await openEndpoint();
  const path = `/portal/api/accounts/${account}/alerts`;
  const url = `${endpoint.url}services/T00-precious-token`;
  const { secret } = read<{ secret: string }>(await owner.send('PUT', `${path}/webhook`, { url }));
  endpoint.secrets = [secret];
  // Whoever has the address of a chat can write there.
  evidence.add(secret, 'T00-precious-token', MAIL_PASSWORD);
  for (const wrong of [secret, `${url}#fragment`]) await owner.send('PUT', `${path}/webhook`, { url: wrong });
  assert.equal((await owner.send('PUT', `${path}/email`)).status, 204);
  for (const channel of ['email', 'webhook']) read(await owner.post(`${path}/${channel}/test`));
  assert.equal(endpoint.received.length, 1);
  assert.equal((await owner.send('PUT', `${path}/rules/owner-new`, { on: false })).status, 204);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const silence = { rule: null, subject: null, until, reason: 'maintenance' };
  assert.equal((await owner.post(`${path}/silences`, silence)).status, 204);
  const { silences } = read<{ silences: readonly { id: string }[] }>(await owner.get(path));
  assert.equal((await owner.send('DELETE', `${path}/silences/${silences[0]?.id}`)).status, 204);
  read(await owner.get(`${path}/count`));
  for (const place of ['email', 'webhook']) {
    assert.equal((await owner.send('DELETE', `${path}/${place}`)).status, 204);
  }
}

async function walkPeople(
  walk: Walk,
  { visitor }: PortalRig,
  owner: Visitor,
  account: string,
): Promise<void> {
  const path = `/portal/api/accounts/${account}`;
  const settings = { brand: 'Acme', locale: null, code_length: null, countries: [] };
  const limits = {
    sends_per_destination: null,
    failed_guesses_per_destination: null,
    budgets: null,
    guard: null,
  };
  read(await owner.send('PUT', `${path}/settings`, { name: 'default', ...settings, ...limits }));
  read(await owner.get(`${path}/settings`));
  const wanted = { email: 'guest@example.com', role: 'viewer' };
  const invited = read<{ id: string; link: string }>(await owner.post(`${path}/invitations`, wanted));
  walk.token(invited.link);
  assert.equal((await owner.send('DELETE', `${path}/invitations/${invited.id}`)).status, 204);
  const again = read<{ link: string }>(await owner.post(`${path}/invitations`, wanted));
  const token = walk.token(again.link);
  const guest = walk.watch(visitor());
  read(await guest.post('/portal/api/invitations/look', { token }));
  const body = { token, name: 'Guest', password: PASSWORD };
  read(await guest.post('/portal/api/invitations/accept', body));
  assert.equal((await guest.post('/portal/api/invitations/accept', body)).status, 403);
  const { id } = read<{ id: string }>(await guest.get('/portal/api/me'));
  read(await owner.get(`${path}/members`));
  assert.equal((await owner.get(`${path}/members.csv`)).status, 200);
  assert.equal((await owner.send('PATCH', `${path}/members/${id}`, { role: 'developer' })).status, 204);
  assert.equal((await owner.send('DELETE', `${path}/members/${id}`)).status, 204);
  read(await owner.get(`${path}/audit`));
  for (const file of ['audit.csv', 'audit.json'])
    assert.equal((await owner.get(`${path}/${file}`)).status, 200);
  read(await owner.post('/portal/api/accounts', { name: 'Second' }));
}

async function walkSignIn(walk: Walk, { service, visitor }: PortalRig, owner: Visitor): Promise<void> {
  const begun = read<{ secret: string; uri: string }>(await owner.post('/portal/api/me/totp'));
  walk.evidence.add(begun.secret);
  const now = walk.code(totp(begun.secret, Date.now()));
  const before = walk.code(totp(begun.secret, Date.now() - STEP_MS));
  await owner.post('/portal/api/me/totp/confirm', { code: walk.code(wrongCode(now)) });
  const confirmed = await owner.post('/portal/api/me/totp/confirm', { code: before });
  const recovery = [
    ...read<{ recovery_codes: string[] }>(confirmed).recovery_codes,
    ...read<{ recovery_codes: string[] }>(await owner.post('/portal/api/me/recovery-codes')).recovery_codes,
  ];
  for (const code of recovery) walk.evidence.add(code, code.replaceAll('-', ''));

  const guest = walk.watch(visitor());
  for (const email of [OWNER, LEAKED_PASSWORD]) {
    await guest.post('/portal/api/session', { email, password: LEAKED_PASSWORD });
  }
  read(await guest.post('/portal/api/session', { email: OWNER, password: PASSWORD }));
  await guest.post('/portal/api/session/second-factor', { code: recovery[0] });
  assert.equal((await guest.post('/portal/api/session/second-factor', { code: now })).status, 204);

  const authenticator = createAuthenticator({ origin: service.baseUrl });
  const ask = async (path: string) =>
    read<{ options: { challenge: string } }>(await owner.post(`${path}/options`)).options;
  const response = authenticator.create(await ask('/portal/api/me/passkeys'));
  const added = read<{ id: string }>(
    await owner.post('/portal/api/me/passkeys', { name: 'Laptop', response }),
  );
  const proof = { response: authenticator.get(await ask('/portal/api/session/passkey')) };
  assert.equal((await owner.post('/portal/api/me/proof/passkey', proof)).status, 204);
  await owner.post('/portal/api/me/proof', { password: LEAKED_PASSWORD });
  assert.equal((await owner.post('/portal/api/me/proof', { password: PASSWORD })).status, 204);
  const answer = { response: authenticator.get(await ask('/portal/api/session/passkey')) };
  assert.equal((await guest.post('/portal/api/session/passkey', answer)).status, 204);
  assert.equal((await guest.send('DELETE', '/portal/api/session')).status, 204);
  assert.equal((await owner.send('DELETE', `/portal/api/me/passkeys/${added.id}`)).status, 204);
  assert.equal((await owner.send('DELETE', '/portal/api/me/totp')).status, 204);

  await owner.post('/portal/api/me/password', { current: LEAKED_PASSWORD, password: NEW_PASSWORD });
  const change = { current: PASSWORD, password: NEW_PASSWORD };
  assert.equal((await owner.post('/portal/api/me/password', change)).status, 204);
  read(await guest.post('/portal/api/session', { email: OWNER, password: NEW_PASSWORD }));
  const sessions = read<{ id: string; current: boolean }[]>(await guest.get('/portal/api/me/sessions'));
  const other = sessions.find(({ current }) => !current);
  assert.equal((await guest.send('DELETE', `/portal/api/me/sessions/${other?.id}`)).status, 204);
  const token = walk.token(await service.command('portal', 'reset', '--email', OWNER));
  const reset = walk.watch(visitor());
  assert.equal((await reset.post('/portal/api/reset', { token, password: 'short' })).status, 400);
  assert.equal((await reset.post('/portal/api/reset', { token, password: RESET_PASSWORD })).status, 204);
  assert.equal((await reset.send('DELETE', '/portal/api/me/sessions')).status, 204);
}

test('a walk through every route leaves no secret in logs, metrics, errors or on the disk', async (t) => {
  const portal = await startPortal(t, {
    // Ten letters never occur by chance, as six digits do.
    config: {
      code: { length: 10, alphabet: 'letters' },
      log: { level: 'trace' },
      webhooks: { privateNetworks: LOOPBACK },
      // Nobody listens there.
      smtp: {
        ...{ host: 'localhost', port: 1, encryption: 'none', from: 'alerts@example.com' },
        ...{ user: 'ada', password: MAIL_PASSWORD },
      },
    },
  });
  const { service } = portal;
  const walk = new Walk(await listRoutes(portal.visitor()));
  const { evidence } = walk;
  const owner = walk.watch(portal.visitor());
  read(await owner.get('/portal/api/state'));
  const greeting = service.logs();
  const body = { token: portal.setupToken(), name: 'Olive', email: OWNER, password: PASSWORD };
  assert.equal((await owner.post('/portal/api/setup', body)).status, 204);
  const { id } = await firstAccount(owner);
  await walkPeople(walk, portal, owner, id);
  const key = await walkKeys(walk, owner, id);
  await walkLookups(walk, portal, owner, id, key);
  await walkDoNotSend(walk, owner, id);
  await walkGuard(walk, owner, id);
  await walkWebhooks(walk, portal, owner, id, key);
  await walkAlerts(walk, owner, id);
  await walkSignIn(walk, portal, owner);
  assert.deepEqual(walk.left.sort(), ELSEWHERE, 'every route was answered as it should be');

  const metrics = (await service.client.get('/metrics', { key: null })).text;
  assert.match(metrics, /countersign/);
  assertNothingIn(evidence, 'the metrics', metrics);
  for (const error of evidence.errors) assertNothingIn(evidence, 'an error', error);
  if (!onTwoNodes) await assertNothingOnDisk(evidence, service, 'while it runs');
  await service.kill9();
  if (!onTwoNodes) await assertNothingOnDisk(evidence, service, 'after a crash');
  // The link of the first start is shown on purpose.
  const log = service.logs().replace(greeting, '');
  assert.ok(log.length > 10_000, 'there are lines of requests');
  assertNothingIn(evidence, 'the log', log);
  // People's addresses are in the store, because their account may see them, and in no log.
  for (const email of [OWNER, 'guest@example.com']) assert.ok(!service.logs().includes(email));
  for (const digits of walk.digits) {
    for (const text of [log, metrics]) assert.doesNotMatch(text, standsAlone(digits));
  }
});
