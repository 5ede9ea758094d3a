/** What somebody changed in a form is not lost without a question, whichever way they leave; and nobody is asked for nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { attention } from './rig/forms.ts';
import { look, WIDE } from './rig/look.ts';
import {
  accountOf,
  addAccount,
  heading,
  makeKey,
  openWindow,
  redraw,
  settle,
  startStage,
  untilCount,
} from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
await makeKey(owner, account, 'Checkout');
const WINDOW = { as: owner, viewport: WIDE, reducedMotion: 'reduce' } as const;

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave and lose your changes?' });
const answer = (page: Page, name: 'Stay' | 'Leave') =>
  question(page).getByRole('button', { name, exact: true }).click();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
const isFocused = (page: Page, text: string) =>
  page.locator('button:focus').getByText(text, { exact: true }).waitFor({ timeout: 5_000 });

async function isNotAsked(page: Page): Promise<void> {
  await redraw(page);
  assert.equal(await question(page).count(), 0);
}

async function openDialog(page: Page) {
  await page.goto(stage.address(`${account}/keys`));
  await button(page, 'Create a key').click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.waitFor();
  return { dialog, name: dialog.locator('input[name=name]') };
}

test('a dialog that was changed asks before it closes, by Escape, Cancel and Close alike', async (t) => {
  const page = await openWindow(t, stage, WINDOW);
  const { dialog, name } = await openDialog(page);
  await name.fill('Typed');
  await page.keyboard.press('Escape');
  await question(page).waitFor();
  await isFocused(page, 'Stay');
  await look(page);
  await page.setViewportSize(WIDE);
  // A browser lets a page hold a dialog only so often in a row.
  for (let times = 0; times < 3; times += 1) {
    await page.keyboard.press('Escape');
    await untilCount(question(page), 0);
    assert.equal(await name.inputValue(), 'Typed');
    await page.keyboard.press('Escape');
    await question(page).waitFor();
    await isFocused(page, 'Stay');
  }
  await page.keyboard.press('Enter');
  await untilCount(question(page), 0);
  await page.locator('input[name=name]:focus').waitFor();
  for (const closing of ['Cancel', 'Close']) {
    await dialog.getByRole('button', { name: closing, exact: true }).click();
    await answer(page, 'Stay');
    await untilCount(question(page), 0);
    assert.equal(await name.inputValue(), 'Typed');
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await answer(page, 'Leave');
  await untilCount(page.locator('dialog'), 0);
  await isFocused(page, 'Create a key');
});

test('a dialog that the browser closes by itself comes back as it was, with the focus where it was', async (t) => {
  const page = await openWindow(t, stage, WINDOW);
  const { name } = await openDialog(page);
  await name.fill('Typed');
  await page.evaluate("document.querySelector('dialog[open]').close()");
  await answer(page, 'Stay');
  await untilCount(question(page), 0);
  assert.equal(await name.inputValue(), 'Typed');
  await page.locator('input[name=name]:focus').waitFor();
});

test('a dialog closes at once if nothing differs from what it began with', async (t) => {
  const page = await openWindow(t, stage, WINDOW);
  const { dialog, name } = await openDialog(page);
  await page.keyboard.press('Escape');
  await untilCount(page.locator('dialog'), 0);
  await button(page, 'Create a key').click();
  await name.fill('Typed');
  await name.fill('');
  await dialog.getByRole('button', { name: 'Add an address' }).click();
  await dialog.getByRole('button', { name: 'Remove Source addresses, row 1' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await untilCount(page.locator('dialog'), 0);

  await button(page, 'Create a key').click();
  await dialog.getByRole('combobox', { name: 'Countries' }).fill('Germany');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await answer(page, 'Leave');
  await untilCount(page.locator('dialog'), 0);

  // What is typed to confirm is not to be kept.
  await button(page, 'Actions for Checkout').click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.keyboard.press('Escape');
  await untilCount(page.locator('dialog'), 0);
});

test('a form of a page asks before a link, the palette, Back, and signing out', async (t) => {
  const page = await openWindow(t, stage, {
    ...WINDOW,
    as: await stage.portal.join(owner, 'owner', 'lea@example.com'),
  });
  await page.goto(stage.address(`${account}/webhooks`));
  await heading(page, 'Webhooks');
  await link(page, 'Settings').click();
  await heading(page, 'Settings');
  const brand = page.locator('input[name=brand]');
  await brand.fill('Typed');
  const stays = async () => {
    await question(page).waitFor();
    await isFocused(page, 'Stay');
    await answer(page, 'Stay');
    await untilCount(question(page), 0);
    await heading(page, 'Settings');
    assert.match(page.url(), /\/settings$/);
    assert.equal(await brand.inputValue(), 'Typed');
  };

  await link(page, 'API keys').click();
  await stays();
  await page.getByRole('combobox', { name: 'Account', exact: true }).selectOption('+');
  await stays();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Jump to' }).getByRole('combobox').fill('+447400123400');
  await page.keyboard.press('Enter');
  await stays();
  await button(page, 'Sign out').click();
  await stays();
  for (let times = 0; times < 2; times += 1) {
    await page.evaluate('history.back()');
    await stays();
  }
  await page.evaluate('history.back()');
  await answer(page, 'Leave');
  await heading(page, 'Webhooks');
  await page.evaluate('history.forward()');
  await heading(page, 'Settings');
  await settle(page);
  assert.notEqual(await brand.inputValue(), 'Typed');

  await brand.fill('Typed');
  await link(page, 'Verifications').click();
  await answer(page, 'Leave');
  await heading(page, 'Verifications');
  await settle(page);
  // The number that nobody went to is forgotten.
  assert.equal(await page.getByText('+447400123400').count(), 0);
  assert.equal(await page.locator('main form input').first().inputValue(), '');
  await link(page, 'Settings').click();
  await brand.fill('Typed');
  await link(page, 'Settings').click();
  await isNotAsked(page);
  await button(page, 'Sign out').click();
  await answer(page, 'Leave');
  await heading(page, 'Sign in');
});

test('nobody is asked after a save, after undoing, or about a search', async (t) => {
  const made = await addAccount(owner, 'Saved');
  const page = await openWindow(t, stage, WINDOW);
  await page.goto(stage.address(`${made}/settings`));
  const brand = page.locator('input[name=brand]');
  await brand.fill('Saved');
  await button(page, 'Save').click();
  await page.getByText('The settings were saved').waitFor();
  await link(page, 'People').click();
  await heading(page, 'People');
  await link(page, 'Settings').click();
  await brand.fill('Undone');
  await button(page, 'Undo changes').click();
  await link(page, 'Verifications').click();
  await heading(page, 'Verifications');
  await page.locator('main form input').first().fill('+447400123400');
  await link(page, 'Carriers').click();
  await heading(page, 'Carriers');

  // What was refused is not saved.
  await link(page, 'Settings').click();
  await page.locator('input[name=code_length]').fill('99');
  await button(page, 'Save').click();
  await attention(page).waitFor();
  await link(page, 'People').click();
  await answer(page, 'Leave');
  await heading(page, 'People');
});

test('the browser asks before it closes a window where something was changed, and only there', async (t) => {
  const page = await openWindow(t, stage, WINDOW);
  await page.goto(stage.address(`${account}/settings`));
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.locator('input[name=brand]').click();
  await page.reload();
  await heading(page, 'Settings');
  assert.deepEqual(asked, []);
  await page.locator('input[name=brand]').fill('Typed');
  const said = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  await said;
  assert.deepEqual(asked, ['beforeunload']);
  assert.equal(await page.locator('input[name=brand]').inputValue(), 'Typed');
});
