/** A session ends while a page is open: what somebody typed there stays for the same person, and for nobody else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../acceptance/client.ts';
import { PASSWORD, type Visitor } from '../portal/rig.ts';
import { comeBack } from './rig/forms.ts';
import { look } from './rig/look.ts';
import {
  accountOf,
  heading,
  makeKey,
  openWindow,
  redraw,
  signIn,
  startStage,
  untilCount,
} from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
await makeKey(owner, account, 'Staging');

const againOn = (page: Page) => page.getByRole('dialog', { name: 'You were signed out' });
const MARKER = 'window.openSince';

async function endSessionsOf(visitor: Visitor): Promise<void> {
  const answer = await visitor.send('DELETE', '/portal/api/me/sessions');
  assert.equal(answer.status, 204, answer.text);
}

async function enter(dialog: Locator, email: string): Promise<void> {
  await dialog.locator('input[name=email]').fill(email);
  await dialog.locator('input[name=password]').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What is old is asked again when somebody comes back, once it is old. */
async function comeBackUntil(page: Page, reached: () => Promise<boolean>): Promise<void> {
  const there = await eventually(async () => {
    // It may leave for another page in this moment.
    await comeBack(page).catch(() => {});
    return (await reached()) || undefined;
  }, 30_000);
  assert.ok(there);
}

/** The settings with something typed, and the session over: the page is kept, and shows nothing. */
async function typeSettings(page: Page, visitor: Visitor): Promise<Locator> {
  await page.goto(stage.address(`${account}/settings`));
  const brand = page.locator('input[name=brand]');
  await brand.fill('Typed for a while');
  await page.evaluate(`${MARKER} = 1`);
  await endSessionsOf(visitor);
  await comeBackUntil(page, async () => (await againOn(page).count()) > 0);
  assert.ok(!(await page.locator('h1').isVisible()) && !(await brand.isVisible()), 'nobody sees the page');
  return brand;
}

test('what was typed when a session ended stays, and is sent after signing in again', async (t) => {
  const dana = await stage.portal.join(owner, 'developer', 'dana@example.com');
  const page = await openWindow(t, stage, { as: dana, provokes: [401], reducedMotion: 'reduce' });
  await page.goto(stage.address(`${account}/keys`));
  await page.getByRole('button', { name: 'Create a key' }).click();
  const create = page.getByRole('dialog', { name: 'Create a key' });
  const name = page.locator('dialog input[name=name]');
  await name.fill('Typed for a while');
  await endSessionsOf(dana);
  await create.getByRole('button', { name: 'Create the key' }).click();
  await againOn(page).waitFor();
  assert.ok(!(await page.locator('h1').isVisible()) && !(await name.isVisible()), 'nobody sees the page');
  await page.keyboard.press('Escape');
  await untilCount(againOn(page), 1);
  await look(page);
  await enter(againOn(page), 'dana@example.com');
  await untilCount(againOn(page), 0);
  assert.equal(await name.inputValue(), 'Typed for a while');
  await create.getByText('Nothing was changed.').waitFor();
  await create.getByRole('button', { name: 'Create the key' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Secret' }).waitFor();
});

test('who signs in again in another tab goes on here', async (t) => {
  const email = 'tara@example.com';
  const tara = await stage.portal.join(owner, 'owner', email);
  const page = await openWindow(t, stage, { as: tara, provokes: [401], losesService: true });
  const brand = await typeSettings(page, tara);
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    againOn(page)
      .getByRole('link', { name: /another way/ })
      .click(),
  ]);
  await signIn(tab, tab.url(), email, PASSWORD);
  await heading(tab, 'Overview');
  // A tab in the background may be hidden, and then asks nothing.
  await page.bringToFront();
  // Who it is cannot be found out for a while. The route stays: a request that is under way while one is taken away may never be answered.
  let [unanswered, isAway] = [0, true];
  await page.route('**/portal/api/me', (route) => {
    if (!isAway) return route.continue();
    unanswered += 1;
    return route.abort();
  });
  await comeBackUntil(page, async () => unanswered >= 3);
  await redraw(page);
  assert.ok(!(await brand.isVisible()), 'nobody sees the page before');
  isAway = false;
  await comeBackUntil(page, async () => (await againOn(page).count()) === 0);
  await brand.waitFor();
  assert.equal(await brand.inputValue(), 'Typed for a while');
});

test('nothing of a page stays for somebody else who signs in there', async (t) => {
  const first = await stage.portal.join(owner, 'owner', 'first@example.com');
  await stage.portal.join(owner, 'viewer', 'second@example.com');
  const page = await openWindow(t, stage, { as: first, provokes: [401] });
  await typeSettings(page, first);
  await enter(againOn(page), 'second@example.com');
  await heading(page, 'Overview');
  await page.getByRole('link', { name: 'second', exact: true }).waitFor();
  assert.equal(await page.evaluate(MARKER), undefined, 'the page was loaded afresh');
});

test('nor when somebody else signs in beside it', async (t) => {
  const first = await stage.portal.join(owner, 'owner', 'third@example.com');
  await stage.portal.join(owner, 'viewer', 'fourth@example.com');
  const page = await openWindow(t, stage, { as: first, provokes: [401] });
  await page.goto(stage.address(`${account}/settings`));
  await page.locator('input[name=brand]').fill('Typed for a while');
  await page.evaluate(`${MARKER} = 1`);
  const tab = await page.context().newPage();
  await signIn(tab, stage.address('/sign-in'), 'fourth@example.com', PASSWORD);
  await heading(tab, 'Overview');
  await comeBackUntil(page, async () => (await page.locator('input[name=brand]').count()) === 0);
  await heading(page, 'Overview');
  assert.equal(await page.evaluate(MARKER), undefined, 'the page was loaded afresh');
});

test('who does not go on leaves the page behind', async (t) => {
  const lee = await stage.portal.join(owner, 'owner', 'lee@example.com');
  const page = await openWindow(t, stage, { as: lee, provokes: [401] });
  await typeSettings(page, lee);
  await againOn(page).getByRole('button', { name: 'Leave this page' }).click();
  await heading(page, 'Sign in');
  await untilCount(page.locator('input[name=brand]'), 0);
});
