/** What people come to the portal for is three presses away from the overview at most, with a mouse and with the keyboard alone. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { answer, openGateway } from '../faults/gateway.ts';
import { read } from '../portal/rig.ts';
import { addCounts, hourAgo } from './rig/counts.ts';
import { WIDE } from './rig/look.ts';
import { accountOf, heading, makeKey, openWindow, settle, startStage } from './rig/stage.ts';

const MOST_PRESSES = 3;
const MOST_TABS = 400;

const gateway = await openGateway();
after(() => gateway[Symbol.asyncDispose]());
gateway.behave((_message, ...rest) => answer(400)(_message, ...rest));

const stage = await startStage({
  config: {
    carriers: { gateway: gateway.carrier },
    routes: [{ channel: 'sms', carriers: ['gateway'] }],
    limits: { sendsPerDestination: ['9/10m'] },
  },
});
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const key = await makeKey(owner, account, 'Shop', false);
const { client, dataDir } = stage.portal.service;

const lost = freshNumber();
assert.equal((await client.verify(lost, 'sms', { key })).status, 200);
assert.ok(await eventually(async () => (gateway.received.length > 0 ? true : undefined)));
await owner.send('PUT', `/portal/api${account}/settings`, {
  ...read<{ settings: object }>(await owner.get(`/portal/api${account}/settings`)).settings,
  name: 'Harbour office',
});
const unwanted = freshNumber();
await owner.post(`/portal/api${account}/do-not-send/numbers`, { number: unwanted });
const yesterday = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;
const hoursAgo = Math.round((hourAgo(0) - yesterday) / 3_600_000);
addCounts(dataDir, account.slice('/accounts/'.length), [
  { hoursAgo, country: 'BR', requested: 40 },
  { hoursAgo, country: 'BR', carrier: 'gateway', submitted: 40, confirmed: 30, cost: 1_230_000 },
]);

/** How somebody works: `press` counts, typing does not. */
interface Hand {
  presses: number;
  press(target: Locator): Promise<void>;
  fill(target: Locator, text: string): Promise<void>;
}

const mouse = (): Hand => ({
  presses: 0,
  async press(target) {
    this.presses++;
    await target.click();
  },
  fill: (target, text) => target.fill(text),
});

/** Reaches everything by Tab, and presses it by Enter; a switch by Space. */
function keyboard(page: Page): Hand {
  const reach = async (target: Locator) => {
    await target.waitFor();
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${target} is not reached by Tab`);
  };
  return {
    presses: 0,
    async press(target) {
      this.presses++;
      await reach(target);
      await page.keyboard.press((await target.getAttribute('role')) === 'switch' ? 'Space' : 'Enter');
    },
    async fill(target, text) {
      await reach(target);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
  };
}

const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

interface Task {
  readonly name: string;
  readonly do: (page: Page, hand: Hand, by: string) => Promise<void>;
}

const TASKS: readonly Task[] = [
  {
    name: 'why a number got no code',
    async do(page, hand) {
      await hand.press(button(page, 'Jump to…'));
      await hand.fill(page.getByRole('dialog').getByRole('combobox'), lost);
      // The first place is chosen already.
      await page.keyboard.press('Enter');
      hand.presses++;
      const rows = page.getByRole('table', { name: 'Verifications' }).locator('tbody tr');
      await rows.getByText('gateway').waitFor();
      await hand.press(rows.getByRole('link').first());
      await page.getByText('gateway refused it').waitFor();
    },
  },
  {
    name: 'why a number that is not sent to got no code',
    async do(page, hand) {
      await hand.press(button(page, 'Jump to…'));
      await hand.fill(page.getByRole('dialog').getByRole('combobox'), unwanted);
      await page.keyboard.press('Enter');
      hand.presses++;
      await page.getByText('No code was sent to this number').waitFor();
      const told = page.getByRole('status', { name: 'What would happen' });
      await told.getByText('it would be refused').waitFor();
      await told
        .getByRole('row', { name: /^Do not send/ })
        .getByText('Refused')
        .waitFor();
    },
  },
  {
    name: 'who made a key',
    async do(page, hand) {
      await hand.press(link(page, 'API keys'));
      await hand.press(button(page, 'Shop'));
      await page
        .getByRole('dialog')
        .getByText(/, by Olive Owner/)
        .waitFor();
    },
  },
  {
    name: 'stop a country',
    async do(page, hand, by) {
      const country = by === 'mouse' ? 'Canada' : 'Peru';
      await hand.press(link(page, 'Countries'));
      await hand.fill(page.getByLabel('Country'), country);
      await page.keyboard.press('Enter');
      await hand.press(page.getByRole('switch', { name: `Send to ${country}` }));
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await hand.fill(dialog.getByLabel('Reason'), 'pumped');
      await hand.press(dialog.getByRole('button', { name: 'Stop sending' }));
      await page.getByText(`Requests for ${country} are refused from now on`).waitFor();
    },
  },
  {
    name: 'how Brazil converts since yesterday',
    async do(page, hand) {
      await hand.press(button(page, 'Yesterday'));
      const row = page.getByRole('table', { name: 'By country' }).getByRole('row', { name: /Brazil/ });
      await row.getByText('75.0%').first().waitFor();
    },
  },
  {
    name: 'add a colleague',
    async do(page, hand, by) {
      await hand.press(link(page, 'People'));
      await hand.press(button(page, 'Invite'));
      const dialog = page.getByRole('dialog');
      await hand.fill(dialog.locator('input[name=email]'), `${by}@example.com`);
      await hand.press(dialog.getByRole('button', { name: 'Create the link' }));
      await dialog.getByRole('textbox', { name: 'Secret' }).waitFor();
    },
  },
  {
    name: 'the form for a carrier',
    async do(page, hand) {
      await hand.press(link(page, 'Carriers'));
      await hand.press(button(page, 'Add a carrier or a route'));
      await page.getByLabel('What to add').waitFor();
    },
  },
  {
    name: 'what yesterday cost',
    async do(page, hand) {
      await hand.press(button(page, 'Yesterday'));
      await page.locator('dl > div').filter({ hasText: 'Cost' }).getByText('US$1.23').first().waitFor();
    },
  },
  {
    name: 'a limit of the account',
    async do(page, hand, by) {
      await hand.press(link(page, 'Settings'));
      await hand.press(button(page, 'Add a limit').first());
      const most = page.getByLabel(/: at most$/).last();
      await hand.fill(most, by === 'mouse' ? '4' : '2');
      await hand.press(button(page, 'Save'));
      await page.getByText('Saved').first().waitFor();
    },
  },
];

for (const by of ['mouse', 'keyboard'] as const) {
  for (const task of TASKS) {
    test(`${task.name}, by ${by}: ${MOST_PRESSES} presses at most`, async (t) => {
      const page = await openWindow(t, stage, {
        as: owner,
        viewport: WIDE,
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
      });
      await page.goto(stage.address(`${account}/overview`));
      await heading(page, 'Overview');
      await settle(page);
      const hand = by === 'mouse' ? mouse() : keyboard(page);
      await task.do(page, hand, by);
      t.diagnostic(`${task.name}: ${hand.presses}`);
      assert.ok(hand.presses <= MOST_PRESSES, `${hand.presses} presses`);
    });
  }
}
