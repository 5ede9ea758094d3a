/** The page shows what two carriers did, number for number as in the store's rows. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { latencyQuantile } from '../../../src/core/counting/latency-quantile.ts';
import { BIN_COLUMNS, binOf } from '../../../src/store/shared/statistics.ts';
import { eventually } from '../../acceptance/client.ts';
import { Smsc } from '../../carriers/smpp/smsc.ts';
import { accept, answer, openGateway } from '../../faults/gateway.ts';
import { accountOf, makeKey, openWindow, settle, startStage, untilCount } from '../rig/stage.ts';

/** Sends receipts, and at first refuses numbers that end in 77. */
const smsc = await new Smsc({}).start();
/** Sends no receipts, and fails for numbers that end in 55. */
const gateway = await openGateway();
after(async () => {
  await smsc.stop();
  await gateway.close();
});
gateway.behave((message, ...rest) => (message.to.endsWith('55') ? answer(503) : accept)(message, ...rest));
const stage = await startStage({
  config: {
    currency: 'EUR',
    carriers: {
      smsc: {
        ...{ type: 'smpp', host: '127.0.0.1', port: smsc.port, systemId: 'u', password: 'p', source: 'Acme' },
        prices: { default: 0.0075, FR: 1.25 },
      },
      gateway: { ...gateway.carrier, prices: { default: 0.02 } },
    },
    routes: [
      { channel: 'sms', countries: ['FR'], carriers: ['gateway', 'smsc'] },
      { channel: 'sms', carriers: ['smsc', 'gateway'] },
    ],
  },
});
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const { client, dataDir } = stage.portal.service;

const FRENCH = ['20', '21', '22', '55', '23'].map((end) => `+336123456${end}`);
/** The throttled one comes last, because the SMSC gets a pause after it. */
const GERMAN = ['10', '11', '12', '13', '99', '88', '77'].map((end) => `+49151234567${end}`);
const CONFIRMED = /1[0-2]$|2[0-1]$|55$/;

interface Row {
  readonly attempts: number;
  readonly taken: number;
  readonly delivered: number;
  readonly undelivered: number;
  readonly confirmed: number;
  readonly cost: number;
  /** From request to confirmation, in ms. */
  readonly latencies: readonly number[];
}

/** What the rows of messages and attempts say about a carrier; separately kept counts are not used. */
function rowsOf(carrier: string, country?: string): Row {
  using db = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true, timeout: 5_000 });
  const one = `FROM attempt JOIN verification ON id = verification_id
    WHERE attempt.carrier = $carrier AND ($country IS NULL OR country = $country)`;
  const given = { $carrier: carrier, $country: country ?? null };
  const count = (where: string) =>
    Number(db.prepare(`SELECT count(*) AS n ${one} AND ${where}`).get(given)?.n);
  const confirmations = db
    .prepare(
      `SELECT confirmed_at - created_at AS ms FROM verification
       WHERE confirmed_at IS NOT NULL AND ($country IS NULL OR country = $country) AND $carrier = (
         SELECT carrier FROM attempt
         WHERE verification_id = id AND outcome = 'accepted' AND receipt IS NOT 'undelivered'
         ORDER BY receipt IS 'delivered' DESC, fence DESC, position DESC LIMIT 1)`,
    )
    .all(given);
  return {
    attempts: count('true'),
    taken: count("outcome = 'accepted'"),
    delivered: count("receipt = 'delivered'"),
    undelivered: count("receipt = 'undelivered'"),
    confirmed: confirmations.length,
    cost: Number(db.prepare(`SELECT coalesce(sum(cost), 0) AS n ${one}`).get(given)?.n) / 1_000_000,
    latencies: confirmations.map(({ ms }) => Number(ms)),
  };
}

/** The carrier that took a message last. */
function carrierOf(id: string): string | null {
  using db = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true, timeout: 5_000 });
  const carrier = db
    .prepare('SELECT carrier FROM attempt WHERE verification_id = ? ORDER BY fence DESC, position DESC')
    .get(id)?.carrier;
  return typeof carrier === 'string' ? carrier : null;
}

