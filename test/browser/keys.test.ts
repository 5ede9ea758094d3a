import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { OWNER, PASSWORD } from '../portal/rig.ts';
import { look, WIDE } from './rig/look.ts';
import {
  accountOf,
  addAccount,
  chooseInRow,
  heading,
  makeKey,
  openWindow,
  redraw,
  startStage,
  untilCount,
} from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const KEYS = stage.address(`${account}/keys`);
const { client } = stage.portal.service;
const REFUSED_WITHIN_MS = 1_000;

/** The key that a dialog shows, only this once. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.getByRole('textbox', { name: 'Secret' }).innerText()).trim();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  return secret;
}

const isRefused = (key: string) =>
  eventually(async () => {
    const { status } = await client.verify(freshNumber(), 'sms', { key });
    return status === 401 || undefined;
  }, REFUSED_WITHIN_MS);

test('a key made on its page sends a code to the handset, where it is confirmed', async (t) => {
  const page = await openWindow(t, stage, { as: owner, sendsCodes: true });
  await page.goto(KEYS);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').locator('input[name=name]').fill('Checkout');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const secret = await takeSecret(page);
  assert.equal((await page.content()).includes(secret), false, 'shown once');

  await page.getByRole('link', { name: 'Handset' }).click();
  await page.getByText('Listening').waitFor();
  await page.getByPlaceholder('csk_test_…').fill(secret);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: 'Use this code' }).click();
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByRole('group', { name: 'Answer' }).getByText('confirmed_at').waitFor();

  await page.getByRole('link', { name: 'Verifications' }).click();
  await page.getByRole('table', { name: 'Verifications' }).getByText('Confirmed').waitFor();
});

test('a key that is shown only once stays until the person confirms that it is copied', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(KEYS);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').locator('input[name=name]').fill('Precious');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const secret = page.getByRole('dialog').getByRole('textbox', { name: 'Secret' });
  await secret.waitFor();
  // Chromium lets a page intercept only every second Escape.
  for (let n = 0; n < 4; n++) await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).count(), 0);
  assert.match(await secret.innerText(), /^csk_test_/);
  assert.equal(await page.evaluate(`document.querySelector('dialog').matches(':modal')`), true);
  await takeSecret(page);
  await page.locator('dialog').waitFor({ state: 'detached' });
});

test('a country whose numbers count as those of another is named while it is typed', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(KEYS);
  await page.getByRole('button', { name: 'Create a key' }).click();
  const countries = page.getByRole('dialog').getByRole('combobox', { name: 'Countries' });
  const choose = async (text: string) => {
    await countries.fill(text);
    await countries.press('Enter');
  };
  const note = page.getByRole('dialog').getByText('Mobile numbers of St Martin count as Guadeloupe');
  for (const code of ['FR', 'mf']) await choose(code);
  await note.waitFor();
  await choose('Guadeloupe');
  await note.waitFor({ state: 'hidden' });
});

test('a key that is revoked is refused within a second', async (t) => {
  const key = await makeKey(owner, account, 'Leaked');
  assert.equal((await client.verify(freshNumber(), 'sms', { key })).status, 200);
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(KEYS);
  await chooseInRow(page, 'Leaked', 'Revoke');
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('no longer works').waitFor();
  assert.ok(await isRefused(key));
});

test('a rotated key works beside the new one until the overlap is ended', async (t) => {
  const old = await makeKey(owner, account, 'Worker');
  const statusWith = async (key: string) => (await client.verify(freshNumber(), 'sms', { key })).status;
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(KEYS);
  await chooseInRow(page, 'Worker', 'Rotate');
  await page.getByRole('button', { name: 'Create the new key' }).click();
  const renewed = await takeSecret(page);
  assert.deepEqual([await statusWith(old), await statusWith(renewed)], [200, 200]);

  const overlapping = page.getByRole('row').filter({ hasText: 'Overlapping' });
  await overlapping.getByRole('button', { name: 'Actions for Worker' }).click();
  await page.getByRole('menuitem', { name: 'End the overlap' }).click();
  await page.getByRole('button', { name: 'End the overlap', exact: true }).click();
  await page.getByText('no longer works').waitFor();
  assert.ok(await isRefused(old));
  assert.equal(await statusWith(renewed), 200);
});

/** Presses Tab until the named element has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `((at) => at.matches('a, button, input, select')
    ? [at.ariaLabel, at.labels?.[0]?.textContent, at.textContent].join('\\n') : '')(document.activeElement)`;
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (String(await page.evaluate(focused)).includes(name)) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

test('with only the keyboard one can sign in, make a key and revoke it', async (t) => {
  const page = await openWindow(t, stage);
  await page.goto(stage.address('/sign-in'));
  await page.locator('input[name=email]').waitFor();
  await tabTo(page, 'Email address');
  await page.keyboard.type(OWNER);
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await heading(page, 'Overview');

  await tabTo(page, 'API keys');
  await page.keyboard.press('Enter');
  await heading(page, 'API keys');
  await page.getByRole('table', { name: 'API keys' }).waitFor();
  await tabTo(page, 'Create a key');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  // It closes at once, and is gone from the page a moment later.
  await page.locator('dialog').waitFor({ state: 'detached' });
  // The focus is back on the button.
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  // A dialog begins at its first field.
  await page.keyboard.type('Typed');
  await page.keyboard.press('Enter');
  await dialog.getByText('Copy it now').waitFor();
  await tabTo(page, 'I have copied it');
  await page.keyboard.press('Enter');
  const actions = page.getByRole('button', { name: 'Actions for Typed' });
  await actions.waitFor();
  await tabTo(page, 'Actions for Typed');
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await menu.waitFor();
  await page.keyboard.press('Escape');
  // The focus is back on the button at once, here too.
  await page.keyboard.press('Enter');
  await menu.waitFor();
  for (const key of ['ArrowDown', 'End', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await dialog.getByText('Revoke “Typed”').waitFor();
  await tabTo(page, 'Revoke the key');
  await page.keyboard.press('Enter');
  await page.getByText('no longer works').waitFor();
});

test('a row has one line, and opens what is known about its key', async (t) => {
  await makeKey(owner, account, 'Bounded', true, ['FR', 'DE']);
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE, reducedMotion: 'reduce' });
  await page.goto(KEYS);
  const rows = page.getByRole('table', { name: 'API keys' }).locator('tbody tr');
  await rows.first().waitFor();
  const count = await rows.count();
  await page.getByText(`${count} keys`, { exact: true }).waitFor();
  for (const row of await rows.all()) {
    const { height = 0 } = (await row.boundingBox()) ?? {};
    assert.ok(height > 0 && height <= 44, `${height} pixels`);
  }
  const row = rows.filter({ hasText: 'Bounded' });
  const drawer = page.getByRole('dialog', { name: 'Bounded' });
  const name = row.getByRole('button', { name: 'Bounded', exact: true });
  for (const open of [() => row.getByText('2 countries').click(), () => name.press('Enter')]) {
    await open();
    await drawer.getByText('France').waitFor();
    await page.keyboard.press('Escape');
    await untilCount(page.locator('dialog'), 0);
  }
  const actions = row.getByRole('button', { name: 'Actions for Bounded' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
  assert.equal(await page.locator('dialog').count(), 0, 'the button of a row does not open it');
  await look(page);
  // It stays at its row, whatever moves that.
  await page.setViewportSize({ ...WIDE, height: 420 });
  await actions.evaluate((button) => button.scrollIntoView({ block: 'center' }));
  await redraw(page);
  const [of, opened] = [await actions.boundingBox(), await page.getByRole('menu').boundingBox()];
  assert.ok(of !== null && opened !== null);
  assert.deepEqual([opened.y, opened.x + opened.width], [of.y + of.height + 4, of.x + of.width]);
  await page.setViewportSize(WIDE);
  await page.keyboard.press('Escape');
  await row.click();
  await drawer.getByRole('button', { name: 'Edit' }).waitFor();
  await look(page);
});

test('every page of an account warns of live keys that reach only the simulator', async (t) => {
  const simulated = await addAccount(owner, 'Simulated');
  await makeKey(owner, simulated, 'A test key');
  const page = await openWindow(t, stage, { as: owner });
  const notice = page.getByRole('note').getByText('Live keys reach only the simulator');
  const asked = page.waitForResponse(`**/portal/api${simulated}/start`);
  await page.goto(stage.address(`${simulated}/keys`));
  await page.getByText('A test key').waitFor();
  await (await asked).finished();
  await redraw(page);
  assert.equal(await notice.count(), 0);
  await makeKey(owner, simulated, 'A live key', false);
  for (const path of ['keys', 'audit']) {
    await page.goto(stage.address(`${simulated}/${path}`));
    await notice.waitFor();
  }
});
