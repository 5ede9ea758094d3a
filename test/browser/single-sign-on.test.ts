import { after, test } from 'node:test';
import { CLIENT_ID, CLIENT_SECRET } from '../portal/oidc/client.ts';
import { startProvider } from '../portal/oidc/provider.ts';
import { callbackOf } from '../portal/oidc/walk.ts';
import { OWNER } from '../portal/rig.ts';
import { heading, openWindow, startStage } from './rig/stage.ts';

const provider = await startProvider({ after });
const sso = { issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, label: 'Example' };
const stage = await startStage({ config: { portal: { oidc: { sso } } } });
provider.register([callbackOf(stage.portal.service.baseUrl)]);
await stage.portal.setUp();

test('the button leads to the provider and back into the portal', async (t) => {
  const page = await openWindow(t, stage);
  provider.person = { sub: 'olive', email: OWNER, email_verified: true };
  await page.goto(stage.address('/sign-in'));
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  // The first word of a provider for her address ended the password that she had, and the page says so; she sets another.
  await heading(page, 'Your sign-in');
  await page
    .getByText('the password, authenticator, recovery codes and passkeys that you had here have ended')
    .waitFor();
  await page.locator('input[name=password]').fill('cobalt-violin-meadow');
  await page.getByRole('button', { name: 'Set a password' }).click();
  await page.getByRole('button', { name: 'Change the password' }).waitFor();
  const name = `Unlink ${new URL(provider.issuer).host}`;
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('button', { name }).waitFor({ state: 'detached' });
});

test('an unknown person is told so, and may sign in another way', async (t) => {
  const page = await openWindow(t, stage);
  provider.person = { sub: 'stranger', email: 'stranger@example.org', email_verified: true };
  await page.goto(stage.address('/sign-in'));
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await page.getByText('Nobody here has the email address that you use there').waitFor();
  await page.locator('input[name=password]').waitFor();
});
