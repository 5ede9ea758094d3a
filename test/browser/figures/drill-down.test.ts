/** From a figure to the codes that it counts: the list finds them, by whatever carrier was asked. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../acceptance/client.ts';
import { Smsc } from '../../carriers/smpp/smsc.ts';
import { accept, answer, openGateway } from '../../faults/gateway.ts';
import { WIDE } from '../rig/look.ts';
import { accountOf, heading, makeKey, openWindow, settle, startStage, untilCount } from '../rig/stage.ts';

/** Refuses numbers that end in 5 or 6. */
const acme = await openGateway();
/** Refuses numbers that end in 6. */
const beta = await openGateway();
/** Sends receipts. */
const smsc = await new Smsc({}).start();
after(async () => {
  await acme.close();
  await beta.close();
  await smsc.stop();
});
acme.behave((message, ...rest) => (/[56]$/.test(message.to) ? answer(400) : accept)(message, ...rest));
beta.behave((message, ...rest) => (/6$/.test(message.to) ? answer(400) : accept)(message, ...rest));

const stage = await startStage({
  config: {
    currency: 'EUR',
    carriers: {
      acme: { ...acme.carrier, prices: { default: 0.02 } },
      beta: { ...beta.carrier, prices: { default: 0.03 } },
      smsc: {
        ...{ type: 'smpp', host: '127.0.0.1', port: smsc.port, systemId: 'u', password: 'p', source: 'Acme' },
        prices: { default: 0.01 },
      },
    },
    routes: [
      { channel: 'sms', countries: ['FR'], carriers: ['acme', 'beta'] },
      { channel: 'sms', carriers: ['smsc'] },
    ],
  },
});
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const { client, dataDir } = stage.portal.service;

/** Two are taken by acme, two by beta after it, and three by nobody. */
const FRENCH = ['10', '11', '15', '25', '16', '26', '36'].map((end) => `+336123456${end}`);
/** The SMSC reports those of 99 as undelivered, and says nothing of those of 88. */
const GERMAN = ['10', '11', '99', '88'].map((end) => `+49151234567${end}`);
const CONFIRMED = /1[015]$/;

function one(sql: string): number {
  using db = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true, timeout: 5_000 });
  return Number(db.prepare(sql).get()?.n);
}

const bodyOf = (to: string) =>
  [...acme.received, ...beta.received, ...smsc.seen].findLast(
    (message) => message.to.replace('+', '') === to.slice(1),
  )?.text;

const key = await makeKey(owner, account, 'Shop', false);
for (const destination of [...FRENCH, ...GERMAN]) {
  const { json, status, text } = await client.verify(destination, 'sms', { key });
  assert.equal(status, 200, text);
  const { id = '' } = json;
  // The store knows what became of it a moment after the message has left.
  await eventually(async () =>
    one(`SELECT count(*) AS n FROM attempt WHERE verification_id = '${id}'`) > 0 ? true : undefined,
  );
  if (!CONFIRMED.test(destination)) continue;
  const code = /\d{6}/.exec(bodyOf(destination) ?? '')?.[0] ?? '';
  assert.equal((await client.confirm(id, code, { key })).status, 200);
}
const reported = await eventually(async () =>
  one('SELECT count(*) AS n FROM attempt WHERE receipt IS NOT NULL') === 3 ? true : undefined,
);
assert.ok(reported, 'all receipts are in');

