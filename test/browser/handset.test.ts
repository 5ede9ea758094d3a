import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { PASSWORD } from '../portal/rig.ts';
import { startExample } from './rig/example.ts';
import { accountOf, heading, makeKey, openWindow, startStage, untilCount } from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const HANDSET = stage.address(`${await accountOf(owner)}/handset`);

/** Requests a code with a key that the page makes. */
async function send(page: Page, channel: string): Promise<void> {
  await page.goto(HANDSET);
  await page.getByText('Listening').waitFor();
  await page.getByRole('button', { name: 'Create a test key' }).click();
  await page.getByLabel('Channel').selectOption(channel);
  await page.getByRole('button', { name: 'Send the code' }).click();
}

test('viewers see that a message arrives, but their browser gets neither its number nor its code', async (t) => {
  const viewer = await stage.portal.join(owner, 'viewer', 'vera@example.com');
  const account = await accountOf(owner);
  const [key, live] = [await makeKey(owner, account, 'Trial'), await makeKey(owner, account, 'Shop', false)];
  const page = await openWindow(t, stage, { as: viewer });
  await page.goto(HANDSET);
  await page.getByText('Listening').waitFor();
  const { client } = stage.portal.service;
  const [secret, shown] = [freshNumber(), freshNumber()];
  const kept = await client.issue(secret, 'sms', { key: live });
  const sent = await client.issue(shown, 'sms', { key });
  const message = page
    .getByRole('article')
    .filter({ hasText: shown.slice(-2) })
    .last();
  await message.waitFor();
  assert.match(await message.innerText(), /•{6}\s/);
  assert.equal(await page.getByRole('button', { name: 'Use this code' }).count(), 0);
  // What the server sends, as far as a page of this browser can read it.
  const stream = await page.evaluate<string>(`(async () => {
    const reader = (await fetch('/portal/api${account}/handset/events')).body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('${sent.id}')) text += (await reader.read()).value;
    await reader.cancel();
    return text;
  })()`);
  for (const text of [stream, await page.content()]) {
    for (const leaked of [kept.id, kept.code, secret.slice(4), sent.code, shown.slice(4)])
      assert.ok(!text.includes(leaked), leaked);
  }
});

const motions = (page: Page) =>
  page.evaluate<number>(`document.getAnimations().filter(({ playState }) => playState === 'running').length`);

test('a call rings, is spoken and written, and its code confirms', async (t) => {
  const page = await openWindow(t, stage, { as: owner, sendsCodes: true });
  await page.addInitScript(
    `window.spoken = []; speechSynthesis.speak = ({ text, lang }) => spoken.push({ text, lang })`,
  );
  await send(page, 'voice');
  const call = page.getByRole('log', { name: 'Messages' }).getByRole('article').last();
  await call.getByText('Incoming call').waitFor();
  assert.ok((await motions(page)) > 0, 'it is seen to ring');
  assert.deepEqual(await page.evaluate(`spoken`), [], 'nothing is said before it is answered');
  await call.getByRole('button', { name: 'Answer' }).click();
  const text = call.locator('[lang]');
  const written = await text.innerText();
  assert.match(written.replaceAll(/\D/g, ''), /^(\d{6})\1*$/, written);
  assert.deepEqual(await page.evaluate(`spoken`), [{ text: written, lang: await text.getAttribute('lang') }]);
  await call.getByRole('button', { name: 'Use this code' }).click();
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByRole('group', { name: 'Answer' }).getByText('confirmed_at').waitFor();
});

