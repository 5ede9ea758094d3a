/** What an account refuses by look-ups: set in its settings, and said where a number is looked into. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from '../portal/rig.ts';
import { look } from './rig/look.ts';
import { addAccount, openWindow, startStage } from './rig/stage.ts';

const stage = await startStage({
  config: {
    currency: 'EUR',
    lookups: {
      lines: { type: 'telnyx', apiKey: 'KEY-1', price: 0.005 },
      swaps: {
        ...{ type: 'http', url: 'http://127.0.0.1:9/{{to}}', price: 0.02 },
        swapped: { path: 'swapped' },
      },
    },
  },
});
const owner = await stage.portal.setUp();

test('numbers to refuse are set and shown, and only what a look-up can tell', async (t) => {
  const made = await addAccount(owner, 'Bank');
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${made}/settings`));
  const hours = page.getByLabel('SIM swapped within hours');
  await hours.waitFor();
  assert.equal(await page.getByText('Number with another subscriber').count(), 0, 'nobody can tell');
  await hours.fill('72');
  await page.getByLabel('Number from another carrier within hours').fill('48');
  const types = page.getByRole('combobox', { name: 'Types of line' });
  await types.fill('voip');
  await types.press('Enter');
  await look(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('saved and are in use').waitFor();
  await page.reload();
  await page.getByRole('list', { name: 'Chosen types of line' }).getByText('VoIP', { exact: true }).waitFor();
  assert.equal(await hours.inputValue(), '72');
  const { settings } = read<{ settings: { refuse: unknown } }>(
    await owner.get(`/portal/api${made}/settings`),
  );
  assert.deepEqual(settings.refuse, {
    ...{ swapped_within_hours: 72, ported_within_hours: 48 },
    ...{ line_types: ['voip'], recycled: false },
  });
});
