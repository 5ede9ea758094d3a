/** A device that signed in before has its own guesses, so that nobody elsewhere can lock it out. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { problemOf } from '../../acceptance/client.ts';
import { firstAccount, PASSWORD, type PortalRig, read, sharePortal, type Visitor } from '../rig.ts';
import { createAuthenticator } from './authenticator.ts';
import { STEP_MS, totp } from './totp.ts';

const DEVICE = '__Host-countersign-device';
const SESSION = '__Host-countersign';
const NEW_PASSWORD = 'cobalt-violin-meadow';

// An address has twenty wrong passwords: each test has its own.
const openPortal = sharePortal();
let addresses = 1;
const openPlace = (t: TestContext) => openPortal(t, `127.0.0.${++addresses}`);

function guessing({ owner }: PortalRig) {
  const signIn = (visitor: Visitor, password = PASSWORD, email = owner) =>
    visitor.post('/portal/api/session', { email, password });
  return {
    signIn,
    /** How many of these simultaneous wrong passwords are judged. */
    async judged(visitor: Visitor, count: number, email = owner): Promise<number> {
      const guesses = Array.from({ length: count }, (_, i) => signIn(visitor, `wrong-password-${i}`, email));
      return (await Promise.all(guesses)).filter(({ status }) => status === 401).length;
    },
  };
}

/** A browser that has only the device cookie of another. */
function withDeviceOf({ cookies }: Visitor, { visitor }: PortalRig): Visitor {
  const thief = visitor();
  thief.cookies.set(DEVICE, cookies.get(DEVICE) ?? '');
  return thief;
}

interface AuditLog {
  readonly entries: readonly {
    readonly action: string;
    readonly who: string;
    readonly subject: string;
    readonly detail: string;
    readonly address: string | null;
  }[];
}

test('guesses from elsewhere lock out new devices, but not one that signed in before', async (t) => {
  const portal = await openPlace(t);
  const { signIn, judged } = guessing(portal);
  const owner = await portal.setUp();
  assert.equal((await owner.send('DELETE', '/portal/api/session')).status, 204);
  assert.equal(await judged(portal.visitor(), 12), 5);
  assert.equal((await signIn(portal.visitor())).status, 429, 'a browser that was never here waits');
  assert.equal((await signIn(owner)).status, 200);
  assert.equal((await owner.post('/portal/api/me/proof', { password: PASSWORD })).status, 204);
  assert.equal(
    (await signIn(portal.visitor())).status,
    429,
    'that it was right gives others no more guesses',
  );
  for (let again = 0; again < 2; again++) {
    assert.equal(await judged(owner, 4), 4, 'and the device has all of its own again');
    assert.equal((await signIn(owner)).status, 200);
  }
});

test('the cookie is only for this host, not for scripts or other sites, and lasts', async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const line = owner.setCookies.find((cookie) => cookie.startsWith(`${DEVICE}=`)) ?? '';
  for (const flag of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) assert.ok(line.includes(flag), line);
  assert.ok(Number(/Max-Age=(\d+)/.exec(line)?.[1]) > 60 * 86_400, line);
  assert.ok(!line.includes(portal.owner) && !line.includes('Domain'), line);
});

test('a stolen cookie allows that device’s guesses for that person, and nothing else', async (t) => {
  const portal = await openPlace(t);
  const { signIn, judged } = guessing(portal);
  const owner = await portal.setUp();
  await portal.join(owner, 'viewer', `guest@${portal.domain}`);
  const thief = withDeviceOf(owner, portal);
  assert.equal((await thief.get('/portal/api/me')).status, 401);
  assert.equal(await judged(thief, 9), 5);
  assert.equal((await signIn(owner)).status, 429, 'they are those of that device');
  const stranger = portal.visitor();
  assert.equal(await judged(stranger, 5), 5, 'and not those of others');
  assert.equal(await judged(thief, 7, `guest@${portal.domain}`), 5, 'of somebody else, those of anybody');
  assert.equal((await signIn(stranger, PASSWORD, `guest@${portal.domain}`)).status, 429);
});

test('a cookie that the service did not issue belongs to no device', async (t) => {
  const portal = await openPlace(t);
  const { signIn, judged } = guessing(portal);
  const owner = await portal.setUp();
  const guest = await portal.join(owner, 'viewer', `guest@${portal.domain}`);
  assert.equal(await judged(portal.visitor(), 12), 5);
  const real = owner.cookies.get(DEVICE) ?? '';
  const [person = '', number = '', until = '', mac = ''] = real.split('.');
  const forged = [
    '',
    'x',
    guest.cookies.get(DEVICE) ?? '',
    `${person}.${(Number(number) + 1) % 16}.${until}.${mac}`,
    `${person}.${number}.${Number(until) + 1}.${mac}`,
    `${person}.${number}.${until}.`,
    `${person}.${number}.${until}.${'A'.repeat(mac.length)}`,
  ];
  for (const cookie of forged) {
    const forger = portal.visitor();
    forger.cookies.set(DEVICE, cookie);
    assert.equal((await signIn(forger)).status, 429, cookie);
  }
  assert.equal((await signIn(withDeviceOf(owner, portal))).status, 200);
});

