/** Members, settings, and how people sign in. */
import assert from 'node:assert/strict';
import { wrongCode } from '../../acceptance/client.ts';
import { OWNER, PASSWORD, type PortalRig, read, type Visitor } from '../rig.ts';
import { createAuthenticator } from '../sign-in/authenticator.ts';
import { STEP_MS, totp } from '../sign-in/totp.ts';
import { LEAKED_PASSWORD, NEW_PASSWORD, RESET_PASSWORD, type Walk } from './walk.ts';

export async function walkPeople(
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

export async function walkSignIn(walk: Walk, { service, visitor }: PortalRig, owner: Visitor): Promise<void> {
  const begun = read<{ secret: string; uri: string }>(await owner.post('/portal/api/me/totp'));
  walk.evidence.add(begun.secret);
  const now = walk.code(totp(begun.secret, Date.now()));
  const next = walk.code(totp(begun.secret, Date.now() + STEP_MS));
  await owner.post('/portal/api/me/totp/confirm', { code: walk.code(wrongCode(now)) });
  const confirmed = await owner.post('/portal/api/me/totp/confirm', { code: now });
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
  assert.equal((await guest.post('/portal/api/session/second-factor', { code: next })).status, 204);

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
