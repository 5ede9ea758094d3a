/** Accounts, members and invitations: who sees what, and who may change it. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { problemOf } from '../acceptance/client.ts';
import { firstAccount, PASSWORD, read, readMe, sharePortal, type Visitor } from './rig.ts';

interface Members {
  readonly members: readonly { readonly id: string; readonly email: string; readonly role: string }[];
  readonly invitations: readonly { readonly id: string; readonly email: string }[];
}
interface AuditLog {
  readonly entries: readonly {
    readonly id: string;
    readonly who: string;
    readonly action: string;
    readonly subject: string;
    readonly address: string | null;
  }[];
  readonly next: string | null;
}
const openPlace = sharePortal();
const api = (account: string, rest: string) => `/portal/api/accounts/${account}/${rest}`;
const membersOf = async (visitor: Visitor, account: string) =>
  read<Members>(await visitor.get(api(account, 'members')));

test('each role may do its own and no more', async (t) => {
  const { setUp, join, domain } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const developer = await join(owner, 'developer', `dev@${domain}`);
  const viewer = await join(owner, 'viewer', `view@${domain}`);
  const invitation = { email: `x@${domain}`, role: 'viewer' };
  const status = async (visitor: Visitor, method: string, path: string, body?: unknown) =>
    (await visitor.send(method, api(id, path), body)).status;
  for (const visitor of [owner, developer, viewer])
    assert.equal(await status(visitor, 'GET', 'members'), 200);
  assert.equal(await status(developer, 'GET', 'audit'), 200);
  assert.equal(await status(viewer, 'GET', 'audit'), 403);
  for (const visitor of [developer, viewer]) {
    const refused = await visitor.post(api(id, 'invitations'), invitation);
    assert.deepEqual([refused.status, problemOf(refused)], [403, 'forbidden']);
    const me = await readMe(visitor);
    assert.equal(await status(visitor, 'PATCH', `members/${me.id}`, { role: 'owner' }), 403);
    assert.equal(await status(visitor, 'DELETE', `members/${me.id}`), 403);
    assert.equal((await visitor.post('/portal/api/accounts', { name: 'Mine' })).status, 403);
  }
  assert.equal(await status(owner, 'POST', 'invitations', invitation), 201);
});

test('another account looks as if it did not exist', async (t) => {
  const { setUp, join, domain } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const viewer = await join(owner, 'viewer', `view@${domain}`);
  const other = read<{ id: string; role: string }>(
    await owner.post('/portal/api/accounts', { name: `Other of ${domain}` }),
  );
  assert.equal(other.role, 'owner');
  assert.deepEqual((await owner.post('/portal/api/accounts', { name: `Other of ${domain}` })).json.errors, [
    { field: 'name', code: 'taken', detail: 'is taken' },
  ]);
  const { id: ownerId } = await readMe(owner);
  for (const account of [other.id, 'acc_0']) {
    for (const [method, path, body] of [
      ['GET', 'members', undefined],
      ['GET', 'audit', undefined],
      ['POST', 'invitations', { email: `x@${domain}`, role: 'owner' }],
      ['PATCH', `members/${ownerId}`, { role: 'viewer' }],
      ['DELETE', `members/${ownerId}`, undefined],
      ['DELETE', 'invitations/inv_1', undefined],
    ] as const) {
      const answer = await viewer.send(method, api(account, path), body);
      assert.deepEqual(
        [answer.status, problemOf(answer)],
        [404, 'not-found'],
        `${method} ${account} ${path}`,
      );
    }
  }
  // Ids of one account do not work in the path of another, not even for who owns both.
  const { id: viewerId } = await readMe(viewer);
  assert.equal((await owner.send('DELETE', api(other.id, `members/${viewerId}`))).status, 404);
  assert.ok((await membersOf(owner, id)).members.some(({ id }) => id === viewerId));
});

test('the last owner remains, even if all owners remove or demote each other at once', async (t) => {
  const { setUp, join, domain } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const { id: ownerId } = await readMe(owner);
  const alone = await owner.send('DELETE', api(id, `members/${ownerId}`));
  assert.deepEqual([alone.status, problemOf(alone)], [409, 'conflict']);
  assert.equal((await owner.send('PATCH', api(id, `members/${ownerId}`), { role: 'viewer' })).status, 409);

  const owners = [owner];
  for (let i = 0; i < 5; i++) owners.push(await join(owner, 'owner', `owner${i}@${domain}`));
  const ids = await Promise.all(owners.map(async (visitor) => (await readMe(visitor)).id));
  await Promise.all(
    owners.flatMap((visitor) =>
      ids.map((target, i) =>
        i % 2 === 0
          ? visitor.send('DELETE', api(id, `members/${target}`))
          : visitor.send('PATCH', api(id, `members/${target}`), { role: 'viewer' }),
      ),
    ),
  );
  const left = await Promise.all(owners.map(async (visitor) => (await readMe(visitor)).accounts[0]?.role));
  assert.equal(left.filter((role) => role === 'owner').length, 1);
});

test('an invitation works once, only for its address, and can be withdrawn', async (t) => {
  const { setUp, visitor, domain } = await openPlace(t);
  const owner = await setUp();
  const { id, name: account } = await firstAccount(owner);
  const inviteLink = async (email: string) =>
    read<{ id: string; link: string }>(
      await owner.post(api(id, 'invitations'), { email, role: 'developer' }),
    );
  const { link } = await inviteLink(`Guest@${domain.toUpperCase()}`);
  const [page, token] = link.split('#');
  assert.ok(page?.endsWith('/portal/invitation'));
  const looked = read(await visitor().post('/portal/api/invitations/look', { token }));
  assert.deepEqual(looked, {
    account,
    email: `guest@${domain}`,
    role: 'developer',
    known: false,
  });
  const accept = (body: object) => visitor().post('/portal/api/invitations/accept', { token, ...body });
  const easy = await accept({ name: 'Guest', password: 'password1234' });
  assert.deepEqual(
    easy.json.errors?.map(({ field, code }) => [field, code]),
    [['password', 'easy_to_guess']],
  );
  const race = await Promise.all(
    Array.from({ length: 10 }, () => accept({ name: 'Guest', password: PASSWORD })),
  );
  assert.equal(race.filter(({ status }) => status === 200).length, 1);
  assert.equal((await accept({ password: PASSWORD, name: 'Again' })).status, 403);
  assert.equal(
    (await owner.post(api(id, 'invitations'), { email: `guest@${domain}`, role: 'owner' })).status,
    409,
  );

  const withdrawn = await inviteLink(`never@${domain}`);
  assert.equal((await owner.send('DELETE', api(id, `invitations/${withdrawn.id}`))).status, 204);
  const late = await visitor().post('/portal/api/invitations/look', { token: withdrawn.link.split('#')[1] });
  assert.equal(problemOf(late), 'link-spent');
  assert.equal((await membersOf(owner, id)).invitations.length, 0);
});

test('whoever is removed, or is no owner any more, leaves no invitation behind, neither of theirs nor for them', async (t) => {
  const { setUp, join, visitor, domain } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const second = await join(owner, 'owner', `second@${domain}`);
  const third = await join(owner, 'owner', `third@${domain}`);
  const inviteAs = async (who: Visitor, name: string, role: string) => {
    const body = { email: `${name}@${domain}`, role };
    return read<{ link: string }>(await who.post(api(id, 'invitations'), body)).link.split('#')[1];
  };
  const kept = await inviteAs(owner, 'kept', 'owner');
  const ofSecond = await inviteAs(second, 'one', 'owner');
  const taken = await inviteAs(second, 'taken', 'viewer');
  await inviteAs(third, 'taken', 'viewer');
  const ofThird = await inviteAs(third, 'two', 'owner');
  const { id: secondId } = await readMe(second);
  const { id: thirdId } = await readMe(third);
  const { invitations } = read<{ invitations: { email: string; invited_by: string }[] }>(
    await owner.get(api(id, 'members')),
  );
  assert.deepEqual(
    invitations.map(({ email, invited_by }) => [email.split('@')[0], invited_by]),
    [
      ['kept', (await readMe(owner)).id],
      ['one', secondId],
      ['taken', thirdId],
      ['two', thirdId],
    ],
  );
  assert.equal((await owner.send('DELETE', api(id, `members/${secondId}`))).status, 204);
  assert.equal((await owner.send('PATCH', api(id, `members/${thirdId}`), { role: 'developer' })).status, 204);
  const look = async (token?: string) =>
    (await visitor().post('/portal/api/invitations/look', { token })).status;
  assert.deepEqual(await Promise.all([kept, ofSecond, taken, ofThird].map(look)), [200, 403, 403, 403]);
  const withdrawn = read<{ entries: { action: string; subject: string; detail: string }[] }>(
    await owner.get(api(id, 'audit')),
  ).entries.filter(({ action }) => action === 'member.invitation-withdrawn');
  assert.deepEqual(
    withdrawn.map(({ subject, detail }) => [subject, detail]),
    [
      [`taken@${domain}, two@${domain}`, `third@${domain} became developer`],
      [`one@${domain}`, `second@${domain} was removed`],
    ],
  );
});

test('people go on after the page before, also if its last one was removed meanwhile', async (t) => {
  const { setUp, join, service, domain } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  await join(owner, 'viewer', `aaron@${domain}`);
  const database = new DatabaseSync(path.join(service.dataDir, 'countersign.db'), { timeout: 5_000 });
  for (let n = 0; n < 60; n++) {
    const person = `per_${domain}_${n}`;
    const name = `A${String(n).padStart(3, '0')}`;
    database
      .prepare('INSERT INTO person (id, email, name, created_at) VALUES (?, ?, ?, 1)')
      .run(person, `p${n}@${domain}`, name);
    database
      .prepare("INSERT INTO member (account_id, person_id, role, since) VALUES (?, ?, 'viewer', 1)")
      .run(id, person);
  }
  database.close();
  type Page = Members & { readonly next: string | null };
  const pageAt = async (next: string) => read<Page>(await owner.get(api(id, `members?before=${next}`)));
  const { members, next } = read<Page>(await owner.get(api(id, 'members')));
  const expected = (await pageAt(next ?? '')).members;
  assert.deepEqual([members.length, expected.length], [50, 12]);
  assert.equal((await owner.send('DELETE', api(id, `members/${members.at(-1)?.id}`))).status, 204);
  assert.deepEqual(await pageAt(next ?? ''), { members: expected, invitations: [], next: null });
  const refused = await owner.get(api(id, `members?before=${members.at(-1)?.id}`));
  assert.deepEqual(
    [refused.status, refused.json.errors?.map(({ field, code }) => [field, code])],
    [400, [['before', 'not_a_cursor']]],
  );
});

test('a known person joins another account with their password', async (t) => {
  const { setUp, join, visitor, domain } = await openPlace(t);
  const owner = await setUp();
  await join(owner, 'viewer', `view@${domain}`);
  const { name: first } = await firstAccount(owner);
  const other = read<{ id: string }>(
    await owner.post('/portal/api/accounts', { name: `Other of ${domain}` }),
  );
  const invited = await owner.post(api(other.id, 'invitations'), {
    email: `view@${domain}`,
    role: 'developer',
  });
  const token = read<{ link: string }>(invited).link.split('#')[1];
  const guest = visitor();
  const wrong = await guest.post('/portal/api/invitations/accept', { token, password: 'not-the-password' });
  assert.equal(problemOf(wrong), 'sign-in-failed');
  read(await guest.post('/portal/api/invitations/accept', { token, password: PASSWORD }));
  const roles = (await readMe(guest)).accounts.map(({ name, role }) => `${name} ${role}`);
  assert.deepEqual(roles, [`Other of ${domain} developer`, `${first} viewer`]);
});

test('whoever holds an invitation does not learn whether there is a person of its address, but for that person', async (t) => {
  const { setUp, join, visitor, domain } = await openPlace(t);
  const owner = await setUp();
  const viewer = await join(owner, 'viewer', `view@${domain}`);
  const { id } = read<{ id: string }>(
    await owner.post('/portal/api/accounts', { name: `Other of ${domain}` }),
  );
  const open = async (email: string) => {
    const invited = await owner.post(api(id, 'invitations'), { email, role: 'viewer' });
    return read<{ link: string }>(invited).link.split('#')[1];
  };
  const [known, unknown] = [await open(`view@${domain}`), await open(`nobody@${domain}`)];
  const knownTo = async (who: Visitor, token?: string) =>
    read<{ known: boolean }>(await who.post('/portal/api/invitations/look', { token })).known;
  const told = async (token?: string) => {
    const answers = [];
    for (const body of [
      { password: 'not-the-password' },
      { name: 'Somebody', password: 'not-the-password' },
      { name: 'Guest', password: 'password1234' },
    ]) {
      const { status, json } = await visitor().post('/portal/api/invitations/accept', { token, ...body });
      answers.push([status, json.type, json.detail, json.errors]);
    }
    return [await knownTo(owner, token), await knownTo(visitor(), token), ...answers];
  };
  const [ofKnown, ofUnknown] = [await told(known), await told(unknown)];
  assert.deepEqual(ofKnown, ofUnknown);
  assert.deepEqual(ofKnown.slice(0, 2), [false, false]);
  assert.equal(await knownTo(viewer, known), true);
  assert.equal(await knownTo(viewer, unknown), false);
});

test('the audit log says who did what from where, newest first, page by page', async (t) => {
  const { setUp, join, domain, owner: email } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const viewer = await join(owner, 'viewer', `view@${domain}`);
  const { id: viewerId } = await readMe(viewer);
  await owner.send('PATCH', api(id, `members/${viewerId}`), { role: 'developer' });
  const log = read<AuditLog>(await owner.get(api(id, 'audit')));
  assert.deepEqual(
    log.entries.slice(0, 4).map(({ action, who, subject }) => [action, who, subject]),
    [
      ['member.role-changed', `Olive Owner (${email})`, `view@${domain}`],
      ['session.began', `view (view@${domain})`, `view@${domain}`],
      ['member.joined', `view (view@${domain})`, `view@${domain}`],
      ['member.invited', `Olive Owner (${email})`, `view@${domain}`],
    ],
  );
  const byPeople = log.entries.filter(({ who }) => who !== 'the service');
  assert.ok(byPeople.every(({ address }) => address === '127.0.0.1' || address === '::1'));
  for (let i = 0; i < 30; i++) {
    for (const role of ['viewer', 'developer'])
      await owner.send('PATCH', api(id, `members/${viewerId}`), { role });
  }
  const first = read<AuditLog>(await owner.get(api(id, 'audit')));
  const second = read<AuditLog>(await owner.get(api(id, `audit?before=${first.next}`)));
  assert.deepEqual([first.entries.length, second.next], [50, null]);
  const ids = [...first.entries, ...second.entries].map(({ id }) => id);
  assert.equal(new Set(ids).size, log.entries.length + 60);
});

test('who is given the role that they have is told of to nobody', async (t) => {
  const { setUp, join, domain } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const other = await readMe(await join(owner, 'owner', `other@${domain}`));
  const entries = async () => read<AuditLog>(await owner.get(api(id, 'audit'))).entries.length;
  const before = await entries();
  const change = (role: string) => owner.send('PATCH', api(id, `members/${other.id}`), { role });
  assert.equal((await change('owner')).status, 204);
  assert.equal(await entries(), before);
  assert.equal((await change('viewer')).status, 204);
  assert.equal(await entries(), before + 1);
});

test('a person who is locked out starts again with a link from the command line', async (t) => {
  const { service, setUp, visitor, domain, owner: email } = await openPlace(t);
  const owner = await setUp();
  const token = (await service.command('portal', 'reset', '--email', email))
    .trim()
    .split('/portal/reset#')[1];
  const password = 'cobalt-violin-meadow';
  const again = visitor();
  const easy = await again.post('/portal/api/reset', { token, password: 'password-1234' });
  assert.deepEqual(
    easy.json.errors?.map(({ field, code }) => [field, code]),
    [['password', 'easy_to_guess']],
  );
  assert.equal((await again.post('/portal/api/reset', { token, password })).status, 204);
  assert.equal((await readMe(again)).email, email);
  assert.equal((await owner.get('/portal/api/me')).status, 401);
  const { id } = await firstAccount(again);
  const { entries } = read<AuditLog>(await again.get(api(id, 'audit')));
  assert.equal(entries.find(({ action }) => action === 'person.reset-begun')?.who, 'command line');
  assert.equal(problemOf(await again.post('/portal/api/reset', { token, password })), 'link-spent');
  await assert.rejects(
    service.command('portal', 'reset', '--email', `nobody@${domain}`),
    /nobody has this address/,
  );

  const link = await service.command('portal', 'invite', '--email', `new@${domain}`, '--role', 'owner');
  const guest = visitor();
  const body = { token: link.trim().split('#')[1], name: 'New', password: PASSWORD };
  read(await guest.post('/portal/api/invitations/accept', body));
  assert.equal((await firstAccount(guest)).role, 'owner');
});
