/** The page of the guard, over refusals of real requests: its figures are those of the store, and its rules are in use. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { eventually } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { look } from './rig/look.ts';
import {
  accountOf,
  addAccount,
  heading,
  makeKey,
  openWindow,
  settle,
  startStage,
  untilCount,
} from './rig/stage.ts';

const FLOOD = 40;
const PRICE = 0.065;
const RANGE = '+4915112345';

const gateway = await openGateway();
after(() => gateway[Symbol.asyncDispose]());
const stage = await startStage({
  env: { COUNTERSIGN_GUARD_MODE: 'enforce' },
  config: {
    limits: { requestsPerKey: [], sendsPerDestination: ['10000/1m'] },
    carriers: { gateway: { ...gateway.carrier, prices: { DE: PRICE } } },
    routes: [{ channel: 'sms', carriers: ['gateway'] }],
  },
});
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const PAGE = stage.address(`${account}/guard`);
const { client, dataDir } = stage.portal.service;
const numberAt = (n: number) => `${RANGE}${String(n).padStart(3, '0')}`;

function inStore<T>(use: (db: DatabaseSync) => T): T {
  using db = new DatabaseSync(join(dataDir, 'countersign.db'), { timeout: 20_000 });
  return use(db);
}

interface Totals {
  readonly lines: number;
  readonly requests: number;
  readonly saved: number;
}

/** What the store has of this account, once it has this many lines. */
async function recorded(lines: number): Promise<Totals> {
  const id = account.split('/')[2] ?? '';
  const totals = await eventually(async () => {
    const found = inStore((db) =>
      db
        .prepare(
          `SELECT (SELECT count(*) FROM guard_refusal WHERE account_id = $id) AS lines,
            (SELECT sum(requests) FROM guard_day WHERE account_id = $id) AS requests,
            (SELECT sum(saved) FROM guard_day WHERE account_id = $id) AS saved`,
        )
        .get({ id }),
    );
    const read = {
      lines: Number(found?.lines),
      requests: Number(found?.requests),
      saved: Number(found?.saved),
    };
    return read.lines === lines ? read : undefined;
  });
  assert.ok(totals !== undefined, `${lines} lines`);
  return totals;
}

/**
 * An hour of evidence: what the guard writes minute by minute until it closes the range. It goes on into the next minutes, so that what
 * the guard itself writes when one begins is not the newest.
 */
function closeRange(): void {
  inStore((db) => {
    const now = db
      .prepare("SELECT place, max(minute) AS minute FROM guard_evidence WHERE place LIKE 'range3%'")
      .get();
    const add = db.prepare('INSERT OR REPLACE INTO guard_evidence VALUES (?, ?, ?, 0, ?, 7, ?, ?, ?)');
    for (let ago = 60; ago >= -3; ago--) {
      const minute = Number(now?.minute) - ago * 60_000;
      const closed = ago < 10;
      const probe = closed ? [1, 2, minute + 600_000] : [0, 0, null];
      add.run(String(now?.place), minute, 14 - ago / 8, 9.4 - ago / 7, ...probe);
    }
  });
}

