/** Every page in both colour schemes and at three widths, and how heavy the first one is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, PASSWORD } from '../portal/rig.ts';
import { look, WIDE } from './rig/look.ts';
import { accountOf, heading, makeKey, openWindow, settle, signIn, startStage } from './rig/stage.ts';
import { fillDay, sendCodes } from './rig/traffic.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const SCRIPT_BUDGET = 200 * 1024;
const INTERACTIVE_BOUND_MS = 20_000;

const PAGES = [
  ['overview', 'Overview'],
  ['handset', 'Handset'],
  ['keys', 'API keys'],
  ['verifications', 'Verifications'],
  ['do-not-send', 'Do not send'],
  ['people', 'People'],
  ['audit', 'Audit log'],
  ['settings', 'Settings'],
] as const;
/** For people who are not signed in; the token is checked when it is used. */
const BEFORE = [
  ['/sign-in', 'Sign in', 'sign-in'],
  ['/setup#token', 'Set up'],
  ['/reset#token', 'Choose a new password'],
  ['/invitation', 'Invitation'],
] as const;
const OUTSIDE = [
  ['/me', 'Your sign-in', 'me'],
  ['/new-account', 'Add an account'],
  ['/nowhere', 'Page not found'],
] as const;

test('axe finds no fault on any page, and every page fits the window', async (t) => {
  await stage.portal.join(owner, 'developer', 'dana@example.com');
  await owner.post(`/portal/api${account}/invitations`, { email: 'ines@example.com', role: 'viewer' });
  await makeKey(owner, account, 'Staging');
  const key = await makeKey(owner, account, 'Checkout, production', false, ['GB', 'FR', 'DE']);
  await sendCodes(stage.portal.service.client, key, 24);
  fillDay(stage.portal.service.dataDir);
  const page = await openWindow(t, stage, { reducedMotion: 'reduce' });
  await signIn(page, stage.address('/sign-in'), OWNER, PASSWORD);
  await heading(page, 'Overview');
  const show = async (path: string, title: string, shown = page) => {
    await shown.goto(stage.address(path));
    await heading(shown, title);
    await settle(shown);
  };
  for (const [name, title] of PAGES) {
    await t.test(name, async () => {
      await show(`${account}/${name}`, title);
      await look(page, name);
    });
  }
  await t.test('verification', async () => {
    await page.setViewportSize(WIDE);
    await show(`${account}/verifications?status=confirmed`, 'Verifications');
    await page.getByRole('table', { name: 'Verifications' }).getByRole('link').first().click();
    await heading(page, 'Verification');
    await settle(page);
    await look(page, 'verification');
  });
  for (const [path, title, picture] of OUTSIDE) {
    await t.test(path, async () => {
      await show(path, title);
      await look(page, picture);
    });
  }
  const stranger = await openWindow(t, stage, { reducedMotion: 'reduce' });
  for (const [path, title, picture] of BEFORE) {
    await t.test(path, async () => {
      await show(path, title, stranger);
      await look(stranger, picture);
    });
  }
});

test('the first page is small and loads fast', async (t) => {
  const page = await openWindow(t, stage);
  await signIn(page, stage.address('/sign-in'), OWNER, PASSWORD);
  await heading(page, 'Overview');
  const fresh = await openWindow(t, stage);
  await fresh.context().addCookies(await page.context().cookies());
  const scripts: Promise<number>[] = [];
  fresh.on('response', (response) => {
    const request = response.request();
    if (request.resourceType() !== 'script') return;
    assert.ok(response.headers()['content-encoding'], `${response.url()} is compressed`);
    scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const began = performance.now();
  await fresh.goto(stage.address('/'));
  await fresh.getByRole('button', { name: 'Sign out' }).waitFor();
  const interactive = performance.now() - began;
  await settle(fresh);
  const bytes = (await Promise.all(scripts)).reduce((sum, one) => sum + one, 0);
  t.diagnostic(`${bytes} bytes of script, there after ${Math.round(interactive)} ms`);
  assert.ok(scripts.length > 0 && bytes < SCRIPT_BUDGET, `${bytes} bytes`);
  assert.ok(interactive < INTERACTIVE_BOUND_MS);
});
