/** What applies to every route of the portal: who may use it, from where, and the security headers of each answer. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Answer, freshNumber, problemOf } from '../acceptance/client.ts';
import { listRoutes, type Route, SAMPLES } from './catalogue.ts';
import { firstAccount, type PortalRig, read, readMe, startPortal, type Visitor } from './rig.ts';

type Role = 'viewer' | 'developer' | 'owner';

/** The lowest role for each route of an account. A route that is missing here requires more than any role has. */
const LEAST: Readonly<Record<string, Role>> = {
  'GET accounts/{account}/members': 'viewer',
  'GET accounts/{account}/members.csv': 'viewer',
  'PATCH accounts/{account}/members/{id}': 'owner',
  'DELETE accounts/{account}/members/{id}': 'owner',
  'POST accounts/{account}/invitations': 'owner',
  'DELETE accounts/{account}/invitations/{id}': 'owner',
  'GET accounts/{account}/audit': 'developer',
  'GET accounts/{account}/audit.csv': 'developer',
  'GET accounts/{account}/audit.json': 'developer',
  'GET accounts/{account}/keys': 'viewer',
  'GET accounts/{account}/keys.csv': 'viewer',
  'POST accounts/{account}/keys/search': 'viewer',
  'POST accounts/{account}/keys': 'developer',
  'PATCH accounts/{account}/keys/{id}': 'developer',
  'POST accounts/{account}/keys/{id}/rotate': 'developer',
  'POST accounts/{account}/keys/{id}/revoke': 'developer',
  'GET accounts/{account}/settings': 'viewer',
  'PUT accounts/{account}/settings': 'owner',
  'GET accounts/{account}/start': 'viewer',
  'PUT accounts/{account}/start/dismissal': 'developer',
  'GET accounts/{account}/overview': 'viewer',
  'GET accounts/{account}/overview.csv': 'viewer',
  'GET accounts/{account}/overview/total': 'viewer',
  'GET accounts/{account}/overview/parts': 'viewer',
  'GET accounts/{account}/overview/earlier': 'viewer',
  'GET accounts/{account}/overview/changes': 'viewer',
  'GET accounts/{account}/overview/carriers': 'viewer',
  'GET accounts/{account}/carriers': 'viewer',
  'GET accounts/{account}/routing': 'viewer',
  'GET accounts/{account}/countries': 'viewer',
  'POST accounts/{account}/explain': 'viewer',
  'GET accounts/{account}/carriers/tests': 'viewer',
  'POST accounts/{account}/carriers/{carrier}/test': 'owner',
  'GET accounts/{account}/configuration': 'owner',
  'GET accounts/{account}/configuration/forms': 'owner',
  'GET accounts/{account}/verifications': 'viewer',
  'GET accounts/{account}/verifications/count': 'viewer',
  'GET accounts/{account}/verifications.csv': 'viewer',
  'POST accounts/{account}/verifications/search': 'viewer',
  'GET accounts/{account}/verifications/{id}': 'viewer',
  'POST accounts/{account}/verifications/{id}/feedback': 'developer',
  'POST accounts/{account}/verifications/{id}/reveal': 'owner',
  'POST accounts/{account}/numbers/export': 'owner',
  'POST accounts/{account}/numbers/erase': 'owner',
  'GET accounts/{account}/handset/events': 'viewer',
  'GET accounts/{account}/guard': 'viewer',
  'GET accounts/{account}/guard/refusals': 'viewer',
  'GET accounts/{account}/guard/evidence': 'viewer',
  'POST accounts/{account}/guard/backtest': 'developer',
  'GET accounts/{account}/guard/rules': 'viewer',
  'POST accounts/{account}/guard/rules': 'owner',
  'DELETE accounts/{account}/guard/rules/{id}': 'owner',
  'GET accounts/{account}/do-not-send/numbers': 'viewer',
  'POST accounts/{account}/do-not-send/numbers': 'developer',
  'POST accounts/{account}/do-not-send/numbers/remove': 'developer',
  'DELETE accounts/{account}/do-not-send/numbers/{id}': 'developer',
  'GET accounts/{account}/do-not-send/ranges': 'viewer',
  'POST accounts/{account}/do-not-send/ranges': 'developer',
  'DELETE accounts/{account}/do-not-send/ranges/{prefix}': 'developer',
  'GET accounts/{account}/alerts': 'viewer',
  'GET accounts/{account}/alerts/history': 'viewer',
  'GET accounts/{account}/alerts/count': 'viewer',
  'PUT accounts/{account}/alerts/email': 'developer',
  'DELETE accounts/{account}/alerts/email': 'developer',
  'POST accounts/{account}/alerts/email/test': 'developer',
  'PUT accounts/{account}/alerts/webhook': 'owner',
  'DELETE accounts/{account}/alerts/webhook': 'owner',
  'POST accounts/{account}/alerts/webhook/test': 'owner',
  'GET accounts/{account}/webhooks': 'viewer',
  'POST accounts/{account}/webhooks': 'developer',
  'GET accounts/{account}/webhooks/{id}': 'viewer',
  'PATCH accounts/{account}/webhooks/{id}': 'developer',
  'DELETE accounts/{account}/webhooks/{id}': 'developer',
  'POST accounts/{account}/webhooks/{id}/reveal': 'developer',
  'POST accounts/{account}/webhooks/{id}/rotate': 'developer',
  'POST accounts/{account}/webhooks/{id}/enable': 'developer',
  'POST accounts/{account}/webhooks/{id}/disable': 'developer',
  'POST accounts/{account}/webhooks/{id}/test': 'developer',
  'POST accounts/{account}/webhooks/{id}/replay': 'developer',
  'GET accounts/{account}/webhooks/{id}/messages': 'viewer',
  'GET accounts/{account}/webhooks/{id}/messages/{message}': 'viewer',
  'POST accounts/{account}/webhooks/{id}/messages/{message}/replay': 'developer',
};
const ROLES = ['viewer', 'developer', 'owner'] as const;