test('a carrier finds what it refused, and the list says who was asked', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/verifications`));
  await settle(page);
  const rows = page.getByRole('table', { name: 'Verifications' }).locator('tbody tr');
  await untilCount(rows, 11);
  await page.getByLabel('Carrier').selectOption('acme');
  await untilCount(rows, 7);
  await page.getByLabel('Status').selectOption('failed');
  await untilCount(rows, 3);
  for (const row of await rows.all()) {
    const text = (await row.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(text, /Failed SMS acme, then beta none accepted it Shop/);
  }
  await page.getByText('3 codes', { exact: true }).waitFor();

  // Of those that it passed on, both are named, and what it did can be asked for.
  await page.getByRole('button', { name: 'Status: Failed' }).click();
  await page.getByLabel('Attempt').selectOption('refused');
  await untilCount(rows, 5);
  await untilCount(rows.filter({ hasText: /beta\s+after acme/ }), 2);
  await page.getByLabel('Attempt').selectOption('carried');
  await untilCount(rows, 2);
  // The address has all of it.
  await page.reload();
  await untilCount(rows, 2);
  const chips = page.getByRole('list', { name: 'Active filters' });
  assert.deepEqual(
    (await chips.getByRole('button').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
    ['Carrier: acme × Remove this filter', 'Attempt: Carried the code × Remove this filter', 'Clear filters'],
  );
  await chips.getByRole('button', { name: 'Clear filters' }).click();
  await untilCount(rows, 11);
});

/** Follows a figure to the list, holds it against the list's count and the store's, and comes back. */
async function follow(page: Page, figure: Locator, wanted: string): Promise<void> {
  const overview = page.url();
  const shown = await figure.innerText();
  assert.equal(shown, String(one(wanted)), wanted);
  await figure.click();
  await heading(page, 'Verifications');
  const found = page.getByRole('status', { name: 'Found' });
  await found.getByText(new RegExp(`^${shown} codes?$`)).waitFor();
  const rows = page.getByRole('table', { name: 'Verifications' }).locator('tbody tr');
  await untilCount(rows, Number(shown));
  // The address alone says all of it.
  await page.reload();
  await untilCount(rows, Number(shown));
  await page.goBack();
  await heading(page, 'Overview');
  assert.equal(page.url(), overview);
  await settle(page);
}

const codesWith = (attempt: string) =>
  `SELECT count(DISTINCT verification_id) AS n FROM attempt JOIN verification ON id = verification_id WHERE ${attempt}`;

test('every figure of the overview leads to the codes that it counts', async (t) => {
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await page.goto(stage.address(`${account}/overview`));
  await settle(page);
  const stageOf = (name: string) => page.getByRole('listitem').filter({ hasText: name }).getByRole('link');
  await follow(page, stageOf('Requested'), 'SELECT count(*) AS n FROM verification');
  await follow(page, stageOf('Accepted'), codesWith(`outcome = 'accepted'`));
  await follow(page, stageOf('Delivered'), codesWith(`receipt = 'delivered'`));
  await follow(
    page,
    stageOf('Confirmed'),
    'SELECT count(*) AS n FROM verification WHERE confirmed_at IS NOT NULL',
  );
  const figure = (name: string) => page.locator('dl > div').filter({ hasText: name }).getByRole('link');
  await follow(page, figure('Reported undelivered'), codesWith(`receipt = 'undelivered'`));
  await follow(page, figure('Without a receipt'), codesWith(`outcome = 'accepted' AND receipt IS NULL`));
  await page.goto(stage.address(`${account}/overview?country=FR`));
  await settle(page);
  await follow(
    page,
    figure('Failed'),
    codesWith(`country = 'FR' AND destination_hash NOT IN (
    SELECT destination_hash FROM verification JOIN attempt ON id = verification_id WHERE outcome = 'accepted')`),
  );
});

test('so does every row of its tables, which are sorted as the address says', async (t) => {
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await page.goto(stage.address(`${account}/overview?by=carrier`));
  await settle(page);
  const table = page.getByRole('table', { name: 'By carrier' });
  const names = async () =>
    (await table.locator('tbody th').allInnerTexts()).map((text) => text.trim()).join(' ');
  await table.waitFor();
  assert.equal(await names(), 'acme beta smsc');
  const header = table.getByRole('columnheader', { name: 'Cost', exact: true });
  await header.getByRole('button').click();
  await page.waitForURL(/sort=-cost/);
  await table.locator('th[aria-sort=descending]').getByText('Cost', { exact: true }).waitFor();
  assert.equal(await names(), 'beta acme smsc');
  await page.reload();
  await settle(page);
  assert.equal(await names(), 'beta acme smsc');

  const cell = (carrier: string, column: number) =>
    table.getByRole('row').filter({ hasText: carrier }).locator('td').nth(column).getByRole('link');
  await follow(page, cell('acme', 0), codesWith(`carrier = 'acme'`));
  await follow(page, cell('acme', 2), codesWith(`carrier = 'acme' AND outcome = 'accepted'`));
  await follow(
    page,
    cell('beta', 4),
    codesWith(`carrier = 'beta' AND outcome = 'accepted' AND confirmed_at > 0`),
  );
  await follow(page, cell('smsc', 3), codesWith(`carrier = 'smsc' AND receipt = 'delivered'`));

  // A page that is narrowed to a carrier counts its attempts, and leads to what it refused.
  await table.getByRole('button', { name: 'acme' }).click();
  const refused = page.locator('dl > div').filter({ hasText: 'Attempts not accepted' }).getByRole('link');
  await follow(page, refused, codesWith(`carrier = 'acme' AND outcome NOT IN ('accepted', 'delivered')`));
  for (const [by, name, where] of [
    ['country', 'France', `country = 'FR' AND carrier = 'acme'`],
    ['key', 'Shop', `carrier = 'acme'`],
    ['channel', 'SMS', `carrier = 'acme'`],
  ] as const) {
    await page.goto(stage.address(`${account}/overview?carrier=acme&by=${by}`));
    await settle(page);
    const row = page
      .getByRole('table', { name: `By ${by}` })
      .getByRole('row')
      .filter({ hasText: name });
    await follow(page, row.getByRole('link').first(), codesWith(where));
  }
});
