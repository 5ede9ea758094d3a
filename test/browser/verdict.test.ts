/** On the page of a verification an owner says what it was, changes their mind, and takes it back. */
import { test } from 'node:test';
import { OWNER, PASSWORD } from '../portal/rig.ts';
import { accountOf, heading, makeKey, openWindow, settle, signIn, startStage } from './rig/stage.ts';
import { sendCodes } from './rig/traffic.ts';

const stage = await startStage();

test('a verdict is said, replaced and taken back by its buttons', async (t) => {
  const owner = await stage.portal.setUp();
  const account = await accountOf(owner);
  await sendCodes(stage.portal.service.client, await makeKey(owner, account, 'web'), 1);
  const page = await openWindow(t, stage);
  await signIn(page, stage.address('/sign-in'), OWNER, PASSWORD);
  await heading(page, 'Overview');
  await page.goto(stage.address(`${account}/verifications`));
  await page.getByRole('table', { name: 'Verifications' }).getByRole('link').first().click();
  await heading(page, 'Verification');
  await settle(page);
  await page.getByText('Of a test key it is only kept.').waitFor();
  const press = (name: string) => page.getByRole('button', { name }).click();
  await press('It was fraud');
  await page.getByText(/^Fraud, said at/).waitFor();
  await press('It was good');
  await page.getByText(/^Good, said at/).waitFor();
  await press('Take it back');
  await page.getByRole('button', { name: 'It was fraud' }).waitFor();
  await page.getByRole('button', { name: 'Take it back' }).waitFor({ state: 'detached' });
});