test('the code of an earlier message is used with the verification that it came with', async (t) => {
  const page = await openWindow(t, stage, { as: owner, sendsCodes: true });
  await send(page, 'sms');
  const messages = page.getByRole('log', { name: 'Messages' }).getByRole('article');
  const verification = page.getByLabel('Verification');
  await untilCount(page.getByRole('group', { name: 'Answer' }), 1);
  const first = await verification.inputValue();
  await page.getByLabel('Destination').fill('+447400123461');
  await page.getByRole('button', { name: 'Send the code' }).click();
  await messages.filter({ hasText: '+447400123461' }).waitFor();
  assert.ok(await eventually(async () => (await verification.inputValue()) !== first || undefined));
  const earlier = messages.filter({ hasNotText: '+447400123461' }).last();
  await earlier.getByRole('button', { name: 'Use this code' }).click();
  assert.equal(await verification.inputValue(), first);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByRole('group', { name: 'Answer' }).getByText('confirmed_at').waitFor();
});

test('people who ask for less motion see none', async (t) => {
  const page = await openWindow(t, stage, { as: owner, sendsCodes: true, reducedMotion: 'reduce' });
  await send(page, 'voice');
  await page.getByText('Incoming call').last().waitFor();
  assert.equal(await motions(page), 0, 'ringing');

  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/keys/search', (route) => held.then(() => route.continue()));
  const asked = page.waitForRequest('**/keys/search');
  await page.getByRole('link', { name: 'API keys' }).click();
  // From here on, nothing but the answer held back ends the loading: the outline of the page itself may never be seen.
  await asked;
  await page.locator('main').getByRole('status', { name: 'Loading' }).waitFor();
  assert.equal(await motions(page), 0, 'loading');
  release();
  await page.getByRole('table', { name: 'API keys' }).waitFor();
});

test('on a telephone the handset is where people wait for the message', async (t) => {
  const viewport = { width: 360, height: 780 };
  const page = await openWindow(t, stage, { as: owner, sendsCodes: true, viewport });
  await send(page, 'sms');
  // Messages of the tests before are there, too: what moves the page is the answer.
  await page.getByRole('group', { name: 'Answer' }).waitFor();
  await page.getByRole('button', { name: 'Use this code' }).last().waitFor();
  const topOf = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.y ?? 0;
  const phone = await page.getByRole('region', { name: 'Telephone' }).boundingBox();
  assert.ok(phone !== null);
  assert.ok((await topOf('2. Send a code')) < phone.y && phone.y < (await topOf('3. Confirm it')));
});

test('somebody who is signed out elsewhere is asked to sign in, and the telephone listens again', async (t) => {
  const email = 'dora@example.com';
  const person = await stage.portal.join(owner, 'developer', email);
  const page = await openWindow(t, stage, { as: person, provokes: [401] });
  await page.goto(HANDSET);
  await page.getByText('Listening').waitFor();
  assert.equal((await person.send('DELETE', '/portal/api/session')).status, 204);
  const again = page.getByRole('dialog', { name: 'You were signed out' });
  await again.locator('input[name=email]').fill(email);
  await again.locator('input[name=password]').fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await untilCount(again, 0);
  await page.getByText('Listening').waitFor();
});

test('a telephone that was refused while the service was busy connects later', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: [503] });
  let refusals = 0;
  await page.route('**/handset/events', (route) =>
    ++refusals === 1 ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await page.goto(HANDSET);
  await page.getByText('Listening').waitFor();
  assert.ok(refusals > 1);
});

test('an application on the same host confirms its codes, and signs nobody out of the portal', async (t) => {
  const key = await makeKey(owner, await accountOf(owner), 'Application');
  const { service } = stage.portal;
  const example = await startExample(service, key);
  t.after(() => example.end());
  const page = await openWindow(t, stage, { as: owner });
  const application = await page.context().newPage();
  await application.goto(example.origin);
  const destination = freshNumber();
  await application.locator('#number').fill(destination);
  await application.locator('#number').press('Enter');
  await application.locator('#code').waitFor();
  await page.goto(HANDSET);
  await page.getByText('Listening').waitFor();
  const code = await eventually(async () => (await service.client.messages(destination, { key }))[0]?.code);
  await application.locator('#code').fill(code ?? '');
  await application.getByText(`You are signed in as ${destination}.`).waitFor();
  await page.reload();
  await heading(page, 'Handset');
});
