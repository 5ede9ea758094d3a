/** The authenticator's six digits and the recovery codes: required after the password, each works once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf } from '../../acceptance/client.ts';
import { logOf, PASSWORD, read, readMe, sharePortal, type Visitor } from '../rig.ts';
import { STEP_MS, totp } from './totp.ts';

const openPlace = sharePortal();

const password = async (visitor: Visitor, email: string) =>
  read<{ next: string }>(await visitor.post('/portal/api/session', { email, password: PASSWORD })).next;
const factor = (visitor: Visitor, code: string) =>
  visitor.post('/portal/api/session/second-factor', { code });

async function enrol(owner: Visitor) {
  const { secret, uri } = read<{ secret: string; uri: string }>(await owner.post('/portal/api/me/totp'));
  assert.ok(uri.startsWith('otpauth://totp/Countersign:') && uri.includes(secret));
  const confirmed = await owner.post('/portal/api/me/totp/confirm', { code: totp(secret, Date.now()) });
  return { secret, codes: read<{ recovery_codes: string[] }>(confirmed).recovery_codes };
}

test('with an authenticator the password is not enough, and a code works once', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  const { secret, codes } = await enrol(owner);
  assert.equal(codes.length, 10);
  assert.equal((await owner.post('/portal/api/me/totp')).status, 409);
  const guests = Array.from({ length: 5 }, visitor);
  for (const guest of guests) {
    assert.equal(await password(guest, email), 'second-factor');
    assert.equal((await guest.get('/portal/api/me')).status, 401, 'half the way is no session');
  }
  // That of this step is used up, and that of the next is good already, whenever the step ends.
  const code = totp(secret, Date.now() + STEP_MS);
  const answers = await Promise.all(guests.map((guest) => factor(guest, code)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 401, 401, 401, 401]);
  const late = visitor();
  await password(late, email);
  assert.equal((await factor(late, code)).status, 401, 'a code is good once');
  const winner = guests[answers.findIndex(({ status }) => status === 204)];
  assert.ok(winner);
  assert.equal((await readMe(winner)).totp, true);
  assert.deepEqual([...winner.cookies.keys()], ['__Host-countersign', '__Host-countersign-device']);
});

test('a recovery code signs in once, even if many try it at once; new codes and a new password end the old ones', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  const { codes } = await enrol(owner);
  const [code = '', spare = ''] = codes;
  const guests = Array.from({ length: 4 }, visitor);
  for (const guest of guests) await password(guest, email);
  const answers = await Promise.all(
    guests.map((guest) => factor(guest, code.toUpperCase().replaceAll('-', ' '))),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 401, 401, 401]);
  assert.equal((await readMe(owner)).recovery_codes_left, 9);
  const fresh = read<{ recovery_codes: string[] }>(await owner.post('/portal/api/me/recovery-codes'));
  const [guest, other] = [visitor(), visitor()];
  for (const each of [guest, other]) await password(each, email);
  assert.equal((await factor(guest, spare)).status, 401);
  assert.equal((await factor(guest, fresh.recovery_codes[0] ?? '')).status, 204);
  const second = await factor(other, fresh.recovery_codes[2] ?? '');
  assert.equal(second.status, 401, 'a sign-in ends those that were half done');
  const halfway = visitor();
  await password(halfway, email);
  const change = { current: PASSWORD, password: 'cobalt-violin-meadow' };
  assert.equal((await owner.post('/portal/api/me/password', change)).status, 204);
  const late = await factor(halfway, fresh.recovery_codes[1] ?? '');
  assert.equal(late.status, 401, 'the password that it began with is gone');
});

test('a right password begins one session, however many right codes come for it at once', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  const { codes } = await enrol(owner);
  const guest = visitor();
  await password(guest, email);
  const answers = await Promise.all(codes.slice(0, 4).map((code) => factor(guest, code)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 401, 401, 401]);
  assert.equal((await readMe(owner)).recovery_codes_left, 9);
  // Codes that come after the first sign-in are refused anyway: it takes several races until two really meet.
  let left = codes.filter((_, i) => answers[i]?.status !== 204);
  for (let round = 0; round < 6; round++) {
    const next = visitor();
    await password(next, email);
    const both = await Promise.all(left.slice(0, 2).map((code) => factor(next, code)));
    assert.deepEqual(both.map(({ status }) => status).sort(), [204, 401]);
    left = left.filter((_, i) => both[i]?.status !== 204);
  }
  assert.equal((await readMe(owner)).recovery_codes_left, 3);
});

test('guesses at the second factor are throttled, and nothing replaces the password', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  const { secret } = await enrol(owner);
  const guest = visitor();
  assert.equal(
    problemOf(await factor(guest, totp(secret, Date.now()))),
    'sign-in-failed',
    'no password before it',
  );
  await password(guest, email);
  const wrong = String((Number(totp(secret, Date.now())) + 1) % 1_000_000).padStart(6, '0');
  const answers = await Promise.all(Array.from({ length: 12 }, () => factor(guest, wrong)));
  assert.equal(answers.filter(({ status }) => status === 401).length, 5);
  assert.equal(answers.filter(({ status }) => status === 429).length, 7);
  assert.equal((await factor(guest, totp(secret, Date.now()))).status, 429);
  const again = visitor();
  await password(again, email);
  const sooner = await factor(again, totp(secret, Date.now()));
  assert.equal(sooner.status, 429, 'to sign in again gives no more guesses');
});

test('after the authenticator is removed the password is enough again, and its recovery codes are invalid', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  const wrong = await owner.post('/portal/api/me/totp/confirm', { code: '000000' });
  assert.equal(wrong.status, 400);
  assert.equal((await owner.post('/portal/api/me/recovery-codes')).status, 409);
  await enrol(owner);
  assert.equal((await owner.send('DELETE', '/portal/api/me/totp')).status, 204);
  const guest = visitor();
  assert.equal(await password(guest, email), 'signed-in');
  const me = await readMe(guest);
  assert.deepEqual([me.totp, me.recovery_codes_left], [false, 0]);
});

test('the secret of an authenticator is not on the disk in clear', async (t) => {
  const { setUp, service } = await openPlace(t);
  const { secret, codes } = await enrol(await setUp());
  const { execFileSync } = await import('node:child_process');
  const log = await logOf(service);
  for (const hidden of [secret, codes[0] ?? '', (codes[0] ?? '').replaceAll('-', '')]) {
    const found = execFileSync('sh', [
      '-c',
      'grep -rlaF -- "$1" "$2" || true',
      'sh',
      hidden,
      service.dataDir,
    ]);
    assert.equal(found.toString(), '');
    assert.ok(!log.includes(hidden));
  }
});

test('whoever has password and authenticator ends no link for a reset; a newer one takes its place, and its use ends their session', async (t) => {
  const { service, setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  const { codes } = await enrol(owner);
  const openReset = async () =>
    (await service.command('portal', 'reset', '--email', email)).trim().split('#')[1];
  const fresh = 'cobalt-violin-meadow';
  const reset = (token: string | undefined) =>
    visitor().post('/portal/api/reset', { token, password: fresh });
  const [earlier, token] = [await openReset(), await openReset()];
  const thief = visitor();
  const signIn = async (code = '') => {
    await password(thief, email);
    assert.equal((await factor(thief, code)).status, 204);
  };
  await signIn(codes[0]);
  assert.equal((await thief.send('DELETE', '/portal/api/me/sessions')).status, 204);
  await signIn(codes[1]);
  const same = { current: PASSWORD, password: PASSWORD };
  assert.equal((await thief.post('/portal/api/me/password', same)).status, 204);
  assert.equal(problemOf(await reset(earlier)), 'link-spent');
  assert.equal((await reset(token)).status, 204);
  assert.equal((await thief.get('/portal/api/me')).status, 401);
  assert.equal(problemOf(await reset(token)), 'link-spent');
});
