/** Single sign-on at a real provider: who gets in, and as whom. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { problemOf } from '../../acceptance/client.ts';
import { firstAccount, PASSWORD, type PortalRig, read, readMe, type Visitor } from '../rig.ts';
import { CLIENT_SECRET } from './client.ts';
import type { Account } from './provider.ts';
import {
  ANEW,
  begin,
  finish,
  refused,
  type SingleSignOn,
  shareSingleSignOn,
  signInThere,
  startSingleSignOn,
  walk,
} from './walk.ts';

// An address has twenty failed attempts. The tests of this service fail nineteen times.
const openPlace = await shareSingleSignOn({ label: 'Example' });
/** What must not be in its log. */
const secrets = [CLIENT_SECRET];
/** The owner of a place, as the provider knows her. */
const oliveOf = ({ domain }: PortalRig): Account => ({
  sub: `olive of ${domain}`,
  email: `Owner@${domain.replace('example', 'Example')}`,
  email_verified: true,
  name: 'Olive',
});

interface Entry {
  readonly action: string;
  readonly who: string;
  readonly subject: string;
  readonly detail: string;
}
async function readAudit(owner: Visitor): Promise<readonly Entry[]> {
  const { id } = await firstAccount(owner);
  return read<{ entries: Entry[] }>(await owner.get(`/portal/api/accounts/${id}/audit`)).entries;
}

interface Linked {
  readonly identities: readonly { readonly id: string; readonly issuer: string }[];
}
interface Self {
  readonly name: string;
  readonly has_password: boolean;
  readonly accounts: readonly { readonly name: string; readonly role: string }[];
}
const readIdentities = async (visitor: Visitor) =>
  read<Linked>(await visitor.get('/portal/api/me')).identities;

test('a person with a known, verified address gets in, and that is recorded', async (t) => {
  const place = await openPlace(t);
  const { setUp, visitor, provider, service, owner: email } = place;
  const owner = await setUp();
  assert.deepEqual(read<{ oidc: unknown }>(await visitor().get('/portal/api/state')).oidc, [
    { name: 'sso', label: 'Example' },
  ]);
  provider.person = oliveOf(place);
  const guest = visitor();
  const back = await signInThere(await begin(guest));
  assert.equal(await finish(guest, back), ANEW);
  assert.deepEqual(
    guest.setCookies.map((line) => line.replace(/=[^;]*/, '')),
    [
      '__Host-countersign-oidc; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600',
      '__Host-countersign-oidc; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0',
      '__Host-countersign; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=604800',
      '__Host-countersign-device; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=15552000',
    ],
  );
  assert.equal((await readMe(guest)).email, email);
  assert.deepEqual(
    (await readIdentities(guest)).map(({ issuer }) => issuer),
    [provider.issuer],
  );
  const sessions = read<{ current: boolean; method: string }[]>(await guest.get('/portal/api/me/sessions'));
  assert.equal(sessions.find(({ current }) => current)?.method, 'oidc');
  assert.equal(
    (await owner.get('/portal/api/me')).status,
    401,
    'what was set up without a proof of the address ends',
  );
  const entries = (await readAudit(guest)).filter(({ detail }) => detail === 'oidc:sso');
  assert.deepEqual(entries.map(({ action, subject }) => `${action} ${subject}`).sort(), [
    `identity.linked ${email}`,
    `session.began ${email}`,
  ]);
  const code = new URL(back, service.baseUrl).searchParams.get('code') ?? '';
  secrets.push(code, email, ...guest.cookies.values());
});

test('once linked, the address does not matter: neither a new one, nor who owns the old one now', async (t) => {
  const place = await openPlace(t);
  const { setUp, visitor, provider, owner: email } = place;
  await setUp();
  const olive = oliveOf(place);
  provider.person = olive;
  assert.equal(await walk(visitor()), ANEW);
  provider.person = { ...olive, email: 'married@example.org', email_verified: false };
  const guest = visitor();
  assert.equal(await walk(guest), '/portal/');
  assert.equal((await readMe(guest)).email, email);
  provider.person = { ...olive, sub: 'another-olive' };
  const successor = visitor();
  assert.equal(await walk(successor), refused('linked-otherwise'));
  assert.equal((await successor.get('/portal/api/me')).status, 401);
});

