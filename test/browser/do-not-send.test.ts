/** The page of the do-not-send list, by everybody who may see it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshNumber } from '../acceptance/client.ts';
import { accountOf, makeKey, openWindow, startStage, untilCount } from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const PAGE = stage.address(`${account}/do-not-send`);
const { client } = stage.portal.service;

test('what is put on the list on its page is refused, and what is taken off is sent to again', async (t) => {
  const key = await makeKey(owner, account, 'Checkout', false);
  const number = freshNumber();
  const verify = async () => (await client.verify(number, 'sms', { key })).status;
  const page = await openWindow(t, stage, { as: owner, provokes: [409, 400] });
  const dialog = page.getByRole('dialog');
  await page.goto(PAGE);
  await page.getByText('No numbers').waitFor();

  await page.getByRole('button', { name: 'Add a number' }).click();
  await dialog.locator('input[name=number]').fill('12345');
  await dialog.getByRole('button', { name: 'Add the number' }).click();
  await dialog.getByText('must be a full number').waitFor();
  await dialog.locator('input[name=number]').fill(number);
  await dialog.getByRole('button', { name: 'Add the number' }).click();
  const numbers = page.getByRole('table', { name: 'Numbers' });
  await numbers.getByText('This account').waitFor();
  assert.ok(!(await page.content()).includes(number.slice(3)), 'masked');
  assert.equal(await verify(), 400);

  await page.getByRole('button', { name: 'Add a number' }).click();
  await dialog.locator('input[name=number]').fill(number);
  await dialog.getByRole('button', { name: 'Add the number' }).click();
  await dialog.getByText('already on the list').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();

  await numbers.getByRole('button', { name: /^Remove / }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No numbers').waitFor();
  assert.equal(await verify(), 200);

  await page.getByRole('button', { name: 'Add a range' }).click();
  await dialog.locator('input[name=prefix]').fill('+88213');
  await dialog.getByRole('button', { name: 'Add the range' }).click();
  await page.getByRole('table', { name: 'Ranges' }).getByText('+88213…').waitFor();
  await page.getByRole('button', { name: 'Remove +88213' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No ranges').waitFor();
});

test('a viewer sees the list and can change nothing', async (t) => {
  const viewer = await stage.portal.join(owner, 'viewer', 'vera@example.com');
  await owner.post(`/portal/api${account}/do-not-send/numbers`, { number: freshNumber() });
  const page = await openWindow(t, stage, { as: viewer });
  await page.goto(PAGE);
  await page.getByRole('table', { name: 'Numbers' }).getByText('This account').waitFor();
  await page.getByText('No ranges').waitFor();
  await untilCount(page.getByRole('main').getByRole('button'), 0);
});
