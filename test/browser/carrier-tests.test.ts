/** "Send a test" on the page of carriers: what the page says is what the carrier, the API and the store say. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { CarrierTestView } from '../../src/portal/carrier-tests/contract.ts';
import { freshNumber } from '../acceptance/client.ts';
import { openTwilio, PUBLIC_URL, report } from '../carriers/twilio-stand-in.ts';
import { answer, openGateway } from '../faults/gateway.ts';
import { read } from '../portal/rig.ts';
import { look } from './rig/look.ts';
import {
  accountOf,
  chooseInRow,
  heading,
  makeKey,
  openWindow,
  settle,
  startStage,
  untilCount,
} from './rig/stage.ts';

const gateway = await openGateway();
const twilio = await openTwilio();
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await twilio[Symbol.asyncDispose]();
});
const stage = await startStage({
  config: {
    publicUrl: PUBLIC_URL,
    currency: 'EUR',
    carriers: {
      gateway: { ...gateway.carrier, channels: ['sms', 'whatsapp', 'telegram'] },
      twilio: { ...twilio.carrier, prices: { default: 0.05 } },
    },
    routes: [
      { channel: 'sms', countries: ['FR'], carriers: ['twilio'] },
      { channel: 'sms', carriers: ['gateway'] },
      { channel: 'whatsapp', carriers: ['gateway'] },
    ],
  },
});
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const PAGE = stage.address(`${account}/carriers`);
const list = async () => read<CarrierTestView[]>(await owner.get(`/portal/api${account}/carriers/tests`));

test('an owner sends a test over one carrier, and watches what becomes of it', async (t) => {
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce', provokes: [400, 429] });
  await page.goto(PAGE);
  await heading(page, 'Carriers');
  await page.getByRole('link', { name: 'Tests', exact: true }).click();
  await page.getByText('No tests yet').waitFor();
  // What is sent from another part of the page is shown, too.
  await page.goBack();
  await page.getByRole('table', { name: 'Carriers', exact: true }).waitFor();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  const newest = page.getByRole('status', { name: 'The newest test' });
  const open = () => page.getByRole('button', { name: 'Send a test' }).click();
  const fill = async (carrier: string, number: string) => {
    await dialog.getByLabel('Carrier').selectOption(carrier);
    await dialog.getByLabel('Number').fill(number);
  };
  const press = () => dialog.getByRole('button', { name: 'Send', exact: true }).click();

  await open();
  await fill('twilio', '112');
  await press();
  await dialog.getByText('Expected a telephone number in E.164 format').waitFor();
  await look(page);
  assert.deepEqual([twilio.sent.length, gateway.received.length], [0, 0]);

  const number = freshNumber();
  await fill('twilio', number);
  await dialog.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await newest.getByText('twilio took it').waitFor();
  await untilCount(dialog, 0);
  const sid = twilio.sent[0]?.sid ?? '';
  assert.equal(twilio.sent.length, 1, 'a double click sends one');
  assert.deepEqual([twilio.sent[0]?.form.get('To'), gateway.received.length], [number, 0]);
  await newest.getByText(sid).waitFor();
  await newest.getByText('Waiting for the carrier’s receipt').waitFor();
  const { service } = stage.portal;
  assert.equal(await report(service, { MessageSid: sid, MessageStatus: 'delivered' }), 204);
  await newest.getByText('Delivered', { exact: true }).first().waitFor();

  const [taken] = await list();
  assert.ok(taken?.answer && taken.receipt);
  assert.deepEqual(
    [taken.state, taken.answer.reference, taken.receipt.status],
    ['delivered', sid, 'delivered'],
  );
  await newest.getByText(taken.number).waitFor();
  const times = await newest
    .locator('time')
    .evaluateAll((all) => all.map((each) => each.getAttribute('datetime')));
  assert.deepEqual(times, [taken.asked_at, taken.answer.at, taken.receipt.at]);
  assert.ok(!(await page.content()).includes(number.slice(1)), 'the number is masked');

  gateway.behave(answer(401));
  await open();
  await fill('gateway', freshNumber());
  await press();
  await newest.getByText('gateway refused it').waitFor();
  await newest
    .getByText(/It said: HTTP 401\. Its account, credentials, sender or credit are at fault/)
    .waitFor();
  const earlier = page.getByRole('table', { name: 'Earlier tests' });
  await earlier
    .getByRole('row', { name: /^twilio/ })
    .getByText('Delivered')
    .waitFor();

  await open();
  await fill('simulator', freshNumber());
  await press();
  await newest.getByText('simulator delivered it').waitFor();
  await settle(page);
  await look(page);

  for (let sent = 3; sent < 5; sent++) {
    await open();
    await fill('simulator', freshNumber());
    await press();
    await untilCount(dialog, 0);
  }
  await untilCount(earlier.getByRole('row'), 5);
  await open();
  await fill('simulator', freshNumber());
  await press();
  await dialog.getByRole('alert').getByText('You asked too often').waitFor();
  assert.equal((await list()).length, 5);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();

  await newest.getByRole('link', { name: /The message to/ }).click();
  await heading(page, 'Verification');
  await page.getByText('As a test of a carrier, with no key.').waitFor();
  await page.getByText('Nobody is to confirm its code').waitFor();
  for (const said of ['Pending', 'Guesses', 'Valid until']) {
    assert.equal(await page.getByText(said, { exact: true }).count(), 0, said);
  }
  await look(page);

  const key = await makeKey(owner, account, 'Checkout');
  assert.equal((await stage.portal.service.client.verify(freshNumber(), 'sms', { key })).status, 200);
  await page.goto(stage.address(`${account}/verifications`));
  const rows = page.getByRole('table', { name: 'Verifications' }).getByRole('row');
  await untilCount(rows.filter({ hasText: 'Carrier test' }), 4);
  await untilCount(rows.filter({ hasText: /tests of carriers/ }), 5);
  await untilCount(rows.filter({ hasText: 'Failed' }), 1);
  await untilCount(rows.filter({ hasText: 'Pending' }), 1);
});

test('a viewer sees what became of tests, and has no button', async (t) => {
  const viewer = await stage.portal.join(owner, 'viewer', 'vera@example.com');
  // It may be one too many, if there are others already.
  const one = { number: freshNumber(), channel: 'sms' };
  await owner.post(`/portal/api${account}/carriers/simulator/test`, one);
  const [newest] = await list();
  const page = await openWindow(t, stage, { as: viewer });
  await page.goto(`${PAGE}?view=tests`);
  await page
    .getByRole('status', { name: 'The newest test' })
    .getByText(newest?.number ?? 'none')
    .waitFor();
  assert.equal(await page.getByRole('button', { name: 'Send a test' }).count(), 0);
});

test('only channels that are offered can be chosen, and what was chosen before', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  const channelsIn = async (place: Page | Locator, name = 'Channel') => {
    const select = place.getByLabel(name, { exact: true });
    await untilCount(select.getByRole('option', { name: 'WhatsApp', exact: true, includeHidden: true }), 1);
    return select.locator('option').allTextContents();
  };
  const goTo = (path: string) => page.goto(stage.address(`${account}/${path}`));
  const offered = ['SMS', 'Voice', 'WhatsApp'];

  await page.goto(`${PAGE}?view=routes`);
  assert.deepEqual(await channelsIn(page), offered);
  await page.getByRole('button', { name: 'Send a test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByLabel('Carrier').selectOption('gateway');
  assert.deepEqual(await channelsIn(dialog), ['SMS', 'WhatsApp'], 'no route sends Telegram over it');
  await dialog.getByLabel('Carrier').selectOption('simulator');
  assert.deepEqual(await channelsIn(dialog), offered);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await goTo('handset');
  assert.deepEqual(await channelsIn(page), offered);
  await goTo('overview');
  assert.deepEqual(await channelsIn(page), ['SMS, voice and WhatsApp', ...offered]);
  await goTo('verifications');
  assert.deepEqual(await channelsIn(page), ['Any', ...offered]);
  await goTo('verifications?channel=telegram');
  assert.deepEqual(await channelsIn(page), ['Any', ...offered, 'Telegram']);

  const restrictions = { channels: ['telegram'], countries: [], sources: [] };
  const key = { name: 'Old', test: true, expires_at: null, restrictions };
  await owner.post(`/portal/api${account}/keys`, key);
  await goTo('keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await untilCount(page.getByRole('checkbox', { name: 'WhatsApp' }), 1);
  assert.equal(await page.getByRole('checkbox', { name: 'Telegram' }).count(), 0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await chooseInRow(page, 'Old', 'Edit');
  await page.getByRole('checkbox', { name: 'Telegram' }).waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'Telegram' }).isChecked(), true);
  await page.getByRole('button', { name: 'Save' }).click();
  await untilCount(page.getByRole('dialog'), 0);
  const keys = read<{ name: string; restrictions: object }[]>(await owner.get(`/portal/api${account}/keys`));
  assert.deepEqual(keys.find(({ name }) => name === 'Old')?.restrictions, restrictions, 'it stays bound');
});