test('an unverified or unknown address lets nobody in and leaves no trace', async (t) => {
  const place = await openPlace(t);
  const { setUp, visitor, provider, owner: email } = place;
  const olive = oliveOf(place);
  const owner = await setUp();
  const before = await readAudit(owner);
  const strangers: readonly (readonly [Account, string])[] = [
    [{ ...olive, email_verified: false }, 'unverified'],
    [{ sub: olive.sub, email }, 'unverified'],
    [{ sub: olive.sub, email_verified: true }, 'unverified'],
    // The Kelvin sign becomes a k in lower case.
    [{ ...olive, email: `${email}, x@example.com` }, 'unverified'],
    [{ ...olive, email: 'o\u212A@example.com' }, 'unverified'],
    [{ ...olive, email: 'stranger@example.com' }, 'unknown'],
  ];
  for (const [person, fault] of strangers) {
    provider.person = person;
    const guest = visitor();
    assert.equal(await walk(guest), refused(fault), JSON.stringify(person));
    assert.equal((await guest.get('/portal/api/me')).status, 401);
  }
  assert.deepEqual(await readAudit(owner), before);
  provider.person = { sub: 'nobody' };
  assert.equal(await walk(visitor()), refused('denied'));
});

suite('what the browser brings back', () => {
  test('is accepted only from the browser that began, once, and with its own state', async (t) => {
    const place = await openPlace(t);
    const { setUp, visitor, provider } = place;
    await setUp();
    provider.person = oliveOf(place);
    const [victim, attacker] = [visitor(), visitor()];
    const back = await signInThere(await begin(attacker));
    assert.equal(await finish(victim, back), refused('restart'), 'who began nothing');
    await begin(victim);
    assert.equal(await finish(victim, back), refused('restart'), 'who began another');
    for (const state of ['', 'wrong']) {
      const altered = back.replace(/state=[^&]*/, `state=${state}`);
      assert.equal(await finish(attacker, altered), refused('restart'));
    }
    const cookies = new Map(attacker.cookies);
    const [name = '', value = ''] = [...cookies].find(([key]) => key.endsWith('-oidc')) ?? [];
    for (const broken of ['', 'x', value.slice(0, -2), `${value.slice(0, 20)}AAAA${value.slice(24)}`]) {
      attacker.cookies.set(name, broken);
      assert.equal(await finish(attacker, back), refused('restart'));
    }
    attacker.cookies.set(name, value);
    assert.equal(await finish(attacker, back), ANEW);
    const redeemed = provider.requests.filter((line) => line === 'POST /token').length;
    const again = visitor();
    again.cookies.set(name, value);
    assert.equal(await finish(again, back), refused('restart'), 'what was used');
    assert.equal(provider.requests.filter((line) => line === 'POST /token').length, redeemed);
    assert.equal((await victim.get('/portal/api/me')).status, 401);
  });

  test('a sign-in replaces an existing session, and a failed one does not', async (t) => {
    const place = await openPlace(t);
    const { setUp, provider, visitor } = place;
    const owner = await setUp();
    const before = owner.cookies.get('__Host-countersign');
    provider.person = { sub: 'stranger', email: 'stranger@example.com', email_verified: true };
    assert.equal(await walk(owner), refused('unknown'));
    assert.equal((await owner.get('/portal/api/me')).status, 200);
    provider.person = oliveOf(place);
    assert.equal(await walk(owner), ANEW);
    assert.notEqual(owner.cookies.get('__Host-countersign'), before);
    const old = visitor();
    old.cookies.set('__Host-countersign', before ?? '');
    assert.equal((await old.get('/portal/api/me')).status, 401);
  });

  const forged = '/portal/api/oidc/sso/callback?code=a&state=b';
  /** Begins a sign-in, and comes back with a code that the provider did not give. */
  const guess = async (visitor: Visitor) => {
    const state = new URL(await begin(visitor)).searchParams.get('state');
    return finish(visitor, `/portal/api/oidc/sso/callback?code=a&state=${state}`);
  };

  test('failed attempts count as guesses', async (t) => {
    const { visitor } = await openPlace(t, '127.0.0.7');
    const ends: string[] = [];
    for (let i = 0; i < 21; i++) ends.push(await guess(visitor()));
    assert.deepEqual(ends, [...Array(20).fill(refused('invalid')), refused('limited')]);
    const elsewhere = await openPlace(t);
    assert.equal(await guess(elsewhere.visitor()), refused('invalid'), 'from another address');
  });

  test('what carries no sign-in that began here counts for nothing, whoever makes a browser ask for it', async (t) => {
    const place = await openPlace(t, '127.0.0.9');
    await place.setUp();
    place.provider.person = oliveOf(place);
    const guest = place.visitor();
    const back = await signInThere(await begin(guest));
    // A page elsewhere has images from here, which bring no cookie; and it may send the browser here, which then does.
    for (let i = 0; i < 30; i++) {
      assert.equal(await finish(place.visitor(), forged), refused('restart'));
      assert.equal(await finish(guest, forged), refused('restart'));
    }
    assert.equal(await finish(guest, back), ANEW);
  });

  test('a sign-in that succeeds leaves its address all of its guesses', async (t) => {
    const place = await openPlace(t, '127.0.0.8');
    await place.setUp();
    place.provider.person = oliveOf(place);
    const guest = place.visitor();
    assert.deepEqual([await walk(guest), await walk(guest)], [ANEW, '/portal/']);
    const ends: string[] = [];
    for (let i = 0; i < 20; i++) ends.push(await guess(guest));
    assert.deepEqual([...new Set(ends)], [refused('invalid')]);
  });

  test('a provider that is not configured is unknown', async (t) => {
    const { visitor } = await openPlace(t);
    for (const path of ['nobody', 'nobody/callback?code=a&state=b', 'constructor']) {
      assert.equal(problemOf(await visitor().get(`/portal/api/oidc/${path}`)), 'not-found');
    }
  });
});

