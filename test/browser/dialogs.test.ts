/** Dialogs are as accessible as pages, in both colour schemes, and fit a telephone. */
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { look, NARROW, WIDE } from './rig/look.ts';
import { accountOf, chooseInRow, heading, makeKey, openWindow, settle, startStage } from './rig/stage.ts';
import { sendCodes } from './rig/traffic.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

test('axe finds no fault in any dialog, and each fits the window', async (t) => {
  await makeKey(owner, account, 'Checkout', false);
  await sendCodes(stage.portal.service.client, await makeKey(owner, account, 'Staging'), 1);
  await stage.portal.join(owner, 'developer', 'dana@example.com');
  await owner.post(`/portal/api${account}/do-not-send/numbers`, { number: '+447400123400' });
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce' });
  const show = async (path: string, title: string) => {
    await page.setViewportSize(WIDE);
    await page.goto(stage.address(path));
    await heading(page, title);
    await settle(page);
  };
  const judge = (name: string) =>
    t.test(name, async () => {
      await page.getByRole('dialog').waitFor();
      await settle(page);
      await look(page);
    });
  const close = async (leave = () => page.keyboard.press('Escape')) => {
    await leave();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.setViewportSize(WIDE);
  };

  await show(`${account}/keys`, 'API keys');
  await press(page, 'Create a key');
  await judge('create');
  await page.locator('input[name=name]').fill('Nightly');
  await inDialog(page, 'Create the key');
  await page.getByText('Copy it now').waitFor();
  await judge('created');
  await close(() => inDialog(page, 'I have copied it'));
  for (const task of ['Edit', 'Rotate', 'Revoke']) {
    await chooseInRow(page, 'Checkout', task);
    await judge(task.toLowerCase());
    await close();
  }

  await show(`${account}/people`, 'People');
  await press(page, 'Invite');
  await judge('invite');
  await page.locator('input[name=email]').fill('ines@example.com');
  await inDialog(page, 'Create the link');
  await page.getByText('Send this link yourself').waitFor();
  await judge('link');
  await close(() => inDialog(page, 'Done'));
  for (const task of ['Change role…', 'Remove…']) {
    await chooseInRow(page, 'dana', task);
    await judge(task);
    await close();
  }

  await show(`${account}/verifications`, 'Verifications');
  await page.getByRole('table', { name: 'Verifications' }).getByRole('link').first().click();
  await press(page, 'Show the full number');
  await judge('number');
  await close();

  await show(`${account}/data-requests`, 'Data requests');
  await page.locator('input[name=destination]').last().fill('+447400123400');
  await press(page, 'Erase…');
  await judge('erase');
  await page.getByLabel('Also take it off').check();
  await close(() => inDialog(page, 'Erase it'));
  await page.getByText('Erased 1 verification. It is no longer on the do-not-send list').waitFor();

  await show('/me', 'Your sign-in');
  await press(page, 'Turn on');
  await judge('authenticator');
  await close();

  await show(`${account}/overview`, 'Overview');
  await page.setViewportSize(NARROW);
  await press(page, 'Menu');
  await judge('menu');
});