test('a new password, signing out everywhere and a reset make all cookies invalid except the one issued with it', async (t) => {
  const portal = await openPlace(t);
  const { signIn, judged } = guessing(portal);
  const owner = await portal.setUp();
  const other = portal.visitor();
  read(await signIn(other));
  const waits = async (visitor: Visitor, password: string) =>
    (await signIn(visitor, password)).status === 429;

  const change = { current: PASSWORD, password: NEW_PASSWORD };
  const before = withDeviceOf(owner, portal);
  assert.equal((await owner.post('/portal/api/me/password', change)).status, 204);
  assert.equal(await judged(portal.visitor(), 12), 5);
  assert.ok(await waits(before, NEW_PASSWORD));
  assert.ok(await waits(other, NEW_PASSWORD));
  assert.equal((await signIn(owner, NEW_PASSWORD)).status, 200);

  const kept = withDeviceOf(owner, portal);
  assert.equal((await owner.send('DELETE', '/portal/api/me/sessions')).status, 204);
  assert.equal(owner.cookies.has(DEVICE), false);
  assert.ok(await waits(kept, NEW_PASSWORD));

  const link = await portal.service.command('portal', 'reset', '--email', portal.owner);
  const password = 'walnut-compass-tide';
  const again = portal.visitor();
  const reset = { token: link.trim().split('#')[1], password };
  assert.equal((await again.post('/portal/api/reset', reset)).status, 204);
  assert.equal(await judged(portal.visitor(), 12), 5);
  assert.ok(await waits(kept, password));
  assert.equal((await signIn(withDeviceOf(again, portal), password)).status, 200);
});

test('the guesses of a person are limited, however many devices they have', async (t) => {
  const portal = await openPlace(t);
  const { signIn, judged } = guessing(portal);
  await portal.setUp();
  const devices = Array.from({ length: 30 }, () => portal.visitor());
  for (const device of devices) read(await signIn(device));
  const guesses = await Promise.all(devices.map((device) => judged(device, 6)));
  const all = guesses.reduce((sum, each) => sum + each, 0);
  assert.ok(all <= 16 * 5, `${all} guesses`);
});

test('wrong passwords do not delay a passkey, not even from the same address', async (t) => {
  const portal = await openPlace(t);
  const { signIn } = guessing(portal);
  const owner = await portal.setUp();
  const authenticator = createAuthenticator({ origin: portal.service.baseUrl });
  const ask = async (visitor: Visitor, path: string) =>
    read<{ options: { challenge: string } }>(await visitor.post(`${path}/options`)).options;
  const added = { name: 'Key', response: authenticator.create(await ask(owner, '/portal/api/me/passkeys')) };
  assert.equal((await owner.post('/portal/api/me/passkeys', added)).status, 201);
  const guesser = portal.visitor();
  for (let i = 0; i < 22; i++) await signIn(guesser, 'wrong-password', `person${i}@example.com`);
  assert.equal((await signIn(guesser)).status, 429);
  const guest = portal.visitor();
  const response = authenticator.get(await ask(guest, '/portal/api/session/passkey'));
  assert.equal((await guest.post('/portal/api/session/passkey', { response })).status, 204);
  assert.equal(
    (await signIn(guest)).status,
    200,
    'and who came in by one is known by the device from then on',
  );
});

test('refused passwords are in the audit log, in one entry for five minutes, with only the network', async (t) => {
  const portal = await openPlace(t);
  const { judged } = guessing(portal);
  const owner = await portal.setUp();
  const account = (await firstAccount(owner)).id;
  const refusals = async () =>
    read<AuditLog>(await owner.get(`/portal/api/accounts/${account}/audit`)).entries.filter(
      ({ action }) => action === 'password.refused',
    );
  assert.equal(await judged(portal.visitor(), 12), 5);
  assert.equal(await judged(portal.visitor(), 3, 'nobody@example.com'), 3);
  const [entry, ...more] = await refusals();
  assert.deepEqual(more, []);
  const { who, subject, detail, address } = entry ?? {};
  assert.deepEqual([who, subject, detail], ['somebody', portal.owner, '5 times within an hour']);
  assert.match(address ?? '', /^127\.0\.0\.0\/24$|^0:0:0:0::\/64$/);
  assert.equal(await judged(owner, 1), 1);
  assert.equal((await refusals())[0]?.detail, '6 times within an hour');
  const log = (await owner.get(`/portal/api/accounts/${account}/audit`)).text;
  assert.ok(!log.includes('nobody@example.com') && !log.includes('wrong-password'));
});

test('a wrong second factor is in the audit log too', async (t) => {
  const portal = await openPlace(t);
  const { signIn } = guessing(portal);
  const owner = await portal.setUp();
  const { secret } = read<{ secret: string }>(await owner.post('/portal/api/me/totp'));
  read(await owner.post('/portal/api/me/totp/confirm', { code: totp(secret, Date.now()) }));
  const guest = portal.visitor();
  read(await signIn(guest));
  const wrong = await guest.post('/portal/api/session/second-factor', { code: 'xxxx-xxxx-xxxx' });
  assert.equal(problemOf(wrong), 'sign-in-failed');
  assert.equal(guest.cookies.has(DEVICE), false, 'half a sign-in makes no device');
  const { entries } = read<AuditLog>(
    await owner.get(`/portal/api/accounts/${(await firstAccount(owner)).id}/audit`),
  );
  assert.equal(entries[0]?.action, 'second-factor.refused');
  assert.equal(owner.cookies.has(SESSION), true);
  assert.equal((await owner.send('DELETE', '/portal/api/me/sessions')).status, 204);
  const code = totp(secret, Date.now() + STEP_MS);
  const late = await guest.post('/portal/api/session/second-factor', { code });
  assert.equal(late.status, 401, 'who signs out everywhere ends what is half done, too');
});