/** Routes for people who are not signed in yet. */
const OPEN = [
  'GET state',
  'POST setup',
  'POST reset',
  'POST session',
  'POST session/second-factor',
  'POST session/passkey/options',
  'POST session/passkey',
  'GET oidc/{name}',
  'GET oidc/{name}/callback',
  'POST invitations/look',
  'POST invitations/accept',
];

/** Put on the do-not-send list, and taken off it. */
const LISTED = freshNumber();

/** For routes whose fields are more than their schema says. */
const BODIES: readonly (readonly [
  place: string,
  body: (full: Readonly<Record<string, string>>) => object,
])[] = [
  ['verifications/search', ({ verifications }) => ({ query: verifications })],
  ['/do-not-send/numbers', () => ({ number: LISTED })],
  [
    '/guard/rules',
    () => ({ action: 'allow', subject: 'range', value: '+88213', ends_at: null, reason: 'ours' }),
  ],
  ['/numbers/', () => ({ destination: freshNumber() })],
  [
    '/webhooks/{id}/replay',
    () => ({ from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', also_taken: true }),
  ],
];

/** A stream that does not end is tested elsewhere. */
const isStream = ({ name }: Route) => name.endsWith('/events');

suite('every route of the portal', () => {
  let rig: PortalRig;
  let routes: readonly Route[];
  let owner: Visitor;
  let members: Readonly<Record<Role, Visitor>>;
  /** An account with a key, a verification, a member and an invitation, and one without any. */
  let full: Readonly<Record<string, string>>;
  let empty: string;
  const closers: (() => unknown)[] = [];

  before(async () => {
    rig = await startPortal({ after: (close) => void closers.push(close) });
    owner = await rig.setUp();
    routes = await listRoutes(rig.visitor());
    members = {
      owner,
      developer: await rig.join(owner, 'developer', 'dev@example.com'),
      viewer: await rig.join(owner, 'viewer', 'view@example.com'),
    };
    const { id: account } = await firstAccount(owner);
    const path = `/portal/api/accounts/${account}`;
    const restrictions = { channels: [], countries: [], sources: [] };
    const body = { name: 'shop', test: true, expires_at: null, restrictions };
    const made = read<{ key: { id: string }; secret: string }>(await owner.post(`${path}/keys`, body));
    const sent = await rig.service.client.issue(freshNumber(), 'sms', { key: made.secret });
    const wanted = { email: 'later@example.com', role: 'viewer' };
    const invited = read<{ id: string }>(await owner.post(`${path}/invitations`, wanted));
    await owner.post(`${path}/do-not-send/numbers`, { number: freshNumber() });
    const blocked = read<{ numbers: { id: string }[] }>(await owner.get(`${path}/do-not-send/numbers`));
    const rule = { action: 'deny', subject: 'range', value: '+88213', ends_at: null, reason: 'fraud' };
    await owner.post(`${path}/guard/rules`, rule);
    const [guarded] = read<{ id: string }[]>(await owner.get(`${path}/guard/rules`));
    const hook = { url: SAMPLES.url, types: [] };
    const endpoint = read<{ webhook: { id: string } }>(await owner.post(`${path}/webhooks`, hook)).webhook.id;
    const sentTest = await owner.post(`${path}/webhooks/${endpoint}/test`);
    full = {
      account,
      webhooks: endpoint,
      message: read<{ message: string }>(sentTest).message,
      keys: made.key.id,
      verifications: sent.id,
      members: (await readMe(members.viewer)).id,
      invitations: invited.id,
      guard: guarded?.id ?? '',
      'do-not-send': blocked.numbers[0]?.id ?? '',
    };
    empty = read<{ id: string }>(await owner.post('/portal/api/accounts', { name: 'Empty' })).id;
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
  });

  /** The headers that every answer must have, and the documented refusals. */
  function check(route: Route, answer: Answer): Answer {
    const { headers } = answer;
    const at = `${route.name}: ${answer.status}`;
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/, at);
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, at);
    assert.equal(headers['x-content-type-options'], 'nosniff', at);
    assert.equal(headers['x-frame-options'], 'DENY', at);
    assert.equal(headers['referrer-policy'], 'no-referrer', at);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin', at);
    assert.equal(headers['cache-control'], 'no-store', at);
    const problem = problemOf(answer);
    if (problem !== undefined) {
      assert.ok(route.problems.includes(problem), `${at} ${problem} is not in the document`);
    }
    return answer;
  }

  /** The ids of the full account, under another account if given. */
  const pathIn = (route: Route, account = full.account ?? '') => {
    const of = /\{account\}\/([\w-]+)/.exec(route.template)?.[1] ?? '';
    const { prefix } = SAMPLES;
    const { message } = full;
    return (
      route.path({
        account,
        prefix: prefix.slice(1),
        ...{ rule: 'owner-new', carrier: 'simulator' },
        ...(message !== undefined && { message }),
        ...(full[of] === undefined ? {} : { id: full[of] }),
      }) + route.query
    );
  };
  const ask = async (visitor: Visitor, route: Route, path: string, headers: Record<string, string> = {}) => {
    const body = BODIES.find(([place]) => route.name.includes(place))?.[1](full) ?? route.body;
    return check(route, await visitor.send(route.method, path, body, { headers }));
  };

  test('is listed here, with the role it requires', () => {
    const names = routes.filter(({ ofAccount }) => ofAccount).map(({ name }) => name);
    assert.deepEqual(names.sort(), Object.keys(LEAST).sort());
    const open = routes.filter(({ asksForSession }) => !asksForSession).map(({ name }) => name);
    assert.deepEqual(open.sort(), [...OPEN].sort());
  });

  test('says in words what each pattern of its fields requires', async () => {
    const { paths } = read<{ paths: Record<string, unknown> }>(await owner.get('/portal/openapi.json'));
    let patterns = 0;
    // The description of a parameter is beside its schema.
    JSON.stringify(paths, (name, value) => {
      if (name === 'parameters') return undefined;
      if (typeof value?.pattern === 'string') {
        patterns++;
        assert.match(String(value.description), /^[A-Z]\w* .*[^.]\.$/, value.pattern);
      }
      return value;
    });
    assert.ok(patterns > 10);
    const details = async (method: string, path: string, body: object) =>
      (await owner.send(method, path, body)).json.errors?.map(({ field, detail }) => `${field} ${detail}`);
    const path = `/portal/api/accounts/${full.account}`;
    assert.deepEqual(await details('POST', `${path}/invitations`, { email: 'nobody', role: 'viewer' }), [
      'email must be an address such as name@example.com',
    ]);
    assert.deepEqual(await details('POST', '/portal/api/accounts', { name: '  ' }), [
      'name must be visible text, without control or invisible characters',
    ]);
    const rates = { sends_per_destination: ['many'], failed_guesses_per_destination: [] };
    const settings = {
      name: 'n',
      brand: null,
      locale: 'DE!',
      code_length: null,
      countries: ['de'],
      budgets: ['50'],
      guard: null,
    };
    assert.deepEqual(await details('PUT', `${path}/settings`, { ...settings, ...rates }), [
      'locale must be a language tag (BCP 47) such as de or pt-BR',
      'sends_per_destination/0 must be a rate such as 5/10m',
      'failed_guesses_per_destination must not be empty',
      'countries/0 must be an ISO 3166 alpha-2 code such as DE',
      'budgets/0 must be a budget such as account 50 per day, or key 100 messages per hour',
    ]);
    const short = { token: 'x'.repeat(20), password: 'short' };
    assert.deepEqual(await details('POST', '/portal/api/reset', short), [
      'password must be at least 12 characters',
    ]);
    assert.deepEqual(await details('POST', '/portal/api/me/totp/confirm', { code: '12a456' }), [
      'code must be six digits',
    ]);
  });

  test('needs a session, unless it is for signing in', async () => {
    const nobody = rig.visitor();
    for (const route of routes) {
      if (OPEN.includes(route.name)) continue;
      const answer = await ask(nobody, route, pathIn(route));
      assert.deepEqual([answer.status, problemOf(answer)], [401, 'not-signed-in'], route.name);
    }
  });

  test('accepts changes only from the portal’s own pages', async () => {
    for (const route of routes.filter(({ changes }) => changes)) {
      for (const site of ['cross-site', 'same-site', 'none', '']) {
        const answer = await ask(owner, route, pathIn(route), { 'sec-fetch-site': site });
        assert.deepEqual([answer.status, problemOf(answer)], [403, 'cross-site'], route.name);
      }
    }
    assert.equal((await owner.get('/portal/api/me')).status, 200);
  });

  test('of an account refuses the roles below the one it requires', async () => {
    for (const route of routes.filter(({ ofAccount }) => ofAccount)) {
      const least = ROLES.indexOf(LEAST[route.name] ?? 'owner');
      for (const role of ROLES.slice(0, least)) {
        const answer = await ask(members[role], route, pathIn(route));
        assert.deepEqual([answer.status, problemOf(answer)], [403, 'forbidden'], `${role} ${route.name}`);
      }
    }
  });

  test('of an account is unknown to people who are not members, like an account that does not exist', async () => {
    for (const route of routes.filter(({ ofAccount }) => ofAccount)) {
      for (const account of [empty, 'acc_0']) {
        const answer = await ask(members.developer, route, pathIn(route, account));
        assert.deepEqual([answer.status, problemOf(answer)], [404, 'not-found'], `${route.name} ${account}`);
      }
    }
  });

  test('knows only ids of its own account', async () => {
    const withId = routes.filter(({ template }) => template.includes('{id}'));
    assert.ok(withId.length > 8);
    for (const route of withId) {
      // In the empty account these are the full account’s ids; for a person, somebody else’s.
      const [session] = read<{ id: string }[]>(await members.viewer.get('/portal/api/me/sessions'));
      const path = route.ofAccount ? pathIn(route, empty) : route.path({ id: session?.id ?? '' });
      const answer = await ask(owner, route, path);
      assert.deepEqual([answer.status, problemOf(answer)], [404, 'not-found'], route.name);
    }
    assert.equal((await members.viewer.get('/portal/api/me')).status, 200);
  });

  test('of an account answers the role that it requires', async () => {
    const safeFirst = routes
      .filter((route) => route.ofAccount && !isStream(route))
      .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
    for (const route of safeFirst) {
      const answer = await ask(members[LEAST[route.name] ?? 'owner'], route, pathIn(route));
      assert.ok([200, 201, 204, 409].includes(answer.status), `${route.name}: ${answer.text}`);
      if (answer.status === 409) assert.match(route.name, /keys|members|webhooks|alerts\/email/);
    }
  });
});