suite('newcomers', () => {
  const newcomers = [
    { domains: ['example.com', 'example.org'], role: 'developer' },
    { domains: ['example.com'], account: 'not-there', role: 'viewer' },
    { domains: ['nowhere.example'], account: 'not-there', role: 'viewer' },
  ];
  const closers: (() => unknown)[] = [];
  let rig: SingleSignOn;
  let owner: Visitor;
  before(async () => {
    rig = await startSingleSignOn({ after: (close) => closers.push(close) }, { options: { newcomers } });
    owner = await rig.setUp();
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
  });

  test('from a domain become members with the role of the rule, and stay removed once removed', async () => {
    const { visitor, provider } = rig;
    for (const email of ['a@sub.example.com', 'a@notexample.com', 'a@nowhere.example', 'example.com@a.net']) {
      provider.person = { sub: email, email, email_verified: true };
      assert.equal(await walk(visitor()), refused('unknown'), email);
    }
    const nina = { sub: 'nina', email: 'Nina@example.org', email_verified: true, name: 'Nina New' };
    provider.person = nina;
    const guests = Array.from({ length: 5 }, () => visitor());
    const ways = await Promise.all(guests.map(async (guest) => signInThere(await begin(guest))));
    const ends = await Promise.all(guests.map((guest, i) => finish(guest, ways[i] ?? '')));
    assert.deepEqual([...new Set(ends)], ['/portal/']);
    const [me] = await Promise.all(guests.map(readMe));
    assert.deepEqual([me?.email, me?.accounts.map(({ role }) => role)], ['nina@example.org', ['developer']]);
    const joined = (await readAudit(owner)).filter(({ action }) => action === 'member.joined');
    assert.deepEqual(
      joined.map(({ who, detail }) => [who, detail]),
      [['Nina New (nina@example.org)', 'as developer, by oidc:sso']],
    );
    // A name that is not allowed here is not taken from a provider either.
    const named = visitor();
    provider.person = { sub: 'eve', email: 'eve@example.org', email_verified: true, name: 'Olive\u202e' };
    assert.equal(await walk(named), '/portal/');
    const { name } = read<{ name: string }>(await named.get('/portal/api/me'));
    assert.equal(name, 'eve');
    provider.person = nina;
    const { id } = await firstAccount(owner);
    const path = `/portal/api/accounts/${id}/members/${me?.id}`;
    assert.equal((await owner.send('DELETE', path)).status, 204);
    const returning = visitor();
    assert.equal(await walk(returning), '/portal/');
    assert.deepEqual((await readMe(returning)).accounts, []);
  });

  test('who proves an address first keeps nothing that somebody set up under it before, and comes in by the rule', async () => {
    const { visitor, provider } = rig;
    const { id: tenant } = read<{ id: string }>(await owner.post('/portal/api/accounts', { name: 'tenant' }));
    const email = 'nell@example.org';
    const squatter = visitor();
    const accept = async (account: string) => {
      const invitation = { email, role: 'viewer' };
      const invited = await owner.post(`/portal/api/accounts/${account}/invitations`, invitation);
      const token = read<{ link: string }>(invited).link.split('#')[1];
      read(
        await squatter.post('/portal/api/invitations/accept', {
          token,
          name: 'Not Nell',
          password: PASSWORD,
        }),
      );
    };
    await accept(tenant);
    provider.person = { sub: 'nell', email, email_verified: true, name: 'Nell' };
    const nell = visitor();
    assert.equal(await walk(nell), ANEW);
    const me = async () => read<Self>(await nell.get('/portal/api/me'));
    const { accounts, ...self } = await me();
    assert.deepEqual(
      accounts.map(({ name, role }) => [name, role]),
      [
        ['default', 'developer'],
        ['tenant', 'viewer'],
      ],
    );
    assert.deepEqual([self.name, self.has_password], ['Nell', false]);
    assert.equal((await squatter.get('/portal/api/me')).status, 401);
    const again = await squatter.post('/portal/api/session', { email, password: PASSWORD });
    assert.equal(problemOf(again), 'sign-in-failed');
    const { entries } = read<{ entries: Entry[] }>(await owner.get(`/portal/api/accounts/${tenant}/audit`));
    assert.ok(entries.some(({ action, subject }) => action === 'person.proven' && subject === email));
    // What is set up from now on is hers, also if she comes back after she unlinked the provider.
    assert.equal((await nell.post('/portal/api/me/password', { password: PASSWORD })).status, 204);
    const [hers] = await readIdentities(nell);
    assert.equal((await nell.send('DELETE', `/portal/api/me/identities/${hers?.id}`)).status, 204);
    assert.equal(await walk(nell), '/portal/');
    assert.equal((await me()).has_password, true);
  });

  test('whom an owner removed before they came by single sign-on stays removed', async () => {
    const { visitor, provider, join } = rig;
    const email = 'ned@example.org';
    const { id } = await firstAccount(owner);
    const { id: ned } = await readMe(await join(owner, 'viewer', email));
    assert.equal((await owner.send('DELETE', `/portal/api/accounts/${id}/members/${ned}`)).status, 204);
    provider.person = { sub: 'ned', email, email_verified: true };
    const guest = visitor();
    assert.equal(await walk(guest), ANEW);
    assert.deepEqual((await readMe(guest)).accounts, []);
  });

  test('an invitation raises the role that a newcomer came with, never lowers one, and the log says which', async () => {
    const { visitor, provider } = rig;
    const { id } = await firstAccount(owner);
    const api = `/portal/api/accounts/${id}`;
    const came = async (name: string, invitedAs: string) => {
      const email = `${name}@example.org`;
      const invited = await owner.post(`${api}/invitations`, { email, role: invitedAs });
      const token = read<{ link: string }>(invited).link.split('#')[1];
      provider.person = { sub: name, email, email_verified: true, name };
      const guest = visitor();
      assert.equal(await walk(guest), '/portal/');
      assert.equal((await firstAccount(guest)).role, 'developer');
      assert.equal((await guest.post('/portal/api/me/password', { password: PASSWORD })).status, 204);
      read(await guest.post('/portal/api/invitations/accept', { token, password: PASSWORD }));
      return (await firstAccount(guest)).role;
    };
    assert.equal(await came('olga', 'owner'), 'owner');
    assert.equal(await came('vito', 'viewer'), 'developer');
    const told = (await readAudit(owner)).filter(
      ({ action, subject }) =>
        (action.startsWith('member.invitation-') || action === 'member.role-changed') &&
        /^(olga|vito)@/.test(subject),
    );
    assert.deepEqual(
      told.map(({ action, subject, detail }) => [action, subject, detail]),
      [
        ['member.invitation-accepted', 'vito@example.org', 'as viewer, and stays developer'],
        ['member.role-changed', 'olga@example.org', 'by invitation: developer to owner'],
      ],
    );
  });

  test('an identity can be unlinked if there is another way to sign in, and a reset removes it', async () => {
    const { visitor, provider, service } = rig;
    const unlink = (who: Visitor, id = '') => who.send('DELETE', `/portal/api/me/identities/${id}`);
    provider.person = { sub: 'nora', email: 'nora@example.org', email_verified: true };
    const nora = visitor();
    assert.equal(await walk(nora), '/portal/');
    const [hers] = await readIdentities(nora);
    assert.equal(problemOf(await unlink(owner, hers?.id)), 'not-found', 'of somebody else');
    assert.equal(problemOf(await unlink(nora, hers?.id)), 'conflict', 'all that she has');
    assert.equal((await nora.post('/portal/api/me/password', { password: PASSWORD })).status, 204);
    assert.equal((await unlink(nora, hers?.id)).status, 204);
    assert.deepEqual(await readIdentities(nora), []);
    assert.equal(await walk(nora), '/portal/');
    assert.equal((await readIdentities(nora)).length, 1, 'linked again by her address');

    const printed = await service.command('portal', 'reset', '--email', 'nora@example.org');
    const token = /#([\w-]{43})/.exec(printed)?.[1];
    const renewed = visitor();
    const body = { token, password: 'cobalt-violin-meadow' };
    assert.equal((await renewed.post('/portal/api/reset', body)).status, 204);
    assert.deepEqual(await readIdentities(renewed), []);
  });
});

test('no secret, code, address of a person or session is in the log', async (t) => {
  const { service } = await openPlace(t);
  await service.stop();
  assert.ok(secrets.length > 4);
  for (const secret of secrets) assert.ok(!service.logs().includes(secret), secret);
});
