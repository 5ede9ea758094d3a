/** The page of the audit log: what it finds is what the API has, and its files are what it says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyExport } from '../../src/accounts/audit-log/exported.ts';
import { parseLink } from '../../src/core/accounts/audit-chain.ts';
import type { AuditLog } from '../../src/portal/audit/contract.ts';
import { logOf, read } from '../portal/rig.ts';
import { look } from './rig/look.ts';
import {
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

test('entries are found by what they are about, by whom and by their words, and exported as they are shown', async (t) => {
  const account = await addAccount(owner, 'Harbour office');
  await makeKey(owner, account, 'Staging');
  await makeKey(owner, account, 'Checkout');
  const [key] = read<{ id: string }[]>(await owner.get(`/portal/api${account}/keys`));
  for (let i = 0; i < 110; i++) {
    const path = `/portal/api${account}/keys/${key?.id}`;
    read(await owner.send('PATCH', path, { name: `Checkout ${i}` }));
  }
  const log = read<AuditLog>(await owner.get(`/portal/api${account}/audit`));
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/audit`));
  await heading(page, 'Audit log');
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
  for (const shown of [50, 100]) {
    await untilCount(rows, shown);
    await page.getByRole('button', { name: 'Older entries' }).click();
  }
  await untilCount(rows, Number(log.entries[0]?.seq));
  await untilCount(page.getByRole('button', { name: 'Older entries' }), 0);
  await page.getByText(log.last ?? 'none', { exact: true }).waitFor();

  const download = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ]);
    return readDownload(file);
  };
  const whole = verifyExport(await download('Export as JSON'), Date.now(), parseLink(log.last ?? ''));
  assert.ok(whole.kind === 'read' && whole.verdict.ok);
  assert.equal(whole.account, 'Harbour office');

  await page.getByLabel('Who').fill('olive');
  await page.getByLabel('What or to what').fill('STAGING');
  await page.getByLabel('About').selectOption('Keys');
  await page.getByRole('button', { name: 'Find' }).click();
  await untilCount(rows, 1);
  await rows.getByText('created the key').waitFor();
  const address = page.url();
  assert.ok(address.includes('group=keys') && !/olive|staging/i.test(address), address);
  const csv = await download('Export what matches as CSV');
  assert.deepEqual([csv.split('\r\n').length, csv.includes('Staging')], [3, true]);
  await look(page);

  await page.getByLabel('What or to what').fill('+44 7700 900123');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('The log has no full numbers').waitFor();
  await untilCount(rows, 1);
  await look(page);
  await page.getByLabel('What or to what').fill('nothing like it');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('Nothing matches').waitFor();
  await settle(page);
  await look(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await untilCount(rows, Number(log.entries[0]?.seq));
  assert.equal(await page.getByLabel('Who').inputValue(), '');
});

test('a whole key that is looked for finds its entries, and is in no address and not in the log', async (t) => {
  const account = await addAccount(owner, 'Lost and found');
  const key = await makeKey(owner, account, 'Found on a desk');
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/audit`));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByLabel('What or to what').fill(key);
  await page.getByRole('button', { name: 'Find' }).click();
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
  await untilCount(rows, 1);
  await rows.getByText('created the key').waitFor();
  const file = await page.getByRole('link', { name: 'Export what matches as CSV' }).getAttribute('href');
  await page.goto(stage.address(`${account}/people`));
  await page.getByLabel('Name or email address').fill(key);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('Nobody matches').waitFor();
  const secret = key.slice(0, -6).slice(-20);
  const places = [...asked, file ?? '', page.url()];
  assert.ok(places.some((place) => place.includes(key.slice(0, 17))));
  assert.deepEqual(
    places.filter((place) => place.includes(secret)),
    [],
  );
  assert.ok(!(await logOf(stage.portal.service)).includes(secret));
});
