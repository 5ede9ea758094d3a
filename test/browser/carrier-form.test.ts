/** The form for a carrier or a route: options of several values have a row for each, and countries and languages are picked by name. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { attention, paste } from './rig/forms.ts';
import { look, WIDE } from './rig/look.ts';
import { accountOf, openWindow, startStage, untilCount } from './rig/stage.ts';

const folder = await mkdtemp(join(tmpdir(), 'countersign-carrier-form-'));
after(() => rm(folder, { recursive: true }));
const file = join(folder, 'countersign.yaml');
await writeFile(file, '# Nothing yet.\n');
const stage = await startStage({ env: { COUNTERSIGN_CONFIG: file } });
const owner = await stage.portal.setUp();
const account = await accountOf(owner);

const group = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true });
const add = (list: Locator) => list.getByRole('button', { name: /^Add / }).click();
const write = (page: Page) => page.getByRole('button', { name: 'Write the lines' }).click();
const isFocused = (field: Locator) => field.and(field.page().locator(':focus')).waitFor({ timeout: 5_000 });
const lines = (page: Page) => page.getByRole('textbox', { name: 'Configuration' }).innerText();

async function openForm(t: Parameters<typeof openWindow>[0], type: string): Promise<Page> {
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce', viewport: WIDE });
  await page.goto(stage.address(`${account}/carriers`));
  await page.getByRole('button', { name: 'Add a carrier or a route' }).click();
  await page.getByLabel('What to add').selectOption(type);
  for (const summary of await page.locator('form details > summary').all()) await summary.click();
  const name = page.getByLabel('Name of the carrier');
  if (type !== '') await name.fill('acme');
  return page;
}

async function pick(page: Page, label: string, ...names: readonly string[]): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true });
  for (const name of names) {
    await field.fill(name);
    await field.press('Enter');
  }
}

test('a list has a row for each entry, of which several are pasted, and says at its row what is wrong', async (t) => {
  const page = await openForm(t, '');
  const prefixes = group(page, 'Prefixes');
  const rows = prefixes.getByRole('textbox');
  await add(prefixes);
  await isFocused(rows.first());
  await paste(page, '+4915, 4916\n+4917');
  await untilCount(rows, 3);
  await write(page);
  await group(page, 'Prefixes, row 2').getByText('must be a prefix such as +4915').waitFor();
  await isFocused(rows.nth(1));
  await attention(page).getByText('1 field needs attention: Prefixes, row 2').waitFor();
  await rows.nth(1).fill('+4916');
  await untilCount(attention(page), 0);
  await pick(page, 'Countries', 'Germany', 'Austria');
  await write(page);
  assert.match(await lines(page), /countries: \[DE, AT\]\n {4}prefixes: \["\+4915", "\+4916", "\+4917"\]/);
});

test('prices stand by country or prefix, and a pasted table becomes rows', async (t) => {
  const page = await openForm(t, 'simulator');
  const prices = group(page, 'Prices');
  const part = (row: number, name: string) => prices.getByLabel(`Prices, row ${row}: ${name}`);
  await add(prices);
  await isFocused(part(1, 'country or prefix'));
  await paste(page, 'default: 0.05\nDE: 0.08\n"+49170": cheap\nUnited Kingdom\t0.04');
  assert.equal(await part(1, 'country or prefix').inputValue(), 'All others');
  assert.equal(await part(2, 'country or prefix').inputValue(), 'Germany');
  await add(prices);
  await part(5, 'country or prefix').fill('nowhere');
  await part(5, 'value').fill('1');
  await write(page);
  await group(page, 'Prices, row 3').getByText('must be a number from 0 to 1000').waitFor();
  await isFocused(part(3, 'value'));
  await group(page, 'Prices, row 5').getByText('must be a country or prefix').waitFor();
  await look(page);
  await page.setViewportSize(WIDE);
  await part(3, 'value').fill('0.09');
  await part(5, 'country or prefix').fill('germany');
  await write(page);
  await group(page, 'Prices, row 5').getByText('is there already').waitFor();
  await prices.getByRole('button', { name: 'Remove Prices, row 5' }).click();
  await write(page);
  assert.match(await lines(page), /prices: \{ default: 0\.05, DE: 0\.08, "\+49170": 0\.09, GB: 0\.04 \}/);
});

test('headers have free names, and what a gateway says may have spaces', async (t) => {
  const page = await openForm(t, 'http');
  await page.locator('[name="carrier.url"]').fill('https://gateway.example/');
  const headers = group(page, 'Headers');
  await add(headers);
  await page.getByLabel('Headers, row 1: name').fill('X-Key');
  await page.getByLabel('Headers, row 1: value').fill('a: b, c');
  await page.locator('[name="carrier.permanentWhen"]').check();
  await page.locator('[name="carrier.permanentWhen.path"]').fill('state');
  const equals = group(page, 'Is one of');
  await write(page);
  await equals.getByText('is required').waitFor();
  await add(equals);
  await paste(page, 'not delivered, no route');
  await untilCount(equals.getByRole('textbox'), 2);
  await write(page);
  const written = await lines(page);
  assert.match(written, /headers: \{ X-Key: "a: b, c" \}/);
  assert.match(written, /permanentWhen:\n {6}path: state\n {6}equals: \["not delivered", "no route"\]/);
});

test('languages are picked by name, one or several, and voices stand by language', async (t) => {
  const page = await openForm(t, 'meta');
  await page.locator('[name="carrier.phoneNumberId"]').fill('1234567');
  await page.locator('[name="carrier.template"]').fill('codes');
  await write(page);
  await attention(page).getByText('1 field needs attention: Language').waitFor();
  await page.locator('[name="carrier.language"]').selectOption({ label: 'German' });
  await pick(page, 'Languages', 'Brazilian Portuguese', 'French');
  await untilCount(page.getByRole('list', { name: 'Chosen languages' }).getByRole('listitem'), 2);
  await write(page);
  assert.match(await lines(page), /language: de\n {4}languages: \[pt_BR, fr\]/);

  const other = await openForm(t, 'twilio');
  await other.locator('[name="carrier.accountSid"]').fill(`AC${'0'.repeat(32)}`);
  await other.locator('[name="carrier.sms.from"]').fill('Acme');
  await other.locator('[name="carrier.voice"]').check();
  await other.locator('[name="carrier.voice.from"]').fill('+12025550123');
  const voices = group(other, 'Voices');
  await add(voices);
  await other.getByLabel('Voices, row 1: language').fill('German');
  await other.getByLabel('Voices, row 1: value').fill('Polly.Vicki-Neural');
  await write(other);
  assert.match(await lines(other), /voices: \{ de: Polly\.Vicki-Neural \}/);
});

test('what is wrong with a share is said at the share', async (t) => {
  const page = await openForm(t, '');
  await page.getByLabel('Share of simulator').fill('half');
  await write(page);
  await attention(page).getByText('1 field needs attention: Share of simulator').waitFor();
  await isFocused(page.getByLabel('Share of simulator'));
  await page.getByText('must be a whole number from 1 to 1000000').waitFor();
});
