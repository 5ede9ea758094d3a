/** Somebody who has just started the service, and clicks their way to a first code, and to a first real message. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { askForReload } from '../../src/cli/control-socket.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { OWNER, PASSWORD } from '../portal/rig.ts';
import { look, WIDE } from './rig/look.ts';
import { accountOf, openWindow, settle, startStage, untilCount } from './rig/stage.ts';

const MOST_TO_A_CODE = 5;
const MOST_TO_A_MESSAGE = 15;
/** In the address, in a body and in a header, as gateways have them. */
const [IN_ADDRESS, IN_BODY, IN_HEADER] = ['k-address-8842', 'k-body-1177', 'k-header-5521'];

const gateway = await openGateway();
const folder = await mkdtemp(join(tmpdir(), 'countersign-newcomer-'));
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const file = join(folder, 'countersign.yaml');
await writeFile(file, '# Nothing yet.\n');
const stage = await startStage({ env: { COUNTERSIGN_CONFIG: file } });

/** Counts what a person does with the mouse; typing is not counted, choosing from a list is. */
class Hand {
  clicks = 0;

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  async choose(target: Locator, value: string): Promise<void> {
    this.clicks++;
    await target.selectOption(value);
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** What the button puts on the clipboard, a moment after it was pressed. */
async function copy(page: Page, hand: Hand): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await hand.click(button(page, 'Copy'));
  const read = () => page.evaluate<string>('navigator.clipboard.readText()');
  return (await eventually(async () => (await read()) || undefined)) ?? '';
}

test('from the printed link to a first code, and to a first message over a carrier', async (t) => {
  const page = await openWindow(t, stage, { reducedMotion: 'reduce', viewport: WIDE, sendsCodes: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const hand = new Hand();
  let key = '';

  await t.test(`a code is confirmed within ${MOST_TO_A_CODE} clicks`, async () => {
    await page.goto(stage.address(`/setup#${stage.portal.setupToken()}`));
    await page.locator('input[name=name]').fill('Nora Newcomer');
    await page.locator('input[name=email]').fill(OWNER);
    await page.locator('input[name=password]').fill(PASSWORD);
    await hand.click(button(page, 'Become the owner'));
    await hand.click(page.getByRole('link', { name: 'See a code arrive' }));
    await hand.click(button(page, 'Make a test key and send the code'));
    await hand.click(button(page, 'Use this code'));
    await hand.click(button(page, 'Confirm'));
    await page.getByRole('group', { name: 'Answer' }).getByText('confirmed_at').waitFor();
    t.diagnostic(`${hand.clicks} clicks to the first confirmed code`);
    assert.ok(hand.clicks <= MOST_TO_A_CODE, `${hand.clicks} clicks`);
  });

  await t.test(`a message reaches a gateway within ${MOST_TO_A_MESSAGE} clicks and one reload`, async () => {
    await hand.click(page.getByRole('link', { name: 'Carriers', exact: true }));
    await hand.click(button(page, 'Add a carrier or a route'));
    await hand.choose(page.getByLabel('What to add'), 'http');
    await describeGateway(page, 'gateway');
    await hand.click(button(page, 'Write the lines'));
    const written = await copy(page, hand);
    await page.getByText(file).first().waitFor();

    // What the person does outside of the browser.
    await writeFile(file, written);
    assert.equal((await askForReload(stage.portal.service.dataDir))?.ok, true);
    await page.getByText('gateway is in force').waitFor();
    await button(page, 'send a test over gateway').click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    assert.equal(await dialog.getByLabel('Carrier').inputValue(), 'gateway');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await untilCount(dialog, 0);

    await hand.click(page.getByRole('link', { name: 'API keys' }));
    await hand.click(button(page, 'Create a key'));
    await page.getByRole('dialog').getByLabel('Name').fill('Checkout');
    await hand.choose(page.getByLabel('Kind'), 'false');
    await hand.click(button(page, 'Create the key'));
    key = await copy(page, hand);
    // From the person's own server.
    const number = freshNumber();
    assert.equal((await stage.portal.service.client.verify(number, 'sms', { key })).status, 200);
    const arrived = await eventually(async () => gateway.received.find(({ to }) => to === number));
    assert.ok(arrived !== undefined);
    t.diagnostic(`${hand.clicks} clicks to the first real message`);
    assert.ok(hand.clicks <= MOST_TO_A_MESSAGE, `${hand.clicks} clicks`);
  });

  await t.test(
    'then the pages say that messages reach telephones, and of calls that they do not',
    async () => {
      await button(page, 'I have copied it').click();
      await page.getByRole('link', { name: 'Overview', exact: true }).click();
      const step = (title: string) => page.getByRole('listitem').filter({ hasText: title });
      await step('Configure a carrier').getByText(', done').waitFor();
      await step('Send a first real message').getByText(', done').waitFor();
      const notice = page.getByRole('note').filter({ hasText: 'the simulator' });
      await notice.getByText('Calls still go to the simulator').waitFor();
      await untilCount(page.getByText('Live keys reach only the simulator'), 0);
      await untilCount(notice.locator('strong'), 0);
      await settle(page);
      await look(page);
      await page.setViewportSize(WIDE);

      // Somebody is called, or so the service says.
      assert.equal((await stage.portal.service.client.verify(freshNumber(), 'voice', { key })).status, 200);
      await notice.locator('strong').getByText('Calls still go to the simulator').waitFor();
      await look(page);
    },
  );
});

test('nothing of what is typed leaves the browser, and what is wrong is told at its field', async (t) => {
  const owner = stage.portal.visitor();
  assert.equal((await owner.post('/portal/api/session', { email: OWNER, password: PASSWORD })).status, 200);
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce', viewport: WIDE });
  const sent: string[] = [];
  page.on('request', (request: Request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto(stage.address(`${await accountOf(owner)}/carriers`));
  await button(page, 'Add a carrier or a route').click();
  await page.getByLabel('What to add').selectOption('http');
  await describeGateway(page, 'gateway');
  await page.locator('details', { hasText: 'bearer' }).locator('summary').click();
  await button(page, 'Add a name').first().click();
  await page.getByLabel('Headers, row 1: name').fill('x-key');
  await page.getByLabel('Headers, row 1: value').fill(IN_HEADER);
  await page.locator('[name="carrier.bearer"]').check();
  await chooseCountries(page, 'United Kingdom', 'Germany');
  const wrongAt = (name: string) => page.locator(`[name="${name}"][aria-invalid=true]`);
  await button(page, 'Write the lines').click();
  await wrongAt('name').waitFor();
  await page.getByText('is the name of a carrier that is there already').first().waitFor();
  await look(page);
  await page.setViewportSize(WIDE);
  await page.locator('input[name=name]').fill('second');
  await page.getByLabel('Also ask').selectOption({ label: 'gateway' });
  await page.getByLabel('Share of second').fill('30');
  await page.getByLabel('Share of gateway').fill('70');
  await button(page, 'Move gateway up').click();
  await button(page, 'Write the lines').click();
  const written = await page.getByRole('textbox', { name: 'Configuration' }).innerText();
  for (const typed of [IN_ADDRESS, IN_BODY, IN_HEADER])
    assert.ok(written.includes(typed), 'it is in the text');
  assert.match(written, /bearerFile: .*\/run\/secrets\/second-bearer/);
  assert.match(written, /carriers: \[gateway, second\]\n {4}weights: \{ gateway: 70, second: 30 \}/);
  assert.match(
    written,
    /Under the line “routes:” that is there, above every route that would take its messages/,
  );
  await page.getByText('/run/secrets/second-bearer', { exact: true }).waitFor();
  await settle(page);
  await look(page);
  await page.getByText('countersign config check', { exact: true }).waitFor();
  const asked = page.getByRole('heading', { name: 'What these countries ask of SMS' }).locator('..');
  await asked.getByText('names: must be registered').first().waitFor();
  for (const each of sent) {
    for (const secret of [IN_ADDRESS, IN_BODY, IN_HEADER]) assert.ok(!each.includes(secret), each);
  }
  await page.setViewportSize(WIDE);
  const origins = page.locator('details', { hasText: 'options are set' });
  await origins.locator('summary').click();
  await origins.getByRole('row', { name: /^gateway: URL carriers\.gateway\.url File/ }).waitFor();
});

test('a route is put under those that are there, and the page says when it is taken', async (t) => {
  const owner = stage.portal.visitor();
  assert.equal((await owner.post('/portal/api/session', { email: OWNER, password: PASSWORD })).status, 200);
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce', viewport: WIDE });
  await page.goto(stage.address(`${await accountOf(owner)}/carriers`));
  await button(page, 'Add a carrier or a route').click();
  await page.getByLabel('What to add').selectOption({ label: 'Only a route, to carriers that are there' });
  await page.locator('[name="route.channel"]').selectOption('voice');
  await chooseCountries(page, 'France');
  await button(page, 'Write the lines').click();
  const lines = await page.getByRole('textbox', { name: 'Configuration' }).innerText();
  const [head = '', ...rest] = lines.split('\n');
  assert.match(head, /above every route that would take its messages/);

  // As the first line says: above the route of calls.
  const before = await readFile(file, 'utf8');
  const place = before.indexOf('  - channel: voice');
  const refused = `${before}\nports: 1\n`;
  await writeFile(file, refused);
  assert.equal((await askForReload(stage.portal.service.dataDir))?.ok, false);
  await page.getByText('The service refused its new configuration').waitFor();
  await writeFile(file, `${before.slice(0, place)}${rest.join('\n')}\n${before.slice(place)}`);
  assert.equal((await askForReload(stage.portal.service.dataDir))?.ok, true);
  await page.getByText('The route is in force').waitFor();
  await page.getByRole('link', { name: 'Routes', exact: true }).click();
  await page.getByRole('table', { name: 'Routes' }).getByText('France').waitFor();
});

async function describeGateway(page: Page, name: string): Promise<void> {
  await page.locator('input[name=name]').fill(name);
  await page.locator('[name="carrier.url"]').fill(`${gateway.url}?key=${IN_ADDRESS}`);
  const body = { to: '{{to}}', text: '{{text}}', code: '{{code}}', id: '{{id}}', key: IN_BODY };
  await page.locator('[name="carrier.json"]').fill(JSON.stringify(body));
}

async function chooseCountries(page: Page, ...names: readonly string[]): Promise<void> {
  const countries = page.getByRole('combobox', { name: 'Countries' });
  for (const name of names) {
    await countries.fill(name);
    await countries.press('Enter');
  }
}
