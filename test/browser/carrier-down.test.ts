/** A carrier whose port refuses is shown as down wherever a page shows carriers, and its alert leads to them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CarrierHealth } from '../../src/portal/overview/contract.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { freePort } from '../free-port.ts';
import { read } from '../portal/rig.ts';
import { look, WIDE } from './rig/look.ts';
import { accountOf, makeKey, openWindow, settle, startStage } from './rig/stage.ts';

const PATIENCE_MS = 30_000;

const gateway = await openGateway();
after(() => gateway[Symbol.asyncDispose]());
const smsc = {
  ...{ type: 'smpp', host: '127.0.0.1', port: await freePort(), tls: false },
  ...{ systemId: 'acme', password: 'secret12', source: 'ACME' },
};
const stage = await startStage({
  config: {
    carriers: { backup: gateway.carrier, smsc },
    routes: [
      { channel: 'sms', countries: ['FR'], carriers: ['smsc'] },
      { channel: 'sms', carriers: ['smsc', 'backup'] },
    ],
  },
});

test('a carrier without a link', async (t) => {
  const owner = await stage.portal.setUp();
  const account = await accountOf(owner);
  const key = await makeKey(owner, account, 'Checkout', false);
  assert.equal((await stage.portal.service.client.verify(freshNumber(), 'sms', { key })).status, 200);
  const isDown = await eventually(async () => {
    const health = read<CarrierHealth>(await owner.get(`/portal/api${account}/carriers`));
    const trouble = health.find(({ name }) => name === 'smsc')?.installation.trouble;
    const taken = health.find(({ name }) => name === 'backup')?.account.submitted;
    return (trouble === 'no-link' && taken === 1) || undefined;
  }, PATIENCE_MS);
  assert.ok(isDown);

  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce', viewport: WIDE });
  await page.goto(stage.address(`${account}/carriers`));
  const row = page.getByRole('table', { name: 'Carriers', exact: true }).getByRole('row', { name: /^smsc/ });
  await row.getByText('No link', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Routes', exact: true }).click();
  const routes = page.getByRole('table', { name: 'Routes' });
  await routes.getByText('smsc, no price No link').first().waitFor();
  await routes.getByText('backup, no price Working').waitFor();

  const told = page.getByRole('status', { name: 'What would happen' });
  const explain = async (number: string) => {
    await page.getByLabel('Number').fill(number);
    await page.getByRole('button', { name: 'Explain' }).click();
  };
  await explain('+33612345678');
  await told.getByText('it would wait, because no carrier of its route takes messages').waitFor();
  await explain('+4915112345678');
  await told.getByText('it would be sent').waitFor();
  await told
    .getByRole('row', { name: /^smsc/ })
    .getByText('No link, ECONNREFUSED', { exact: true })
    .waitFor();
  await settle(page);
  await look(page);
});
