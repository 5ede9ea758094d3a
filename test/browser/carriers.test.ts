/** The page of carriers and routes: its figures are those of the API and of what was sent. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { askForReload } from '../../src/cli/control-socket.ts';
import type { Key } from '../../src/portal/keys/contract.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { read } from '../portal/rig.ts';
import { look, NARROW, WIDE } from './rig/look.ts';
import { accountOf, heading, makeKey, openWindow, settle, startStage, untilCount } from './rig/stage.ts';

const gateway = await openGateway();
const folder = await mkdtemp(join(tmpdir(), 'countersign-carriers-'));
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const file = join(folder, 'countersign.yaml');
const configure = (rest: object) =>
  writeFile(
    file,
    JSON.stringify({
      currency: 'EUR',
      carriers: {
        gateway: { ...gateway.carrier, rate: '20/1s', dailyCap: 900, prices: { default: 0.05, DE: 0.07 } },
      },
      routes: [
        { channel: 'sms', countries: ['DE', 'FR'], carriers: ['gateway'], dailyCap: 5_000 },
        { channel: 'sms', carriers: ['gateway', 'simulator'], weights: { gateway: 3, simulator: 1 } },
      ],
      ...rest,
    }),
  );
await configure({});
const stage = await startStage({ env: { COUNTERSIGN_CONFIG: file } });
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const PAGE = stage.address(`${account}/carriers`);
const { client, dataDir } = stage.portal.service;

test('carriers, routes, an explanation and the last change of the configuration', async (t) => {
  const key = await makeKey(owner, account, 'Checkout', false);
  for (let i = 0; i < 3; i++) assert.equal((await client.verify(freshNumber(), 'sms', { key })).status, 200);
  assert.ok(await eventually(async () => gateway.received.length >= 3 || undefined));

  await makeKey(owner, account, 'Old shop', false);
  const [old] = read<Key[]>(await owner.get(`/portal/api${account}/keys`));
  read(await owner.post(`/portal/api${account}/keys/${old?.id}/rotate`, { overlap_minutes: 0 }));

  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce' });
  await page.goto(PAGE);
  await heading(page, 'Carriers');
  const carriers = page.getByRole('table', { name: 'Carriers', exact: true });
  const row = carriers.getByRole('row', { name: /^gateway HTTP/ });
  await row.getByText('at most 20/1s').waitFor();
  await row.getByRole('cell', { name: '3', exact: true }).first().waitFor();
  await row.click();
  const drawer = page.getByRole('dialog', { name: 'gateway' });
  await drawer.getByText('20/1s').waitFor();
  await drawer.getByText('1, 2', { exact: true }).waitFor();
  await drawer.getByRole('button', { name: 'Send a test' }).waitFor();
  await look(page);
  await page.setViewportSize(WIDE);
  await page.keyboard.press('Escape');
  await untilCount(page.locator('dialog'), 0);

  const show = (view: string) =>
    page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: view }).click();
  await show('Routes');
  const routes = page.getByRole('table', { name: 'Routes' });
  await routes.getByText('France, Germany').waitFor();
  await routes.getByText('gateway, €0.0500 to €0.0700, 900 a day').waitFor();
  await routes.getByText('Working').first().waitFor();
  await routes.getByText('gateway, 75.0%').waitFor();
  await routes.getByText('5,000').waitFor();

  const asking = page.getByLabel('Asked for with').locator('option');
  await untilCount(asking, 3);
  assert.deepEqual(
    await asking.allInnerTexts(),
    ['Any live key', 'Old shop', 'Checkout'],
    'only keys in use',
  );
  await page.getByLabel('Number').fill('+4915112345678');
  await page.getByRole('button', { name: 'Explain' }).click();
  const told = page.getByRole('status', { name: 'What would happen' });
  await told.getByText('it would be sent').waitFor();
  await told.getByText('Route 1 takes it.').first().waitFor();
  await told.getByText('€0.0700').waitFor();
  assert.equal(gateway.received.length, 3);
  await page.getByLabel('Number').fill('+12025550123456');
  await page.getByRole('button', { name: 'Explain' }).click();
  await told.getByText('it would be refused').waitFor();
  await page.getByLabel('Number').fill('+4915112345678');
  await page.getByRole('button', { name: 'Explain' }).click();
  await told.getByText('it would be sent').waitFor();

  await configure({ messages: { brand: 'Acme' } });
  assert.equal((await askForReload(dataDir))?.ok, true);
  await page.getByText(/by a command:\s*messages\.brand/).waitFor();
  await settle(page);
  await look(page);
  await page.setViewportSize(WIDE);
  await show('Carriers');
  await row.waitFor();
  await look(page, 'carriers');
  // The window is narrow now: what a carrier may do is read in lines and not in a column of single words.
  const limits = await row.getByRole('cell', { name: /at most 20\/1s/ }).boundingBox();
  assert.ok(limits !== null && limits.width > NARROW.width * 0.75, `${limits?.width} px`);
  await configure({ retention: { verifications: '50d' } });
  assert.equal((await askForReload(dataDir))?.ok, false);
  await page.getByText('The last change of the configuration was refused').waitFor();
  await page.getByText(/messages\.brand|retention\.verifications/).waitFor();
  await look(page);
});
