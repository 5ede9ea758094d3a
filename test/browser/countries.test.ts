/** One switch stops a country: for real requests, whatever the guard's mode, and by the keyboard alone. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { look } from './rig/look.ts';
import { accountOf, makeKey, openWindow, settle, startStage } from './rig/stage.ts';

const gateway = await openGateway();
after(() => gateway[Symbol.asyncDispose]());
const stage = await startStage({
  env: { COUNTERSIGN_GUARD_MODE: 'off' },
  config: {
    guard: { countries: ['DE', 'BR', 'CA', 'US'] },
    carriers: { gateway: { ...gateway.carrier, prices: { DE: 0.05, BR: 0.021 } } },
    routes: [{ channel: 'sms', carriers: ['gateway'] }],
  },
});
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const key = await makeKey(owner, account, 'Shop', false);
const PAGE = stage.address(`${account}/countries`);
const { client } = stage.portal.service;
const answerOf = async (number: string) => (await client.verify(number, 'sms', { key })).status;
const becomes = async (number: () => string, status: number) =>
  assert.ok(await eventually(async () => ((await answerOf(number())) === status ? true : undefined)));
let line = 0;
const canadian = () => `+1416555${String(1_000 + line++)}`;
const american = () => `+1212555${String(1_000 + line++)}`;

test('a country is switched off and on again, by the keyboard alone, and others go on', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(PAGE);
  await page.getByLabel('Country').fill('Canada');
  await page.keyboard.press('Enter');
  const send = page.getByRole('switch', { name: 'Send to Canada' });
  await send.waitFor();
  assert.ok(await send.isChecked());
  await send.focus();
  await page.keyboard.press('Space');
  const dialog = page.getByRole('dialog', { name: 'Stop sending to Canada' });
  await dialog.waitFor();
  await look(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await send.isChecked(), 'nothing is stopped before the question is answered');
  assert.equal(await answerOf(canadian()), 200);

  await send.press('Space');
  await dialog.getByLabel('Reason').fill('pumped since Friday');
  await page.keyboard.press('Enter');
  await page.getByText('Requests for Canada are refused from now on').waitFor();
  assert.ok(!(await send.isChecked()));
  await page.getByText('pumped since Friday').waitFor();
  await becomes(canadian, 429);
  // No prefix tells the two apart.
  assert.equal(await answerOf(american()), 200);

  await send.press('Space');
  const question = page.getByRole('dialog', { name: 'Send to Canada again' });
  await question.getByText('pumped since Friday').waitFor();
  await question.getByRole('button', { name: 'Send again' }).press('Enter');
  await page.getByText('Codes go to Canada again').waitFor();
  assert.ok(await send.isChecked());
  await becomes(canadian, 200);
});

test('prices, codes and conversion of each country are there, and what only the operator can change', async (t) => {
  const destination = freshNumber();
  const { id = '' } = (await client.verify(destination, 'sms', { key })).json;
  await eventually(async () => gateway.received.find(({ to }) => to === destination));
  assert.ok(id !== '');
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(PAGE);
  const germany = page.getByRole('row', { name: /Germany/ });
  await germany.waitFor();
  assert.match(await germany.innerText(), /US\$0\.05/);
  await settle(page);
  await look(page);
  await page.getByLabel('Country').fill('France');
  await page.keyboard.press('Enter');
  await page.getByText('The service sends nothing there').waitFor();
  assert.ok(await page.getByRole('switch', { name: 'Send to France' }).isDisabled());
  await germany.waitFor({ state: 'detached' });
  await page.getByLabel('Country').fill('');
  await page.keyboard.press('Enter');
  await germany.getByRole('link').first().click();
  await page.waitForURL(/verifications\?test=false&country=DE/);
  await page.getByText(/^1 code/).waitFor();
});

test('a viewer sees it, and has no switch to use', async (t) => {
  const viewer = await stage.portal.join(owner, 'viewer', 'vic@example.com');
  const page = await openWindow(t, stage, { as: viewer });
  await page.goto(PAGE);
  await page.getByLabel('Country').fill('Canada');
  await page.keyboard.press('Enter');
  assert.ok(await page.getByRole('switch', { name: 'Send to Canada' }).isDisabled());
});
