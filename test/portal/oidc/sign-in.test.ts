/** Single sign-on at a real provider: who comes in, and as whom. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, read, readMe } from '../rig.ts';
import { startSingleSignOn, walk } from './walk.ts';

test('whoever is known by a verified address comes in, and is on record', async (t) => {
  const { setUp, visitor, provider } = await startSingleSignOn(t, { options: { label: 'Example' } });
  await setUp();
  assert.deepEqual(read<{ oidc: unknown }>(await visitor().get('/portal/api/state')).oidc, [
    { name: 'sso', label: 'Example' },
  ]);
  provider.person = { sub: 'olive', email: 'Owner@Example.com', email_verified: true };
  const guest = visitor();
  assert.equal(await walk(guest), '/portal/');
  const me = await readMe(guest);
  assert.equal(me.email, OWNER);
  assert.deepEqual(
    guest.setCookies.map((line) => line.replace(/=[^;]*/, '')),
    [
      '__Host-countersign-oidc; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600',
      '__Host-countersign-oidc; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0',
      '__Host-countersign; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=604800',
    ],
  );
});
