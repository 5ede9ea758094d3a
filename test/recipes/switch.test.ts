/** The recipes for those who come from another service: Twilio Verify, otpgateway. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eventually, freshNumber, wrongCode } from '../acceptance/client.ts';
import { createAppFolder } from '../app.ts';
import { openService } from '../client/trusted.ts';
import { type PortalRig, sharePortal } from '../portal/rig.ts';
import { openAccount } from '../twilio/account.ts';
import { filesOf, paste } from './page.ts';

const cleanups: (() => unknown)[] = [];
after(async () => {
  for (const close of cleanups.reverse()) await close();
});

/** A folder with what a page gives to paste. */
function prepare(page: string, packages: readonly string[]): string {
  const { folder, remove } = createAppFolder(packages);
  cleanups.push(remove);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  paste(page, folder);
  return folder;
}

interface Verification {
  readonly status: string;
  readonly sid: string;
}

/** What verify.js of the page exports. */
interface Switch {
  readonly old: { readonly verify: { baseUrl: string } };
  send(to: string, channel?: string): Promise<Verification>;
  check(to: string, code: string): Promise<Verification>;
}

suite('from Twilio Verify: both at once, by the share', () => {
  const place = sharePortal();
  let portal: PortalRig;
  let folder: string;
  const keys = { old: '', ours: '' };

  /** An account that apps may use by Twilio's library; returns a test key of it. */
  async function open(): Promise<string> {
    portal = await place({ after: (close) => cleanups.push(close) });
    const account = await openAccount(await portal.setUp());
    await account.turn(true);
    return account.createKey({ test: true });
  }

  before(async () => {
    // Another account plays Twilio: what it has sent, the first knows nothing of.
    keys.old = await open();
    keys.ours = await open();
    folder = prepare('from-twilio-verify.md', ['twilio']);
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, portal.service.ca);
    Object.assign(process.env, {
      TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: keys.old,
      TWILIO_VERIFY_SERVICE: `VA${'b'.repeat(32)}`,
      TWILIO_CA_BUNDLE: ca,
      COUNTERSIGN_API_KEY: keys.ours,
      COUNTERSIGN_URL: portal.service.baseUrl,
    });
    const { send } = await load(0);
    const isOn = await eventually(() => send(freshNumber()).catch(() => undefined), 20_000);
    assert.ok(isOn, 'the account of before takes requests');
  });

  /** The page's file, with another share each time. */
  async function load(share: number): Promise<Switch> {
    process.env.COUNTERSIGN_SHARE = String(share);
    const made: Switch = await import(`${pathToFileURL(join(folder, 'verify.js')).href}?${share}`);
    made.old.verify.baseUrl = `${portal.service.baseUrl}/twilio`;
    return made;
  }

  const messagesOf = async (to: string, side: keyof typeof keys) =>
    portal.service.client.messages(to, { key: keys[side] });
  const codeOf = async (to: string, side: keyof typeof keys) =>
    (await eventually(async () => (await messagesOf(to, side))[0]))?.code ?? '';

  for (const [share, side, other] of [
    [0, 'old', 'ours'],
    [1, 'ours', 'old'],
  ] as const) {
    test(`with a share of ${share}, ${side} sends and judges`, async () => {
      const { send, check } = await load(share);
      const to = freshNumber();
      assert.equal((await send(to)).status, 'pending');
      const code = await codeOf(to, side);
      assert.deepEqual(await messagesOf(to, other), []);
      assert.equal((await check(to, wrongCode(code))).status, 'pending');
      assert.equal((await check(to, code)).status, 'approved');
      await assert.rejects(check(to, code), { status: 404, code: 20404 });
    });
  }

  test('a code in flight is good after the share has changed, forward and back', async () => {
    const [before, behind] = [await load(0), await load(1)];
    for (const [first, second, side] of [
      [before, behind, 'old'],
      [behind, before, 'ours'],
    ] as const) {
      const to = freshNumber();
      await first.send(to);
      const code = await codeOf(to, side);
      assert.equal((await second.check(to, wrongCode(code))).status, 'pending');
      assert.equal((await second.check(to, code)).status, 'approved');
    }
    // Both have sent one: either may be typed.
    const to = freshNumber();
    await before.send(to);
    await behind.send(to);
    const code = await codeOf(to, 'old');
    if (code !== (await codeOf(to, 'ours'))) assert.equal((await behind.check(to, code)).status, 'approved');
  });

  test('a number goes the same way each time', async () => {
    const { send } = await load(0.5);
    const sides = new Set<string>();
    for (let i = 0; i < 24; i++) {
      const to = freshNumber();
      await send(to);
      await send(to, 'call');
      const counts = await eventually(async () => {
        const found = [(await messagesOf(to, 'old')).length, (await messagesOf(to, 'ours')).length];
        return found[0] === 2 || found[1] === 2 ? found : undefined;
      });
      assert.ok(counts?.includes(0), 'both went the same way');
      sides.add(String(counts));
    }
    assert.equal(sides.size, 2, 'numbers go both ways');
  });
});

suite('from otpgateway', () => {
  /** Of what the page's configuration sends to: mobile numbers of India. */
  const indian = () => `+9198${randomInt(10_000_000, 100_000_000)}`;

  test('its configuration starts, and its two functions send and judge a code', async () => {
    const config = filesOf('from-otpgateway.md').get('countersign.yaml') ?? '';
    assert.match(config, /countries: \[IN\]/);
    const { service, clientOf } = await openService({ config });
    const apiKey = await service.createKey('recipes', { test: true });
    const countersign = clientOf({ apiKey });
    Object.assign(process.env, { COUNTERSIGN_API_KEY: apiKey, COUNTERSIGN_URL: service.baseUrl });
    const folder = prepare('from-otpgateway.md', []);
    const login: {
      sendCode(number: string, userId: string): Promise<{ id?: string; retryAfter?: number }>;
      checkCode(id: string, code: string): Promise<string | undefined>;
    } = await import(pathToFileURL(join(folder, 'login.js')).href);
    const number = indian();
    const { id = '' } = await login.sendCode(number, 'user-123');
    const found = await countersign.get(id);
    assert.equal(found.kind, 'found');
    assert.deepEqual(found.metadata, { user: 'user-123' });
    assert.equal(Date.parse(found.expiresAt) - Date.parse(found.createdAt), 300_000);
    const code = await countersign.code(number, { id });
    assert.equal(await login.checkCode(id, wrongCode(code)), undefined);
    assert.equal(await login.checkCode(id, code), number);
    assert.ok((await login.sendCode('+15005550006', 'user-123')).retryAfter);
    const [message] = await service.client.messages(number, { key: apiKey });
    assert.match(message?.text ?? '', /MyApp/);
  });
});
