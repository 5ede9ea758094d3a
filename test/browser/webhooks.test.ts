/** The pages of webhooks, with a real endpoint. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { LOOPBACK, openEndpoint } from '../events/endpoint.ts';
import { read } from '../portal/rig.ts';
import { look, WIDE } from './rig/look.ts';
import { accountOf, heading, makeKey, openWindow, settle, startStage, untilCount } from './rig/stage.ts';

const stage = await startStage({ config: { webhooks: { privateNetworks: LOOPBACK } } });
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const PAGE = stage.address(`${account}/webhooks`);
const { client } = stage.portal.service;
const endpoint = await openEndpoint();
after(() => endpoint[Symbol.asyncDispose]());

const answer = (status: number) => endpoint.behave((_, response) => void response.writeHead(status).end());
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Looks at the page in every way, and goes on with a wide one. */
async function lookAt(page: Page): Promise<void> {
  await look(page);
  await page.setViewportSize(WIDE);
}

/** The secret that a dialog shows; from then on the endpoint trusts it alone. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.getByRole('textbox', { name: 'Secret' }).innerText()).trim();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  endpoint.secrets = [secret];
  return secret;
}

/** Adds an endpoint over the portal's API. */
const add = async (url: string) =>
  read<{ webhook: { id: string; url: string }; secret: string }>(
    await owner.post(`/portal/api${account}/webhooks`, { url, types: [] }),
  );

test('an endpoint is added, tried out, and told what happens; its messages are shown and sent again', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: [400], reducedMotion: 'reduce' });
  const dialog = page.getByRole('dialog');
  await page.goto(PAGE);
  await page.getByText('No endpoints').waitFor();
  await press(page, 'Add an endpoint');
  await dialog.locator('input[name=url]').fill('https://10.0.0.1/');
  await press(page, 'Add the endpoint');
  await dialog.getByText('must be on the public Internet').waitFor();
  await lookAt(page);
  await dialog.locator('input[name=url]').fill(endpoint.url);
  await dialog.getByLabel('Requested verification.requested').check();
  await press(page, 'Add the endpoint');
  await dialog.getByText('Give it to your server').waitFor();
  const secret = await takeSecret(page);
  assert.equal((await page.content()).includes(secret), false, 'shown until it is copied');

  await page.getByRole('link', { name: endpoint.url }).click();
  await heading(page, 'Endpoint');
  await page.getByText('No messages').waitFor();
  await press(page, 'Send a test');
  const messages = page.getByRole('table', { name: 'Messages' });
  await messages.getByRole('row', { name: /webhook\.test .*Accepted Tried once/ }).waitFor();
  assert.equal(endpoint.received.length, 1);
  await page.getByText('Works').waitFor();

  const number = freshNumber();
  const key = await makeKey(owner, account, 'Checkout', false);
  assert.equal((await client.verify(number, 'sms', { key })).status, 200);
  const row = messages.getByRole('row', { name: /verification\.requested .*Accepted/ });
  await row.waitFor();
  await row.getByRole('button', { name: /^Requested verification\.requested of/ }).click();
  const body = dialog.getByRole('textbox', { name: 'Body' });
  await body.waitFor();
  assert.deepEqual(JSON.parse(await body.innerText()), JSON.parse(endpoint.received[1]?.body ?? ''));
  assert.ok(!(await page.content()).includes(number.slice(3)), 'masked');
  await lookAt(page);
  await press(page, 'Send it again');
  await page.getByText('It is sent again').waitFor();
  const sent = await eventually(async () => endpoint.received[2]);
  assert.equal(sent?.id, endpoint.received[1]?.id, 'under the same id');
  // What waits is not sent again.
  await row.waitFor();
  assert.deepEqual(endpoint.faults, []);

  await settle(page);
  await lookAt(page);
  await press(page, 'Send many again…');
  await dialog.getByLabel('Also those that your server took').check();
  await press(page, 'Send them again');
  await page.getByText('2 messages are sent again').waitFor();
  assert.ok((await eventually(async () => endpoint.received[4])) !== undefined);
});

test('a secret is shown again and rotated, and a disabled endpoint says why and is enabled', async (t) => {
  const { webhook, secret } = await add(`${endpoint.url}second`);
  // A try that was due may be answered 410 before the test that is asked for: then this is refused.
  const page = await openWindow(t, stage, { as: owner, provokes: [409], reducedMotion: 'reduce' });
  const dialog = page.getByRole('dialog');
  await page.goto(`${PAGE}/${webhook.id}`);
  await heading(page, 'Endpoint');
  await press(page, 'Show the secret');
  await press(page, 'Show it');
  assert.equal(await takeSecret(page), secret);
  await press(page, 'Rotate the secret');
  await press(page, 'Rotate it');
  await dialog.getByText(/messages are signed with the previous one, too/).waitFor();
  assert.notEqual(await takeSecret(page), secret);
  await page.getByText(/^Rotated\. Until .* the previous one signs, too\./).waitFor();

  answer(500);
  await press(page, 'Send a test');
  // A page that is slow to ask finds the second try, which follows after five seconds.
  await page
    .getByRole('row', { name: /webhook\.test .*Waiting Tried (once|2 times): HTTP 500; next try/ })
    .waitFor();
  await page.getByText(/Nothing but failures since .* the last one: HTTP 500/).waitFor();
  await page.getByRole('button', { name: /^Test webhook\.test of/ }).click();
  await dialog
    .getByRole('listitem')
    .filter({ hasText: /: HTTP 500$/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await settle(page);
  await lookAt(page);
  answer(410);
  await press(page, 'Send a test');
  await page.getByText(/It answered 410 \(gone\)/).waitFor();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
  const listed = page.getByRole('listitem').filter({ hasText: /Disabled/ });
  await listed.getByText('Nothing is sent to it.').waitFor();
  await listed.getByRole('link').click();
  answer(204);
  await press(page, 'Enable');
  await page.getByRole('button', { name: 'Disable', exact: true }).waitFor();
  await press(page, 'Send a test');
  await page.getByText('Works').waitFor();
  await press(page, 'Change');
  await dialog.getByLabel('delivery.failed').check();
  await press(page, 'Save');
  await page.getByRole('definition').filter({ hasText: 'Failed' }).waitFor();
  await press(page, 'Disable');
  await press(page, 'Disable it');
  await page.getByText('Somebody disabled it.').waitFor();
  await press(page, 'Remove');
  await press(page, 'Remove it');
  await heading(page, 'Webhooks');
  await settle(page);
  await untilCount(page.getByRole('link', { name: webhook.url }), 0);
});

test('a viewer sees endpoints and messages and can change nothing', async (t) => {
  const { webhook } = await add(`${endpoint.url}third`);
  await owner.post(`/portal/api${account}/webhooks/${webhook.id}/test`);
  const viewer = await stage.portal.join(owner, 'viewer', 'vera@example.com');
  const page = await openWindow(t, stage, { as: viewer });
  await page.goto(PAGE);
  const link = page.getByRole('list', { name: 'Endpoints' }).getByRole('link', { name: webhook.url });
  await link.waitFor();
  await untilCount(page.getByRole('main').getByRole('button'), 0);
  await link.click();
  await heading(page, 'Endpoint');
  const buttons = page.getByRole('main').getByRole('button');
  await page
    .getByRole('button', { name: /^Test webhook\.test of/ })
    .first()
    .waitFor();
  for (const name of await buttons.allInnerTexts()) assert.match(name, /^Test webhook\.test/);
});
