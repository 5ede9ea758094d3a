/** What became of codes: the overview, the list, and one of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshNumber } from '../../acceptance/client.ts';
import {
  addAccount,
  heading,
  makeKey,
  openWindow,
  readDownload,
  settle,
  startStage,
  untilCount,
} from '../rig/stage.ts';
import { sendCodes } from '../rig/traffic.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const { client } = stage.portal.service;

test('the overview shows within seconds what is sent, and dragging across the chart zooms in', async (t) => {
  const account = await addAccount(owner, 'Live');
  const key = await makeKey(owner, account, 'Shop');
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/overview?test=true`));
  await page.getByText('No codes were requested in this period').waitFor();
  await client.issue(freshNumber(), 'sms', { key });
  const requested = page.getByRole('listitem').filter({ hasText: 'Requested' });
  await requested.getByText('1', { exact: true }).waitFor();
  await client.issue(freshNumber(), 'sms', { key });
  await requested.getByText('2', { exact: true }).waitFor();

  const chart = page.getByRole('img', { name: 'Codes over time' });
  await chart.scrollIntoViewIfNeeded();
  const before = await chart.getAttribute('aria-label');
  const box = await chart.boundingBox();
  assert.ok(box !== null);
  const at = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const;
  await page.mouse.move(...at(0.3));
  await page.mouse.down();
  await page.mouse.move(...at(0.5), { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=.*to=/);
  const { searchParams } = new URL(page.url());
  const hours =
    (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) / 3_600_000;
  assert.ok(hours > 4 && hours < 6, `a fifth of a day, not ${hours} h`);
  await page.getByText('No codes were requested in this period').waitFor();
  assert.notEqual(await chart.getAttribute('aria-label'), before);
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.waitForURL((url) => url.search !== `?${searchParams}`);
  await page.getByRole('button', { name: '24 hours' }).click();
  await requested.getByText('2', { exact: true }).waitFor();
});

test('figures can be downloaded as CSV', async (t) => {
  const account = await addAccount(owner, 'Figures');
  await sendCodes(client, await makeKey(owner, account, 'Shop'), 6);
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/overview?test=true`));
  await page.getByRole('heading', { name: 'From request to confirmation' }).waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const download = await coming;
  assert.match(download.suggestedFilename(), /\.csv$/);
  const [names, ...lines] = (await readDownload(download)).trim().split(/\r?\n/);
  assert.match(names ?? '', /requested.*confirmed/);
  assert.ok(lines.length > 0);
});

test('verifications are filtered, found by number and shown step by step', async (t) => {
  const account = await addAccount(owner, 'Lookup');
  await sendCodes(client, await makeKey(owner, account, 'Shop'), 9);
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/verifications`));
  const rows = page.getByRole('table', { name: 'Verifications' }).locator('tbody tr');
  await untilCount(rows, 9);
  await page.getByLabel('Status').selectOption('confirmed');
  await untilCount(rows, 7);
  assert.equal(await rows.getByText('Confirmed').count(), 7);
  assert.match(page.url(), /status=confirmed/);
  await page.reload();
  // The address keeps the filters.
  await untilCount(rows, 7);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await untilCount(rows, 9);

  await page.getByLabel('Find by id or full number').fill('+447400123400');
  await page.getByRole('button', { name: 'Find' }).click();
  await untilCount(rows, 1);
  assert.doesNotMatch(page.url(), /447400123400/);
  assert.doesNotMatch(await page.locator('main table').innerText(), /447400123400/, 'masked');
  await rows.getByRole('link').click();
  await heading(page, 'Verification');
  const picture = page.getByRole('img', { name: /^What happened, as a picture/ });
  await picture.waitFor();
  const lanes = await picture.locator('text').allTextContents();
  for (const lane of ['Your application', 'simulator, SMS', 'Person']) assert.ok(lanes.includes(lane), lane);
  assert.deepEqual(await picture.locator('circle title').allTextContents(), ['Requested', 'Confirmed']);
  const timeline = page.locator('section', { hasText: 'What happened' }).locator('ol');
  for (const step of [/asked|requested/i, /simulator/i, /confirmed/i])
    await timeline.getByText(step).first().waitFor();
});

test('each page of an empty account says why it is empty', async (t) => {
  const account = await addAccount(owner, 'Nothing yet');
  const page = await openWindow(t, stage, { as: owner });
  for (const [path, reasons] of [
    ['overview', ['No codes were requested in this period', 'with the handset']],
    ['handset', ['No messages yet. Use the form to send a code.']],
    ['keys', ['No keys in use']],
    ['verifications', ['No codes yet']],
    ['people', ['Olive Owner (you)']],
    ['audit', ['account.created']],
  ] as const) {
    await page.goto(stage.address(`${account}/${path}`));
    await settle(page);
    for (const reason of reasons) await page.locator('main').getByText(reason).first().waitFor();
  }
});
