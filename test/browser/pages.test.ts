/** Every page in both colour schemes and at three widths, and how heavy the first one is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Response } from 'playwright-core';
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
  ['carriers', 'Carriers'],
  ['guard', 'Guard'],
  ['countries', 'Countries'],
  ['do-not-send', 'Do not send'],
  ['webhooks', 'Webhooks'],
  ['alerts', 'Alerts'],
  ['people', 'People'],
  ['audit', 'Audit log'],
  ['data-requests', 'Data requests'],
  ['settings', 'Settings'],
  ['carriers?view=routes', 'Carriers'],
  ['carriers?view=tests', 'Carriers'],
  ['carriers?view=configuration', 'Carriers'],
] as const;
/** Their own files take their pictures, with more to see. */
const PICTURED_ELSEWHERE: ReadonlySet<string> = new Set(['carriers', 'guard', 'alerts']);
/** For people who are not signed in; the token is checked when it is used. */
const BEFORE = [
  ['/sign-in', 'Sign in'],
  ['/setup#token', 'Set up'],
  ['/reset#token', 'Choose a new password'],
  ['/invitation', 'Invitation'],
] as const;
const OUTSIDE = [
  ['/me', 'Your sign-in'],
  ['/new-account', 'Add an account'],
  ['/nowhere', 'Page not found'],
] as const;

/** Of these tests: closed by the last of them, while the browser is still there. */
const closing = new AsyncDisposableStack();
const windows = { after: (end: () => Promise<void>) => closing.defer(end) };
const FITS = 'axe finds no fault on a page, and it fits the window';

await stage.portal.join(owner, 'developer', 'dana@example.com');
await owner.post(`/portal/api${account}/invitations`, { email: 'ines@example.com', role: 'viewer' });
await makeKey(owner, account, 'Staging');
const key = await makeKey(owner, account, 'Checkout, production', false, ['GB', 'FR', 'DE']);
await sendCodes(stage.portal.service.client, key, 24);
fillDay(stage.portal.service.dataDir);
await owner.post(`/portal/api${account}/webhooks`, { url: 'https://example.com/countersign', types: [] });
const page = await openWindow(windows, stage, { reducedMotion: 'reduce' });
await signIn(page, stage.address('/sign-in'), OWNER, PASSWORD);
await heading(page, 'Overview');
const show = async (path: string, title: string, shown = page) => {
  await shown.goto(stage.address(path));
  await heading(shown, title);
  await settle(shown);
};
test(`${FITS}: first steps`, async () => {
  await page.getByRole('heading', { name: 'Start', exact: true }).waitFor();
  await settle(page);
  await look(page);
  await page.getByRole('button', { name: 'Dismiss' }).click();
});
for (const [name, title] of PAGES) {
  test(`${FITS}: ${name}`, async () => {
    await show(`${account}/${name}`, title);
    await look(page, PICTURED_ELSEWHERE.has(name) ? undefined : name);
  });
}
test(`${FITS}: one verification`, async () => {
  await page.setViewportSize(WIDE);
  await show(`${account}/verifications?status=confirmed`, 'Verifications');
  await page.getByRole('table', { name: 'Verifications' }).getByRole('link').first().click();
  await heading(page, 'Verification');
  await settle(page);
  await look(page, 'verification');
});
test(`${FITS}: one endpoint`, async () => {
  await page.setViewportSize(WIDE);
  await show(`${account}/webhooks`, 'Webhooks');
  await page.getByRole('list', { name: 'Endpoints' }).getByRole('link').first().click();
  await heading(page, 'Endpoint');
  await settle(page);
  await look(page);
});
for (const [path, title] of OUTSIDE) {
  test(`${FITS}: ${path}`, async () => {
    await show(path, title);
    await look(page);
  });
}
const stranger = await openWindow(windows, stage, { reducedMotion: 'reduce' });
for (const [path, title] of BEFORE) {
  test(`${FITS}: ${path}`, async () => {
    await show(path, title, stranger);
    await look(stranger);
  });
}

test(`${FITS}: the console stays empty`, () => closing.disposeAsync());

test('the first page is small and loads fast', async (t) => {
  const page = await openWindow(t, stage);
  await signIn(page, stage.address('/sign-in'), OWNER, PASSWORD);
  await heading(page, 'Overview');
  const fresh = await openWindow(t, stage);
  await fresh.context().addCookies(await page.context().cookies());
  const scripts: Response[] = [];
  fresh.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response);
  });
  const began = performance.now();
  await fresh.goto(stage.address('/'));
  await fresh.getByRole('button', { name: 'Sign out' }).waitFor();
  const interactive = performance.now() - began;
  await settle(fresh);
  const sizes = await Promise.all(
    scripts.map(async (response) => {
      assert.ok(response.headers()['content-encoding'], `${response.url()} is compressed`);
      return (await response.request().sizes()).responseBodySize;
    }),
  );
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  t.diagnostic(`${bytes} bytes of script, there after ${Math.round(interactive)} ms`);
  assert.ok(scripts.length > 0 && bytes < SCRIPT_BUDGET, `${bytes} bytes`);
  assert.ok(interactive < INTERACTIVE_BOUND_MS);
});