const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)}%`;
const euros = (value: number, digits = 4) =>
  `€${(Math.round(value * 10 ** digits) / 10 ** digits).toFixed(digits)}`;

/** Estimated from bins, as the page does; here the bins are made from the messages themselves. */
function median(latencies: readonly number[]): string {
  const bins = BIN_COLUMNS.map((_, bin) => latencies.filter((ms) => binOf(ms) === bin).length);
  const ms = latencyQuantile(bins, 0.5) ?? Number.NaN;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The cells of a line, as people read them. */
function cellsOf(name: string, { attempts, taken, delivered, confirmed, cost, ...row }: Row): string[] {
  const hasReceipts = delivered + row.undelivered > 0;
  return [
    name,
    String(attempts),
    `${taken} ${share(taken, attempts)}`,
    hasReceipts ? `${delivered} ${share(delivered, taken)}` : 'no receipts',
    `${confirmed} ${share(confirmed, taken)}`,
    confirmed === 0 ? '–' : median(row.latencies),
    euros(cost, 2),
    confirmed === 0 ? '–' : euros(cost / confirmed),
  ];
}

async function tableOf(page: Page, name: string): Promise<string[][]> {
  const lines = await page.getByRole('table', { name }).locator('tbody tr').all();
  return Promise.all(
    lines.map(async (line) => {
      const cells = await line.locator('th, td').allInnerTexts();
      // How it changed depends on whether the hour is over.
      cells.splice(2, 1);
      return cells.map((text) => text.replaceAll(/\s+/g, ' ').trim());
    }),
  );
}

/** Waits until they are equal; if they never are, says what differs. */
async function becomes<T>(read: () => Promise<T>, wanted: () => T): Promise<void> {
  await eventually(async () => {
    try {
      assert.deepEqual(await read(), wanted());
      return true;
    } catch {
      return undefined;
    }
  }, 15_000);
  assert.deepEqual(await read(), wanted());
}

const bodyOf = (to: string) =>
  [...gateway.received, ...smsc.seen].findLast((message) => message.to.replace('+', '') === to.slice(1))
    ?.text;

test('the page shows what each carrier did, as the store has it', async (t) => {
  const key = await makeKey(owner, account, 'Shop', false);
  for (const destination of [...FRENCH, ...GERMAN]) {
    const { json, status, text } = await client.verify(destination, 'sms', { key });
    assert.equal(status, 200, text);
    if (!CONFIRMED.test(destination)) continue;
    const code = await eventually(async () => /\d{6}/.exec(bodyOf(destination) ?? '')?.[0]);
    // The store knows the carrier a moment after the message has left.
    await eventually(async () => (carrierOf(json.id ?? '') === null ? undefined : true));
    assert.equal((await client.confirm(json.id ?? '', code ?? '', { key })).status, 200);
  }
  // All receipts are in: those of the SMSC, and those of messages that failed over because they were undelivered.
  const told = (carrier: string) => {
    const { attempts, taken, delivered, undelivered, confirmed } = rowsOf(carrier);
    return [attempts, taken, delivered, undelivered, confirmed];
  };
  await becomes(
    async () => [told('smsc'), told('gateway')],
    () => [
      [8, 7, 5, 1, 4],
      [7, 6, 0, 0, 2],
    ],
  );

  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/overview?by=carrier`));
  await settle(page);
  const lines = () => [cellsOf('smsc', rowsOf('smsc')), cellsOf('gateway', rowsOf('gateway'))];
  await becomes(() => tableOf(page, 'By carrier'), lines);

  // Only one carrier: the page begins with its attempts, because no request belongs to it.
  await page.getByRole('table', { name: 'By carrier' }).getByRole('button', { name: 'gateway' }).click();
  const { attempts, taken, confirmed } = rowsOf('gateway');
  const stages = page.getByRole('listitem');
  for (const [name, count] of [
    ['Attempts', String(attempts)],
    ['Accepted', String(taken)],
    ['Delivered', 'no receipts'],
    ['Confirmed', String(confirmed)],
  ] as const) {
    await stages.filter({ hasText: name }).getByText(count, { exact: true }).waitFor();
  }
  await page.getByRole('button', { name: 'Country', exact: true }).click();
  await becomes(
    () => tableOf(page, 'By country'),
    () => [cellsOf('France', rowsOf('gateway', 'FR')), cellsOf('Germany', rowsOf('gateway', 'DE'))],
  );
  await untilCount(page.getByText('No codes were requested'), 0);
  // They belong to no carrier. What stands below the first window follows a moment after it.
  await untilCount(page.getByRole('heading', { name: 'Limits' }), 0);
});
