import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accountOf, heading, makeKey, useStage } from './stage.ts';
import { sendCodes } from './traffic.ts';

const stage = useStage();

test('verifications are filtered, found by number and told step by step', async (t) => {
  const { portal, address, open } = await stage(t);
  const owner = await portal.setUp();
  await sendCodes(portal.service.client, await makeKey(owner, 'Shop'), 9);
  const account = await accountOf(owner);
  const page = await open(owner);
  await page.goto(address(`${account}/verifications`));
  const rows = page.getByRole('table', { name: 'Verifications' }).locator('tbody tr');
  await rows.nth(8).waitFor();
  await page.getByLabel('Status').selectOption('confirmed');
  await rows.nth(3).waitFor({ state: 'detached' });
  assert.equal(await rows.getByText('Confirmed').count(), 3);
  assert.match(page.url(), /status=confirmed/);
  await page.reload();
  await rows.nth(2).waitFor();
  assert.equal(await rows.count(), 3, 'the address keeps the filters');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rows.nth(8).waitFor();

  await page.getByLabel('Find by id or full number').fill('+447911123400');
  await page.getByRole('button', { name: 'Find' }).click();
  await rows.nth(1).waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), /7911/);
  assert.doesNotMatch(await page.locator('main table').innerText(), /447911123400/, 'masked');
  await rows.getByRole('link').click();
  await heading(page, 'Verification');
  const timeline = page.locator('section', { hasText: 'What happened' });
  for (const step of [/asked|requested/i, /simulator/i, /confirmed/i])
    await timeline.getByText(step).first().waitFor();
});

test('figures leave as CSV', async (t) => {
  const { portal, address, open } = await stage(t);
  const owner = await portal.setUp();
  await sendCodes(portal.service.client, await makeKey(owner, 'Shop'), 6);
  const page = await open(owner);
  await page.goto(address(`${await accountOf(owner)}/overview?test=true`));
  await page.getByRole('heading', { name: 'From request to confirmation' }).waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const download = await coming;
  assert.match(download.suggestedFilename(), /\.csv$/);
  const [names, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  assert.match(names ?? '', /requested.*confirmed/);
  assert.ok(lines.length > 0);
});
