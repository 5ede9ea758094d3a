import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, PASSWORD } from '../portal/rig.ts';
import { heading, openWindow, startStage } from './rig/stage.ts';

const stage = await startStage();

test('the printed link makes the first owner, once', async (t) => {
  const link = stage.address(`/setup#${stage.portal.setupToken()}`);
  const page = await openWindow(t, stage);
  await page.goto(stage.address('/sign-in'));
  await page.getByText('This installation has no owner yet').waitFor();

  // A change of only the fragment would not reload the page.
  await page.goto('about:blank');
  await page.goto(link);
  await heading(page, 'Set up');
  assert.equal(new URL(page.url()).hash, '', 'the token leaves the address');
  await page.locator('input[name=name]').fill('Olive Owner');
  await page.locator('input[name=email]').fill(OWNER);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Become the owner' }).click();
  await heading(page, 'Overview');

  const second = await openWindow(t, stage, { provokes: [403] });
  await second.goto(link);
  await second.locator('input[name=name]').fill('Late Comer');
  await second.locator('input[name=email]').fill('late@example.com');
  await second.locator('input[name=password]').fill(PASSWORD);
  await second.getByRole('button', { name: 'Become the owner' }).click();
  await second.getByRole('alert').waitFor();
});
