/** Authenticators, and all else that is sealed for long, across a rotation of the service's secret. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { SAMPLES } from './catalogue.ts';
import { firstAccount, OWNER, openPortal, PASSWORD, type PortalRig, read, type Visitor } from './rig.ts';
import { STEP_MS, totp } from './sign-in/totp.ts';

async function enrol(visitor: Visitor) {
  const { secret } = read<{ secret: string }>(await visitor.post('/portal/api/me/totp'));
  for (;;) {
    const now = Date.now();
    const code = totp(secret, now - STEP_MS);
    const confirmed = await visitor.post('/portal/api/me/totp/confirm', { code });
    // A step that has begun meanwhile makes it the last but one, which is good no more.
    const isOver = Math.floor(Date.now() / STEP_MS) > Math.floor(now / STEP_MS);
    if (confirmed.status >= 300 && isOver) continue;
    return { secret, codes: read<{ recovery_codes: string[] }>(confirmed).recovery_codes };
  }
}

/** One of each that the sweep seals or hashes again, besides authenticators. */
async function addOthers(owner: Visitor): Promise<void> {
  const path = `/portal/api/accounts/${(await firstAccount(owner)).id}`;
  const { url } = SAMPLES;
  const rule = { action: 'deny', subject: 'number', value: freshNumber(), ends_at: null, reason: 'pumped' };
  const made = [
    await owner.post(`${path}/do-not-send/numbers`, { number: freshNumber() }),
    await owner.post(`${path}/guard/rules`, rule),
    await owner.post(`${path}/webhooks`, { url, types: [] }),
    await owner.send('PUT', `${path}/alerts/webhook`, { url }),
  ];
  assert.ok(
    made.every(({ status }) => status < 300),
    made.map(({ text }) => text).join(),
  );
}

const SEALED_AGAIN = [
  'authenticators sealed again',
  'numbers to send nothing to hashed again',
  'rules of the guard hashed again',
  'secrets of webhooks sealed again',
  'webhooks of alerts sealed again',
];

async function signIn({ visitor }: PortalRig, email: string, code: string) {
  const guest = visitor();
  read(await guest.post('/portal/api/session', { email, password: PASSWORD }));
  return guest.post('/portal/api/session/second-factor', { code });
}

test('an authenticator outlives the secret that it was sealed under, whether used in between or not', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-rotation-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const [first, second, third] = [1, 2, 3].map(() => randomBytes(32).toString('hex'));
  const under = (secret = '', previous?: string) =>
    startService({
      dataDir,
      withoutKeys: true,
      env: {
        COUNTERSIGN_SECRET: secret,
        ...(previous !== undefined && { COUNTERSIGN_PREVIOUS_SECRET: previous }),
      },
    });
  const guest = 'guest@example.com';

  await using before = await under(first);
  const portal = await openPortal(t, before);
  const owner = await portal.setUp();
  const invited = await portal.join(owner, 'viewer', guest);
  const [idle, used] = [await enrol(owner), await enrol(invited)];
  await addOthers(owner);
  await before.stop();

  await using during = await under(second, first);
  const rotating = { ...portal, visitor: () => portal.visitor(during) };
  assert.equal((await signIn(rotating, guest, totp(used.secret, Date.now()))).status, 204);
  // Right after the start, in the background.
  const says = (service: Service, words: string) =>
    eventually(async () => (service.logs().includes(words) ? true : undefined));
  for (const words of SEALED_AGAIN) assert.ok(await says(during, words), words);
  await during.stop();

  await using after = await under(second);
  const rotated = { ...portal, visitor: () => portal.visitor(after) };
  assert.equal((await signIn(rotated, OWNER, totp(idle.secret, Date.now()))).status, 204);
  const next = totp(used.secret, Date.now() + STEP_MS);
  assert.equal((await signIn(rotated, guest, next)).status, 204);
  await after.stop();

  await using lost = await under(third);
  const bereft = { ...portal, visitor: () => portal.visitor(lost) };
  const refused = await signIn(bereft, OWNER, totp(idle.secret, Date.now() + STEP_MS));
  assert.deepEqual([refused.status, problemOf(refused)], [401, 'sign-in-failed']);
  assert.equal((await signIn(bereft, OWNER, idle.codes[0] ?? '')).status, 204);
  assert.ok(await says(lost, 'authenticators cannot be read: their secret is gone'), lost.logs());
});
