import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { totpAt } from '../../src/identity/factors/totp.ts';
import { ageProofs, PASSWORD } from '../portal/rig.ts';
import { heading, openWindow, signIn, startStage } from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const stepNow = () => Math.floor(Date.now() / 30_000);
const SIGN_IN = stage.address('/sign-in');

test('after too many guesses at a password there is a wait, and the page says so', async (t) => {
  await stage.portal.join(owner, 'viewer', 'guessed@example.com');
  const page = await openWindow(t, stage, { provokes: [401, 429] });
  await signIn(page, SIGN_IN, 'guessed@example.com', 'wrong-wrong-wrong');
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

test('guesses from elsewhere do not keep somebody from signing in on a device they used before', async (t) => {
  const email = 'known@example.com';
  await stage.portal.join(owner, 'viewer', email);
  const page = await openWindow(t, stage, { provokes: [401] });
  await signIn(page, SIGN_IN, email, PASSWORD);
  await heading(page, 'Overview');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in');
  const stranger = stage.portal.visitor();
  const guess = () => stranger.post('/portal/api/session', { email, password: 'wrong-wrong-wrong' });
  while ((await guess()).status !== 429);
  await signIn(page, SIGN_IN, email, PASSWORD);
  await heading(page, 'Overview');
});

/** Leaves the page first: it might ask for something without its cookies. */
async function forget(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

test('signing in always leads back to a page of the portal, whatever the address says', async (t) => {
  const email = 'back@example.com';
  await stage.portal.join(owner, 'viewer', email);
  const page = await openWindow(t, stage);
  for (const back of [
    '/..//elsewhere.example',
    '/%2e%2e//elsewhere.example',
    '/\\elsewhere.example',
    '/.//elsewhere.example',
  ]) {
    await forget(page);
    await signIn(page, `${SIGN_IN}?back=${encodeURIComponent(back)}`, email, PASSWORD);
    await heading(page, 'Overview');
    assert.match(new URL(page.url()).pathname, /^\/portal\/accounts\//, back);
  }
  await forget(page);
  await signIn(page, `${SIGN_IN}?back=${encodeURIComponent('/me?x=1')}`, email, PASSWORD);
  await heading(page, 'Your sign-in');
});

test('a passkey is made and signs in', async (t) => {
  const person = await stage.portal.join(owner, 'developer', 'pat@example.com');
  const page = await openWindow(t, stage, { as: person });
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
  await page.goto(stage.address('/me'));
  await page.locator('input[name=name]').fill('Work laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop', { exact: true }).waitFor();

  await forget(page);
  await page.goto(SIGN_IN);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await heading(page, 'Overview');
});

test('an authenticator is set up from what the page shows, and is then required; a recovery code can replace it', async (t) => {
  const email = 'tess@example.com';
  const person = await stage.portal.join(owner, 'developer', email);
  const page = await openWindow(t, stage, { as: person, provokes: [401, 403] });
  await page.goto(stage.address('/me'));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await dialog.locator('input[name=code]').fill(totpAt(secret, stepNow()));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const shown = await dialog.getByRole('textbox', { name: 'Secret' }).innerText();
  const [recoveryCode = '', ...others] = shown.trim().split(/\s+/);
  assert.equal(others.length, 9);
  await dialog.getByRole('button', { name: 'I have stored them' }).click();

  const enter = async (code: string) => {
    await page.context().clearCookies();
    await signIn(page, SIGN_IN, email, PASSWORD);
    await heading(page, 'Second factor');
    await page.locator('input[name=code]').fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  // The current one is used up.
  await enter(totpAt(secret, stepNow() + 1));
  await heading(page, 'Overview');
  await enter(recoveryCode);
  await heading(page, 'Overview');
  await page.goto(stage.address('/me'));
  await page.getByText('You have 9 recovery codes left').waitFor();
  await enter(recoveryCode);
  await page.getByRole('alert').waitFor();
});

test('the link that the command line prints sets a new password, and ends earlier ways to sign in', async (t) => {
  const email = 'rosa@example.com';
  const person = await stage.portal.join(owner, 'developer', email);
  const printed = await stage.portal.service.command('portal', 'reset', '--email', email);
  const [link = ''] = /https:\S+#\S+/.exec(printed) ?? [];
  const page = await openWindow(t, stage, { provokes: [401] });
  await page.goto(link);
  await heading(page, 'Choose a new password');
  assert.equal(new URL(page.url()).hash, '', 'the token leaves the address');
  await page.locator('input[name=password]').fill('another-harbour-lantern');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await heading(page, 'Your sign-in');
  assert.equal((await person.get('/portal/api/me')).status, 401);

  await page.context().clearCookies();
  await signIn(page, SIGN_IN, email, PASSWORD);
  await page.getByRole('alert').waitFor();
  await signIn(page, SIGN_IN, email, 'another-harbour-lantern');
  await heading(page, 'Overview');
});

test('signing out everywhere ends every session', async (t) => {
  const email = 'eve@example.com';
  const elsewhere = await stage.portal.join(owner, 'viewer', email);
  const page = await openWindow(t, stage, { provokes: [401] });
  await signIn(page, SIGN_IN, email, PASSWORD);
  await heading(page, 'Overview');
  await page.goto(stage.address('/me'));
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await sessions.nth(1).waitFor();
  assert.equal((await elsewhere.get('/portal/api/me')).status, 200);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await heading(page, 'Sign in');
  assert.equal((await elsewhere.get('/portal/api/me')).status, 401);
});

test('after a while, a change of sign-in methods asks for proof of identity, and then goes on', async (t) => {
  const person = await stage.portal.join(owner, 'developer', 'late@example.com');
  const page = await openWindow(t, stage, { as: person, provokes: [400, 403] });
  await page.goto(stage.address('/me'));
  const turnOn = page.getByRole('button', { name: 'Turn on' });
  await turnOn.waitFor();
  ageProofs(stage.portal, 11);
  await turnOn.click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const password = question.getByRole('textbox', { name: 'Password' });
  const prove = question.getByRole('button', { name: 'Continue' });
  await password.fill('wrong-wrong-wrong');
  await prove.click();
  await question.getByText('is not your password').waitFor();
  await password.fill(PASSWORD);
  await prove.click();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  assert.equal(await question.count(), 0);
  await page.keyboard.press('Escape');

  ageProofs(stage.portal, 11);
  await page.locator('input[name=name]').fill('Work laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await question.waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('Confirm that it is you').waitFor();
});
