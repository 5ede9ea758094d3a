/** From a figure to the codes that it counts: the list finds them, by whatever carrier was asked. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { eventually } from '../../acceptance/client.ts';
import { Smsc } from '../../carriers/smpp/smsc.ts';
import { accept, answer, openGateway } from '../../faults/gateway.ts';
import { accountOf, makeKey, openWindow, settle, startStage, untilCount } from '../rig/stage.ts';

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
