/** Long lists, the palette, and the ways out for people who are lost, as somebody uses them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { freshNumber } from '../acceptance/client.ts';
import type { Visitor } from '../portal/rig.ts';
import { look, NARROW, WIDE } from './rig/look.ts';
import {
  accountOf,
  addAccount,
  heading,
  makeKey,
  openWindow,
  readDownload,
  settle,
  startStage,
  untilCount,
} from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await addAccount(owner, 'Harbour office');
const KEYS = 490;
const MEMBERS = 210;

/** Nearly as many as an account may have in use, and the members of a large company. */
function fill(): void {
  using db = new DatabaseSync(join(stage.portal.service.dataDir, 'countersign.db'), { timeout: 20_000 });
  const id = account.split('/').at(-1) ?? '';
  const now = Date.now();
  const addKey = db.prepare(
    `INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at, created_by) VALUES (?, ?, ?, 1, ?, ?, ?, 'Ada')`,
  );
  const person = db.prepare('INSERT INTO person (id, email, name, created_at) VALUES (?, ?, ?, ?)');
  const member = db.prepare(
    `INSERT INTO member (account_id, person_id, role, since) VALUES (?, ?, 'viewer', ?)`,
  );
  db.exec('BEGIN IMMEDIATE');
  for (let n = 0; n < KEYS; n++) {
    const key = mintKey(SYSTEM_RANDOM, true);
    addKey.run(key.id, id, `Terminal ${n}`, key.prefix, key.hash, now - n);
  }
  for (let n = 0; n < MEMBERS; n++) {
    person.run(`per_fill${n}`, `person${n}@example.com`, `Person ${String(n).padStart(3, '0')}`, now);
    member.run(id, `per_fill${n}`, now);
  }
  db.exec('COMMIT');
}
fill();

async function download(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name, exact: true }).click(),
  ]);
  return readDownload(file);
}

test('hundreds of keys come page by page, are found by a part or by themselves, and are exported', async (t) => {
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await page.goto(stage.address(`${account}/keys`));
  await heading(page, 'API keys');
  const rows = page.getByRole('table', { name: 'API keys' }).locator('tbody tr');
  await untilCount(rows, 50);
  await page.getByRole('button', { name: 'Show older keys' }).click();
  await untilCount(rows, 100);
  await page.getByLabel('Name, beginning or maker').fill('terminal 489');
  await page.getByRole('button', { name: 'Find' }).click();
  await untilCount(rows, 1);
  await rows.getByText('Terminal 489').waitFor();
  assert.ok(!/terminal/i.test(page.url()), page.url());
  await look(page);
  await page.setViewportSize(WIDE);
  const secret = await makeKey(owner, account, 'Lost and found', false);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByLabel('Name, beginning or maker').fill(secret);
  await page.getByRole('button', { name: 'Find' }).click();
  await rows.getByText('Lost and found').waitFor();
  assert.ok(asked.length > 0 && asked.every((url) => !url.includes(secret)), 'no address has the key');
  await page.getByLabel('Name, beginning or maker').fill('+44 7700 900123');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('Full numbers are found on the page').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await untilCount(rows, 100);
  await page.getByRole('combobox', { name: 'Traffic' }).selectOption('Live');
  await untilCount(rows, 1);
  const csv = await download(page, 'Export as CSV');
  assert.deepEqual(
    [csv.split('\r\n').length, csv.includes('Lost and found'), csv.includes(secret)],
    [3, true, false],
  );
  await page.getByRole('combobox', { name: 'State' }).selectOption('Revoked or expired');
  await page.getByText('Nothing matches').waitFor();
});

test('two hundred people come page by page, are found by name, and are exported', async (t) => {
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await page.goto(stage.address(`${account}/people`));
  const rows = page.getByRole('table', { name: 'Members' }).locator('tbody tr');
  await untilCount(rows, 50);
  while (await page.getByRole('button', { name: 'Show more people' }).count()) {
    const before = await rows.count();
    await page.getByRole('button', { name: 'Show more people' }).click();
    await untilCount(rows, Math.min(before + 50, MEMBERS + 1));
  }
  await untilCount(rows, MEMBERS + 1);
  await page.getByLabel('Name or email address').fill('person 20');
  await page.getByRole('button', { name: 'Find' }).click();
  await untilCount(rows, 10);
  const csv = await download(page, 'Export what matches as CSV');
  assert.equal(csv.split('\r\n').length, 12);
  await look(page);
  await page.setViewportSize(WIDE);
  await page.getByRole('combobox', { name: 'With the role' }).selectOption('Owner');
  await page.getByText('Nobody matches').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await untilCount(rows, MEMBERS + 1);
});

