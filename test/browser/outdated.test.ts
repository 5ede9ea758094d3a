/** Somebody else changes what a form shows: what was typed stays, nothing of theirs is replaced, and theirs is one click away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../acceptance/client.ts';
import { read } from '../portal/rig.ts';
import { look, WIDE } from './rig/look.ts';
import { accountOf, makeKey, openWindow, redraw, startStage } from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const api = `/portal/api${account}`;
const WINDOW = { as: owner, viewport: WIDE, provokes: [409] } as const;

interface View {
  readonly settings: Readonly<Record<string, unknown>>;
}
const settings = async () => read<View>(await owner.get(`${api}/settings`)).settings;
const elsewhere = async (more: object) =>
  read(await owner.send('PUT', `${api}/settings`, { ...(await settings()), ...more }));

const shows = (field: Locator, value: string) =>
  until(async () => (await field.inputValue()) === value, `the field shows ${value}`);
async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  assert.ok(await eventually(async () => (await holds()) || undefined), what);
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const brand = (page: Page) => page.locator('input[name=brand]');

/** Somebody comes back to the window, which asks again for what it shows. */
async function comeBack(page: Page): Promise<void> {
  const asked = page.waitForResponse((response) => response.url().endsWith('/settings'));
  await page.clock.fastForward(60_000);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await asked;
  await redraw(page);
}

async function openSettings(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(stage.address(`${account}/settings`));
  await brand(page).waitFor();
}

test('settings are not replaced by a page that was opened before, which offers what is there now', async (t) => {
  const page = await openWindow(t, stage, WINDOW);
  await openSettings(page);
  await brand(page).fill('Acme');
  await elsewhere({ budgets: ['account 50 per day'] });
  await comeBack(page);
  assert.equal(await brand(page).inputValue(), 'Acme', 'what was typed stays');
  await button(page, 'Save').click();
  await page.getByRole('alert').getByText('Somebody changed it in the meantime').waitFor();
  await look(page);
  await page.setViewportSize(WIDE);
  assert.equal(await brand(page).inputValue(), 'Acme', 'also when it was refused');
  assert.partialDeepStrictEqual(await settings(), { budgets: ['account 50 per day'], brand: null });

  await button(page, 'Load what is there now').click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  assert.equal(await brand(page).inputValue(), '');
  await brand(page).fill('Acme');
  await button(page, 'Save').click();
  await page.getByText('The settings were saved').first().waitFor();
  assert.partialDeepStrictEqual(await settings(), { budgets: ['account 50 per day'], brand: 'Acme' });

  await brand(page).fill('Acme again');
  await button(page, 'Save').click();
  await until(async () => (await settings()).brand === 'Acme again', 'it is saved again');
});

test('a form that nobody changed follows what somebody else saved, and one that is undone does', async (t) => {
  const page = await openWindow(t, stage, WINDOW);
  await openSettings(page);
  await elsewhere({ brand: 'Theirs' });
  await comeBack(page);
  await shows(brand(page), 'Theirs');
  await brand(page).fill('Mine');
  await elsewhere({ brand: 'Theirs, later' });
  await comeBack(page);
  assert.equal(await brand(page).inputValue(), 'Mine');
  await button(page, 'Undo changes').click();
  await shows(brand(page), 'Theirs, later');
});

test('the dialog of a key does not take away a limit that was set since it was opened', async (t) => {
  await makeKey(owner, account, 'Checkout');
  const page = await openWindow(t, stage, WINDOW);
  await page.goto(stage.address(`${account}/keys`));
  await button(page, 'Checkout').click();
  await button(page, 'Edit').click();
  const name = page.getByRole('dialog').locator('input[name=name]');
  await name.fill('Till');
  const [key] = read<readonly { id: string }[]>(await owner.get(`${api}/keys`));
  const restrictions = { channels: [], countries: [], sources: ['192.0.2.1'] };
  read(await owner.send('PATCH', `${api}/keys/${key?.id}`, { restrictions }));
  await button(page, 'Save').click();
  await button(page, 'Load what is there now').click();
  await shows(name, 'Checkout');
  await name.fill('Till');
  await button(page, 'Save').click();
  await page.getByText('The key Till was changed').first().waitFor();
  const [now] = read<readonly object[]>(await owner.get(`${api}/keys`));
  assert.partialDeepStrictEqual(now, { name: 'Till', restrictions: { sources: ['192.0.2.1'] } });
});

test('the dialog of an endpoint does not take back what was changed since it was opened', async (t) => {
  const added = await owner.post(`${api}/webhooks`, { url: 'https://hooks.invalid/a', types: [] });
  const { webhook } = read<{ webhook: { id: string } }>(added);
  const page = await openWindow(t, stage, WINDOW);
  await page.goto(stage.address(`${account}/webhooks/${webhook.id}`));
  await button(page, 'Change').click();
  const url = page.getByRole('dialog').locator('input[name=url]');
  await url.fill('https://hooks.invalid/typed');
  read(await owner.send('PATCH', `${api}/webhooks/${webhook.id}`, { types: ['delivery.failed'] }));
  // The page asks again every few seconds: the dialog stays what it was opened with.
  await page.getByText('hooks.invalid/a').first().waitFor();
  await page.waitForResponse((response) => response.url().endsWith(`/webhooks/${webhook.id}`));
  await redraw(page);
  await button(page, 'Save').click();
  await button(page, 'Load what is there now').click();
  await shows(url, 'https://hooks.invalid/a');
  await button(page, 'Save').click();
  await page.getByText('The endpoint was changed').first().waitFor();
  const now = read<object>(await owner.get(`${api}/webhooks/${webhook.id}`));
  assert.partialDeepStrictEqual(now, { url: 'https://hooks.invalid/a', types: ['delivery.failed'] });
});