test('what was refused, why, and what it saved are on the page as they are in the store', async (t) => {
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce' });
  await page.goto(PAGE);
  await page.getByText('Nothing was refused').waitFor();
  const views = page.getByRole('navigation', { name: 'Parts of this page' });
  const show = (name: string) => views.getByRole('link', { name }).click();

  const key = await makeKey(owner, account, 'Checkout', false);
  const ask = (n: number, as = key) => client.verify(numberAt(n), 'sms', { key: as });
  const answers = [];
  for (let n = 0; n < FLOOD; n++) answers.push(await ask(n));
  const refused = answers.filter(({ status }) => status === 429).length;
  assert.ok(refused > 10 && refused < FLOOD, `${refused} refused`);
  // A code of another account waits at this number.
  const other = await addAccount(owner, 'Another');
  const guest = await makeKey(owner, other, 'Guest', false);
  assert.equal((await client.verify('+4915170000001', 'sms', { key: guest })).status, 200);
  assert.equal((await client.verify('+4915170000001', 'sms', { key })).status, 429);
  const store = await recorded(refused + 1);
  assert.deepEqual([store.requests, store.saved], [refused + 1, (refused + 1) * (PRICE * 1e6)]);
  closeRange();

  await page.goto(PAGE);
  const table = page.getByRole('table', { name: 'Refused', exact: true });
  const row = table.getByRole('row', { name: /Range of 1,000: \+4915112345/ });
  await row.waitFor();
  assert.deepEqual((await row.getByRole('cell').allInnerTexts()).slice(1, 3), [`${refused}`, `${refused}`]);
  assert.match(await row.innerText(), /codes are open, more than confirmations have earned/);
  await table.getByText('codes to this number were not confirmed').waitFor();
  const saved = (store.saved / 1e6).toFixed(4);
  await page.getByText(`In 30 days, ${store.requests} requests were refused.`).waitFor();
  await page.getByText(new RegExp(`would have cost at least \\D*${saved}\\.`)).waitFor();
  const closed = page.getByRole('table', { name: 'Closed' });
  assert.deepEqual((await closed.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).slice(1, 3), [
    '0',
    '2',
  ]);
  await settle(page);
  await look(page, 'guard');
  assert.ok(!(await page.content()).includes(numberAt(FLOOD - 1)), 'no number in full');
  await show('Evidence');
  await page.getByRole('img', { name: /^Evidence, from/ }).waitFor();
  await settle(page);
  await look(page);
  await show('What happened');
  const events = page.getByRole('table', { name: 'What happened' });
  await events.getByText('Number that confirms nothing').waitFor();
  assert.ok(!(await page.content()).includes(numberAt(FLOOD - 1)), 'no number in full');

  const sent = FLOOD - refused;
  await show('Try it');
  await page.locator('select[name=action]').selectOption('deny');
  await page.locator('input[name="rule.value"]').fill(RANGE);
  await page.getByRole('button', { name: 'Try it' }).click();
  const found = page.getByRole('status', { name: 'What the guard would have done' });
  await found.getByText(`${sent} requests cost`).waitFor();
  await found.getByText(`would have refused ${sent} of them`).waitFor();
  await found.getByText('0 of 0 people who confirmed would have been turned away.').waitFor();
  const countries = found.getByRole('table', { name: 'By country' });
  assert.match(
    await countries.getByRole('row').nth(1).innerText(),
    new RegExp(`^Germany\\s+${sent}\\s+${sent}\\s`),
  );
  const reasons = found.getByRole('table', { name: 'By reason' });
  assert.match(
    await reasons.getByRole('row').nth(1).innerText(),
    new RegExp(`^Your rule: deny\\s+${sent}\\s`),
  );
  await settle(page);
  await look(page);

  await page.goto(stage.address(`${account}/verifications?status=refused`));
  const lines = page.getByRole('table', { name: 'Refused by the guard' });
  await lines.getByText(`range of 1,000 ${RANGE}`).first().waitFor();
  await untilCount(lines.getByRole('row'), Math.min(50, store.lines) + 1);
});

test('a rule is added and lifted on the page, and decides', async (t) => {
  const key = await makeKey(owner, account, 'Launch', false);
  const answers = async (status: number) =>
    eventually(async () => {
      const { status: got } = await client.verify(numberAt(500), 'sms', { key });
      return got === status ? true : undefined;
    });
  const page = await openWindow(t, stage, { as: owner, provokes: [400] });
  const dialog = page.getByRole('dialog');
  await page.goto(`${PAGE}?view=rules`);
  await page.getByText('No rules').waitFor();
  assert.ok(await answers(429));

  await page.getByRole('button', { name: 'Add a rule' }).click();
  await dialog.locator('select[name=action]').selectOption('allow');
  await dialog.locator('input[name=value]').fill('12');
  await dialog.locator('input[name=reason]').fill('our launch');
  await dialog.getByRole('button', { name: 'Add the rule' }).click();
  await dialog.getByText('must be the beginning of numbers').waitFor();
  await dialog.locator('input[name=value]').fill(RANGE);
  await dialog.getByRole('button', { name: 'Add the rule' }).click();
  const rules = page.getByRole('table', { name: 'Your rules' });
  await rules.getByText(RANGE).waitFor();
  await rules.getByText('our launch').waitFor();
  assert.ok(await answers(200), 'the range is allowed');

  await rules.getByRole('button', { name: `Lift the rule ${RANGE}` }).click();
  await dialog.getByRole('button', { name: 'Lift the rule' }).click();
  await page.getByText('No rules').waitFor();
  assert.ok(await answers(429), 'the guard decides again');
});

test('a viewer sees the page and can change nothing', async (t) => {
  const viewer = await stage.portal.join(owner, 'viewer', 'vera@example.com');
  const page = await openWindow(t, stage, { as: viewer });
  await page.goto(stage.address(`${await accountOf(viewer)}/guard?view=rules`));
  await heading(page, 'Guard');
  await page.getByText('No rules').waitFor();
  await settle(page);
  await untilCount(page.getByRole('main').getByRole('button'), 0);
});