test('verifications are exported as they are filtered', async (t) => {
  const key = await makeKey(owner, account, 'Exported');
  const number = freshNumber();
  const { id } = await stage.portal.service.client.issue(number, 'sms', { key });
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/verifications?channel=sms`));
  await page.getByRole('table', { name: 'Verifications' }).getByRole('link').first().waitFor();
  const csv = await download(page, 'Export what matches as CSV');
  assert.ok(csv.includes(id) && !csv.includes(number.slice(1)));
  await look(page);
});

const fieldIn = (page: Page) => page.getByRole('dialog', { name: 'Jump to' }).getByRole('combobox');

/** The places that the palette shows. */
const placesIn = (page: Page) => page.getByRole('listbox', { name: 'Places' }).getByRole('option');

async function jump(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await fieldIn(page).fill(text);
}

async function issueOne(visitor: Visitor): Promise<string> {
  const key = await makeKey(visitor, account, 'Palette');
  return (await stage.portal.service.client.issue(freshNumber(), 'sms', { key })).id;
}

test('with only the keyboard the palette leads to pages, keys, verifications and other accounts', async (t) => {
  const verification = await issueOne(owner);
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await page.goto(stage.address(`${account}/overview`));
  await heading(page, 'Overview');
  await settle(page);
  await page.keyboard.press('Control+k');
  await untilCount(page.getByRole('dialog', { name: 'Jump to' }), 1);
  await settle(page);
  await look(page);
  await page.setViewportSize(WIDE);
  const chosen = () => page.locator('[role=option][aria-selected=true]').innerText();
  assert.match(await chosen(), /^Overview/);
  await page.keyboard.press('ArrowUp');
  assert.match(await chosen(), /Account$/, 'the last one comes before the first');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.match(await chosen(), /^Verifications/);
  assert.equal(
    await fieldIn(page).getAttribute('aria-activedescendant'),
    await page.locator('[role=option][aria-selected=true]').getAttribute('id'),
  );
  await page.keyboard.press('Escape');
  await untilCount(page.locator('dialog'), 0);

  for (const [task, place] of [
    ['invite colleague', 'People'],
    ['raise limit', 'Settings'],
    ['fraud', 'Guard'],
  ] as const) {
    await jump(page, task);
    await page.keyboard.press('Enter');
    await heading(page, place);
    await untilCount(page.locator('dialog'), 0);
  }
  await jump(page, 'audit');
  await page.keyboard.press('Enter');
  await heading(page, 'Audit log');
  await untilCount(page.locator('dialog'), 0);

  const secret = await makeKey(owner, account, 'Night shift');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const text of ['night sh', secret.slice(0, 15), secret]) {
    await jump(page, text);
    await placesIn(page).getByText('Night shift').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'API keys');
    const rows = page.getByRole('table', { name: 'API keys' }).locator('tbody tr');
    await untilCount(rows, 1);
    await page.getByText('Only this key is shown').waitFor();
    // So that the next way leads there again.
    await page.getByRole('button', { name: 'Show all keys' }).click();
    await untilCount(rows, 50);
    await untilCount(page.getByText('Only this key is shown'), 0);
  }
  assert.ok(asked.every((url) => !/night|csk_/i.test(url)));

  await jump(page, verification);
  await page.keyboard.press('Enter');
  await heading(page, 'Verification');
  assert.ok(page.url().endsWith(verification));

  await jump(page, 'account default');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.includes(account));
  await heading(page, 'Overview');
  await jump(page, 'no such place');
  await page.getByText('Nothing has this name.').waitFor();
  await look(page);
});

test('a number typed into the palette is looked for where numbers are found, in no address; the palette opens beside no other dialog', async (t) => {
  const page = await openWindow(t, stage, { as: owner, viewport: NARROW });
  await page.goto(stage.address(`${account}/keys`));
  await heading(page, 'API keys');
  await settle(page);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await untilCount(page.locator('dialog'), 1);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').locator('input[name=name]').fill('Never made');
  await untilCount(page.locator('dialog'), 1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await untilCount(page.locator('dialog'), 0);

  const asked: (string | null)[] = [];
  page.on('request', (request) => asked.push(request.url(), request.postData()));
  // People without a keyboard.
  await page.getByRole('button', { name: 'Jump to…' }).click();
  await fieldIn(page).fill('+44 7700 900123');
  await page.getByText('It is looked for there').waitFor();
  await untilCount(placesIn(page), 1);
  assert.ok(asked.every((text) => !text?.includes('900123')));
  await placesIn(page).click();
  await heading(page, 'Verifications');
  const field = page.getByLabel('Find by id or full number');
  const kept = async () => {
    await page.getByRole('button', { name: 'Show all again' }).waitFor();
    await settle(page);
    return [await field.inputValue(), page.url().includes('900123')];
  };
  assert.deepEqual(await kept(), ['+44 7700 900123', false]);
  const told = asked.filter((text) => text?.includes('900123'));
  assert.ok(
    told.length > 0 && told.every((text) => text?.startsWith('{')),
    'only the body of a search has it',
  );

  // On the page itself, too.
  await page.getByRole('button', { name: 'Show all again' }).click();
  assert.equal(await field.inputValue(), '');
  await page.getByRole('button', { name: 'Jump to…' }).click();
  await fieldIn(page).fill('+44 7700 900123');
  await untilCount(placesIn(page), 1);
  await placesIn(page).click();
  assert.deepEqual(await kept(), ['+44 7700 900123', false]);
});

test('the palette leads nowhere that the person may not go', async (t) => {
  const viewer = await stage.portal.join(owner, 'viewer', 'vic@example.com');
  const page = await openWindow(t, stage, { as: viewer });
  await page.goto(stage.address(`${await accountOf(viewer)}/overview`));
  await heading(page, 'Overview');
  await page.keyboard.press('Meta+k');
  await placesIn(page).getByText('API keys').waitFor();
  for (const name of ['Audit log', 'Data requests', 'Add an account']) {
    assert.equal(await placesIn(page).getByText(name).count(), 0, name);
  }
});

test('every page leads to the reference, and the sign-in page says what to do about lost access', async (t) => {
  const page = await openWindow(t, stage, { reducedMotion: 'reduce' });
  await page.goto(stage.address('/sign-in'));
  await page.getByText('Lost access?').click();
  await page.getByText('portal reset --email').waitFor();
  await look(page);
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.getByRole('heading', { level: 1, name: 'API' }).waitFor();
  const inside = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await inside.goto(stage.address(`${account}/settings`));
  await inside.getByRole('link', { name: 'API reference' }).waitFor();
});

test('every page leads to its guide, at the part that is about it', async (t) => {
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await page.goto(stage.address(`${account}/overview`));
  await heading(page, 'Overview');
  const links = await page.locator('nav[aria-label=Pages] a').all();
  const pages = await Promise.all(links.map((link) => link.getAttribute('href')));
  assert.ok(pages.length >= 13);
  const guides = new Set<string>();
  for (const address of [...pages, '/portal/me']) {
    await page.goto(new URL(address ?? '', stage.address('/')).href);
    const link = page.getByRole('link', { name: 'Guide to this page' });
    const guide = (await link.getAttribute('href')) ?? '';
    guides.add(guide);
    const anchor = guide.split('#')[1];
    const { body, status } = await page.evaluate(async (path) => {
      const answer = await fetch(path);
      return { status: answer.status, body: await answer.text() };
    }, guide);
    assert.equal(status, 200, guide);
    assert.ok(anchor === undefined || body.includes(` id="${anchor}"`), guide);
  }
  assert.equal(guides.size, pages.length + 1, 'each page has one of its own');
  await page.setViewportSize(NARROW);
  await page.goto(new URL('/docs/guides/alerts', stage.address('/')).href);
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  await look(page);
});
