import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totpAt } from '../../src/portal/totp.ts';
import { OWNER, PASSWORD, read } from '../portal/rig.ts';
import { accountOf, heading, signIn, useStage } from './stage.ts';

const stage = useStage();
const stepNow = () => Math.floor(Date.now() / 30_000);

test('the printed link makes the first owner, once', async (t) => {
  const { portal, address, open } = await stage(t);
  const link = address(`/setup#${portal.setupToken()}`);
  const page = await open();
  await page.goto(address('/sign-in'));
  await page.getByText('Nobody owns this installation yet').waitFor();

  // The fragment alone would not load the page anew.
  await page.goto('about:blank');
  await page.goto(link);
  await heading(page, 'Set up');
  assert.equal(new URL(page.url()).hash, '', 'the token leaves the address');
  await page.locator('input[name=name]').fill('Olive Owner');
  await page.locator('input[name=email]').fill(OWNER);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Become the owner' }).click();
  await heading(page, 'Overview');

  const second = await open();
  await second.goto(link);
  await second.locator('input[name=name]').fill('Late Comer');
  await second.locator('input[name=email]').fill('late@example.com');
  await second.locator('input[name=password]').fill(PASSWORD);
  await second.getByRole('button', { name: 'Become the owner' }).click();
  await second.getByRole('alert').waitFor();
});

test('who guesses passwords has to wait, and is told so', async (t) => {
  const { portal, address, open } = await stage(t);
  await portal.setUp();
  const page = await open();
  await signIn(page, address('/sign-in'), OWNER, 'wrong-wrong-wrong');
  const alert = page.getByRole('alert');
  assert.doesNotMatch(await alert.innerText(), /too many/i);
  for (let guess = 0; !/too many/i.test(await alert.innerText()); guess++) {
    assert.ok(guess < 10, 'held up after a few');
    const answered = page.waitForResponse((response) => response.url().endsWith('/portal/api/session'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await answered;
    await alert.waitFor();
  }
  assert.match(await alert.innerText(), /wait|later|again/i);
});

test('a passkey is made and signs in', async (t) => {
  const { portal, address, open } = await stage(t);
  const page = await open(await portal.setUp());
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(address('/me'));
  await page.locator('input[name=name]').fill('Work laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop', { exact: true }).waitFor();

  await page.context().clearCookies();
  await page.goto(address('/sign-in'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await heading(page, 'Overview');
});

test('an authenticator is set up from what the page shows, and asked for', async (t) => {
  const { portal, address, open } = await stage(t);
  const page = await open(await portal.setUp());
  await page.goto(address('/me'));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await dialog.locator('input[name=code]').fill(totpAt(secret, stepNow()));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = (await dialog.getByRole('textbox', { name: 'Secret' }).innerText()).trim().split(/\s+/);
  assert.equal(codes.length, 10);
  await dialog.getByRole('button', { name: 'I have stored them' }).click();

  await page.context().clearCookies();
  await signIn(page, address('/sign-in'), OWNER, PASSWORD);
  await heading(page, 'Second factor');
  // The one of now is spent.
  await page.locator('input[name=code]').fill(totpAt(secret, stepNow() + 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, 'Overview');
});

test('a viewer is offered nothing that changes, and refused what is not offered', async (t) => {
  const { portal, address, open } = await stage(t);
  const owner = await portal.setUp();
  const viewer = await portal.join(owner, 'viewer', 'vera@example.com');
  const account = await accountOf(owner);
  const page = await open(viewer);
  for (const [path, title] of [
    ['keys', 'API keys'],
    ['people', 'People'],
    ['settings', 'Settings'],
  ] as const) {
    await page.goto(address(`${account}/${path}`));
    await heading(page, title);
    await page.waitForLoadState('networkidle');
    const offered = page.locator('main').getByRole('button', { name: /create|invite|remove|save/i });
    assert.equal(await offered.count(), 0, path);
  }
  assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0);
  const invitation = { email: 'friend@example.com', role: 'owner' };
  // Asked by the page itself, with everything that a browser sends.
  const status = await page.evaluate(
    `fetch('/portal/api${account}/invitations', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(invitation)}',
    }).then(({ status }) => status)`,
  );
  assert.equal(status, 403);
});

test('an account of others is as if it did not exist', async (t) => {
  const { portal, address, open } = await stage(t);
  const owner = await portal.setUp();
  const guest = await portal.join(owner, 'developer', 'dev@example.com');
  const made = read<{ id: string }>(await owner.post('/portal/api/accounts', { name: 'Secret lab' }));
  const page = await open(guest);
  await page.goto(address(`/accounts/${made.id}/keys`));
  await heading(page, 'There is nothing here');
  assert.doesNotMatch(await page.content(), /Secret lab/);
  assert.equal((await guest.get(`/portal/api/accounts/${made.id}/keys`)).status, 404);
});
