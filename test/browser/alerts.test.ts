/** The page of alerts, with a real mail server and a real webhook. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../acceptance/client.ts';
import { openMailServer } from '../alerts/mail-server.ts';
import { LOOPBACK, openEndpoint } from '../events/endpoint.ts';
import { read } from '../portal/rig.ts';
import { look, WIDE } from './rig/look.ts';
import { accountOf, heading, openWindow, settle, startStage, untilCount } from './rig/stage.ts';

const [mail, endpoint] = await Promise.all([
  openMailServer({ disabledCommands: ['STARTTLS'] }),
  openEndpoint(),
]);
after(() => Promise.all([mail, endpoint].map((server) => server[Symbol.asyncDispose]())));
const stage = await startStage({
  quick: true,
  config: {
    webhooks: { privateNetworks: LOOPBACK },
    alerts: { rules: { spendHigh: false, signInsFailed: 7 } },
    smtp: { host: 'localhost', port: mail.port, encryption: 'none', from: 'alerts@example.org' },
  },
});
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const PAGE = stage.address(`${account}/alerts`);

const PATIENCE_MS = 30_000;

interface Alerts {
  readonly firing: readonly {
    readonly detail: string;
    readonly told: readonly { readonly sent_at: string | null }[];
  }[];
}

/** Waits until it holds of what fires: the page asks only now and then. */
async function untilFiring(holds: (firing: Alerts['firing']) => boolean): Promise<void> {
  const held = await eventually(async () => {
    const { firing } = read<Alerts>(await owner.get(`/portal/api${account}/alerts`));
    return holds(firing) || undefined;
  }, PATIENCE_MS);
  assert.ok(held);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function lookAt(page: Page, picture?: string): Promise<void> {
  await settle(page);
  await look(page, picture);
  await page.setViewportSize(WIDE);
}

test('an empty page teaches, people and a webhook are told, and what fires is shown', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: [400], reducedMotion: 'reduce' });
  const dialog = page.getByRole('dialog');
  await page.goto(PAGE);
  await page.getByText('Nothing fires').waitFor();
  await page.getByText('Nothing fired').waitFor();
  await lookAt(page);

  const places = page.getByRole('list', { name: 'Who is told' });
  await press(page, 'Send mail to me');
  await press(page, 'Send a test to me');
  await page.getByText('The test was sent').waitFor();
  const [tested] =
    (await eventually(async () => (mail.received.length > 0 ? mail.received : undefined))) ?? [];
  assert.deepEqual(tested?.to, [stage.portal.owner]);

  await press(page, 'Add a webhook');
  await dialog.locator('input[name=url]').fill('https://10.0.0.1/');
  await press(page, 'Add the webhook');
  await dialog.getByText('must be on the public Internet').waitFor();
  await lookAt(page);
  await dialog.locator('input[name=url]').fill(`${endpoint.url}precious`);
  await press(page, 'Add the webhook');
  const secret = (await dialog.getByRole('textbox', { name: 'Secret' }).innerText()).trim();
  endpoint.secrets = [secret];
  await press(page, 'I have copied it');
  await places.getByText(new URL(endpoint.url).host).waitFor();
  const content = await page.content();
  assert.ok(!content.includes(secret) && !content.includes('precious'), 'neither is shown again');
  endpoint.behave((_, response) => void response.writeHead(500).end());
  await press(page, 'Send a test');
  await places.getByText('It was not taken: HTTP 500.').waitFor();
  endpoint.behave((_, response) => void response.writeHead(200).end());

  // Somebody becomes an owner.
  await stage.portal.join(owner, 'owner', 'olga@example.com');
  await untilFiring(([alert]) => alert?.told.filter(({ sent_at }) => sent_at !== null).length === 2);
  await page.reload();
  const firing = page.getByRole('list', { name: 'Firing now' });
  await firing.getByText('olga@example.com joined as an owner.').waitFor();
  await page.getByRole('navigation').getByLabel('1 firing').waitFor();
  await firing.getByText(/Told to .*the webhook|Told to the webhook/).waitFor();
  assert.ok(mail.received.some(({ source }) => source.includes('Firing: New owner')));
  assert.equal(endpoint.faults.length, 0);
  const { firing: count } = read<{ firing: number }>(await owner.get(`/portal/api${account}/alerts/count`));
  assert.equal(count, 1);
  await lookAt(page, 'alerts');

  await firing.getByRole('link', { name: 'What happened' }).click();
  await heading(page, 'People');
});

test('the rules are shown as the configuration has them, what is over is history, and a webhook is removed', async (t) => {
  const now = Date.now();
  using db = new DatabaseSync(join(stage.portal.service.dataDir, 'countersign.db'), { timeout: 20_000 });
  db.prepare(
    `INSERT INTO alert (id, account_id, rule, subject, detail, place, bad_since, firing_since, over_at)
      VALUES ('alr_over', '', 'queue-late', 'queue', 'The oldest message waited for 90 seconds.', 'alerts', ?, ?, ?)`,
  ).run(now - 2, now - 2, now - 1);
  read(await owner.send('PUT', `/portal/api${account}/alerts/webhook`, { url: endpoint.url }));
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce' });
  await page.goto(PAGE);
  const rules = page.getByRole('table', { name: 'Rules' });
  const row = (name: string) => rules.getByRole('row', { name: new RegExp(`^${name} `) });
  await row('Spend is unusual').getByText('Off').waitFor();
  await row('Carrier down').getByText('Installation').waitFor();
  await row('Failed sign-ins').getByText('7 passwords or codes').waitFor();
  await untilCount(rules.getByRole('button'), 0);
  const history = page.getByRole('table', { name: 'The last 90 days' });
  await history.getByText('The oldest message waited for 90 seconds.').waitFor();
  await lookAt(page);
  await press(page, 'Remove the webhook');
  await press(page, 'Remove it');
  await page.getByText('The webhook is removed').waitFor();
});

test('a viewer sees everything and can change nothing', async (t) => {
  const viewer = await stage.portal.join(owner, 'viewer', 'vera@example.com');
  const page = await openWindow(t, stage, { as: viewer });
  await page.goto(PAGE);
  await page.getByRole('table', { name: 'Rules' }).waitFor();
  await settle(page);
  await untilCount(page.getByRole('main').getByRole('button'), 0);
});

test('an alert that no other page explains has no link', async (t) => {
  const now = Date.now();
  using db = new DatabaseSync(join(stage.portal.service.dataDir, 'countersign.db'), { timeout: 20_000 });
  // Messages that are late count for five minutes after they were sent.
  db.prepare(
    `INSERT INTO alert (id, account_id, rule, subject, detail, place, bad_since, firing_since)
      VALUES ('alr_late', '', 'queue-late', 'queue', 'The oldest message waits for 90 seconds.', 'alerts', ?, ?)`,
  ).run(now, now);
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(PAGE);
  const late = page
    .getByRole('list', { name: 'Firing now' })
    .getByRole('listitem')
    .filter({ hasText: 'Messages are late' });
  await late.getByText('Installation').waitFor();
  await untilCount(late.getByRole('link'), 0);
});
