/** The longest allowed names push nothing out of sight. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../portal/rig.ts';
import { NARROW, WIDE } from './rig/look.ts';
import { addAccount, heading, makeKey, openWindow, settle, startStage } from './rig/stage.ts';
import { sendCodes } from './rig/traffic.ts';

/** One word without a place to break. */
const LONG = 'Wordbreaker'.repeat(8).slice(0, 80);
const CARRIER = 'c'.repeat(30);
const LOOKS = 40;

const stage = await startStage({
  config: {
    carriers: { [CARRIER]: { type: 'simulator' } },
    routes: ['sms', 'voice'].map((channel) => ({ channel, carriers: [CARRIER] })),
  },
});
const owner = await stage.portal.setUp();
const account = await addAccount(owner, LONG);

async function prepare(): Promise<void> {
  const { client } = stage.portal.service;
  await sendCodes(client, await makeKey(owner, account, LONG), 3);
  await makeKey(owner, account, LONG, false, ['GB', 'FR', 'DE']);
  await owner.post(`/portal/api${account}/invitations`, {
    email: `${'i'.repeat(60)}@example.com`,
    role: 'viewer',
  });
  const invited = await owner.post(`/portal/api${account}/invitations`, {
    email: `${'m'.repeat(60)}@example.com`,
    role: 'viewer',
  });
  const token = JSON.parse(invited.text).link.split('#')[1];
  const accepted = await stage.portal
    .visitor()
    .post('/portal/api/invitations/accept', { token, name: LONG, password: PASSWORD });
  assert.equal(accepted.status, 200, accepted.text);
}

const PAGES = [
  [`${account}/overview?test=true`, 'Overview'],
  [`${account}/handset`, 'Handset'],
  [`${account}/keys`, 'API keys'],
  [`${account}/verifications`, 'Verifications'],
  [`${account}/alerts`, 'Alerts'],
  [`${account}/people`, 'People'],
  [`${account}/audit`, 'Audit log'],
  [`${account}/settings`, 'Settings'],
  ['/me', 'Your sign-in'],
  ['/new-account', 'Add an account'],
] as const;

/** How much something is wider than its frame: a dialog; the page, then each table. */
const EXCESS_OF_DIALOG = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))`;
const EXCESS_OF_PAGE = `[document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth]`;
const EXCESS = `[document.scrollingElement, ...document.querySelectorAll('section[tabindex="0"]')]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`;

/** By how much something is too wide, if it stays so: charts follow a new width of the window a moment later. */
async function excessOf(page: Page, read = EXCESS): Promise<number[]> {
  for (let looks = 1; ; looks++) {
    const excess = (await page.evaluate<number[]>(read)).filter((by) => by > 0);
    if (excess.length === 0 || looks === LOOKS) return excess;
    await sleep(50);
  }
}

test('nothing scrolls sideways on a telephone, and no column leaves its table on a large screen', async (t) => {
  await prepare();
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce' });
  for (const [path, title] of PAGES) {
    await t.test(title, async () => {
      await page.goto(stage.address(path));
      await heading(page, title);
      await settle(page);
      await page.setViewportSize(NARROW);
      const narrow = await excessOf(page, EXCESS_OF_PAGE);
      await page.setViewportSize(WIDE);
      const wide = await excessOf(page);
      assert.deepEqual({ narrow, wide }, { narrow: [], wide: [] });
    });
  }
  await t.test('one verification', async () => {
    await page.goto(stage.address(`${account}/verifications`));
    await page.getByRole('table', { name: 'Verifications' }).getByRole('link').first().click();
    await heading(page, 'Verification');
    await settle(page);
    await page.setViewportSize(NARROW);
    assert.deepEqual(await excessOf(page), []);
  });
  await t.test('the questions about a key', async () => {
    await page.setViewportSize(NARROW);
    await page.goto(stage.address(`${account}/keys`));
    for (const task of ['Edit', 'Rotate', 'Revoke']) {
      await page
        .getByRole('button', { name: `Actions for ${LONG}` })
        .first()
        .click();
      await page.getByRole('menuitem', { name: task }).click();
      const by = await page.evaluate<number>(EXCESS_OF_DIALOG);
      assert.equal(by, 0, task);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
  });
});
