/** The overview's figures as a person sees and hears them, held against the API and against known counts in the store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Overview } from '../../../src/portal/overview/contract.ts';
import type { Start } from '../../../src/portal/start/contract.ts';
import { eventually } from '../../acceptance/client.ts';
import { read, type Visitor } from '../../portal/rig.ts';
import { addCounts, hourAgo } from '../rig/counts.ts';
import { NARROW, WIDE } from '../rig/look.ts';
import {
  accountOf,
  addAccount,
  heading,
  makeKey,
  openWindow,
  redraw,
  settle,
  startStage,
  untilCount,
} from '../rig/stage.ts';
import { sendCodes } from '../rig/traffic.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const { client, dataDir } = stage.portal.service;
const KOLKATA = 'Asia/Kolkata';

const account = await addAccount(owner, 'Counted');
/** The hours of the counts, also for a test that begins in the next one. */
const began = Date.now();
addCounts(dataDir, account.slice('/accounts/'.length), [
  { hoursAgo: 5, country: 'DE', requested: 100 },
  {
    hoursAgo: 5,
    country: 'DE',
    carrier: 'alpha',
    submitted: 90,
    delivered: 80,
    confirmed: 72,
    cost: 4_500_000,
    quick: 40,
  },
  { hoursAgo: 5, country: 'FR', requested: 12 },
  { hoursAgo: 5, country: 'FR', carrier: 'alpha', submitted: 10, delivered: 9, confirmed: 9, cost: 500_000 },
  { hoursAgo: 7, country: 'SG', requested: 25 },
  { hoursAgo: 7, country: 'SG', carrier: 'beta', submitted: 25, confirmed: 5, cost: 1_000_000 },
  // A day before.
  { hoursAgo: 30, country: 'DE', requested: 50 },
  {
    hoursAgo: 30,
    country: 'DE',
    carrier: 'alpha',
    submitted: 50,
    delivered: 40,
    confirmed: 30,
    cost: 2_000_000,
  },
]);

test('totals, what changed, and each part of them are those of the store', async (t) => {
  const page = await openWindow(t, stage, { as: owner, timezoneId: KOLKATA });
  await page.goto(stage.address(`${account}/overview`));
  await settle(page);
  const stages = page.getByRole('listitem');
  const requested = stages.filter({ hasText: 'Requested' });
  await requested.getByText('137', { exact: true }).waitFor();
  // 137 against 50; the hours that are over are all that anything happened in.
  await requested.getByText('+174.0%').waitFor();
  const confirmed = stages.filter({ hasText: 'Confirmed' });
  await confirmed.getByText('86', { exact: true }).waitFor();
  await confirmed.getByText('62.8%').waitFor();
  await confirmed.getByText('+2.8 points').waitFor();

  const cells = async (name: string) => {
    const lines = await page.getByRole('table', { name, exact: true }).locator('tbody tr').all();
    return Promise.all(
      lines.map(async (line) =>
        (await line.locator('th, td').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      ),
    );
  };
  const show = async (view: string) => {
    await page
      .getByRole('navigation', { name: 'Parts of the overview' })
      .getByText(view, { exact: true })
      .click();
    await settle(page);
  };
  await show('Countries');
  await page.getByRole('table', { name: 'Countries and carriers', exact: true }).waitFor();
  assert.deepEqual(await cells('Countries and carriers'), [
    ['Germany', '80.0% of 90', '–'],
    ['Singapore', '–', '20.0% of 25'],
    ['France', 'too few of 10', '–'],
  ]);
  const [good, bad, few] = await page.evaluate<string[]>(`
    [...document.querySelectorAll('table[aria-label="Countries and carriers"] td')]
      .filter((cell) => cell.innerText.includes('of '))
      .map((cell) => getComputedStyle(cell).backgroundColor)`);
  assert.ok(good !== bad && good !== few && bad !== few, `${good} ${bad} ${few}`);
  assert.equal(few, 'rgba(0, 0, 0, 0)', 'a share of a few has no colour');

  const map = page.getByRole('img', { name: /^Conversion by country/ });
  await map.waitFor();
  assert.deepEqual((await map.locator('title').allTextContents()).sort(), [
    'France: too few of 12',
    'Germany: 72.0% of 100',
  ]);
  await page.getByText('Too small for this map: Singapore: 20.0% of 25.').waitFor();

  await show('Carriers');
  const courses = page.locator('section', { hasText: 'Carriers over time' }).last();
  await courses.getByText('81.0% of 100').waitFor();
  await courses.getByText('20.0% of 25').waitFor();

  await show('Confirmation');
  await page.goto(`${page.url()}&key=key_x`);
  await page.getByText('Times are not kept by key').waitFor();
  await page.goBack();
  const times = page.locator('section', { hasText: 'Time to confirm' }).last();
  await times.getByText('Show as a table').click();
  await times.getByRole('table').waitFor();
  assert.deepEqual(await cells('Confirmed codes, as a table'), [['1 s to 2.5 s', '40']]);

  const overview = read<Overview>(
    await owner.get(
      `/portal/api${account}/overview?from=${new Date(hourAgo(24)).toISOString()}&to=${new Date().toISOString()}`,
    ),
  );
  assert.equal(overview.total.requested, 137, 'as the API says');
});

test('what a day cost is one press away, in sight without scrolling, and charted', async (t) => {
  const dear = await addAccount(owner, 'Costs');
  const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;
  const hoursAgo = Math.round((hourAgo(0) - noon) / 3_600_000);
  const sent = { country: 'DE', carrier: 'alpha', submitted: 40, confirmed: 30 };
  addCounts(dataDir, dear.slice('/accounts/'.length), [
    { hoursAgo, country: 'DE', requested: 40 },
    { hoursAgo, ...sent, cost: 1_234_560 },
    { hoursAgo: hoursAgo + 24, country: 'DE', requested: 20 },
    { hoursAgo: hoursAgo + 24, ...sent, cost: 9_000_000 },
  ]);
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE, timezoneId: 'UTC' });
  await page.goto(stage.address(`${dear}/overview`));
  await page.getByRole('button', { name: 'Yesterday' }).click();
  const cost = page.locator('dl > div').filter({ hasText: 'Cost' }).first();
  await cost.getByText('US$1.23').waitFor();
  const box = await cost.boundingBox();
  assert.ok(box !== null && box.y + box.height < WIDE.height, JSON.stringify(box));
  await page.getByRole('button', { name: 'Cost', exact: true }).first().click();
  await page.getByRole('img', { name: /^Cost over time/ }).waitFor();
  const germany = page.getByRole('table', { name: 'By country' }).getByRole('row', { name: /Germany/ });
  await germany.getByText('+100.0%').waitFor();

  // The address has it all, and whole days can be chosen.
  assert.match(page.url(), /range=yesterday/);
  await page.reload();
  await cost.getByText('US$1.23').waitFor();
  await page.getByRole('img', { name: /^Cost over time/ }).waitFor();
  await page.getByLabel('First day').fill(new Date(noon - 86_400_000).toISOString().slice(0, 10));
  await cost.getByText('US$10.23').waitFor();
});

test('the first figures are there while everything else is still being asked for', async (t) => {
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  const held: string[] = [];
  const later = /\/portal\/api\/.*\/overview\/(parts|earlier)(\?|$)/;
  // Never answered.
  await page.route(later, (route) => {
    held.push(new URL(route.request().url()).pathname.split('/').slice(5).join('/'));
  });
  await page.goto(stage.address(`${account}/overview`));
  const requested = page.getByRole('listitem').filter({ hasText: 'Requested' });
  await requested.getByText('137', { exact: true }).waitFor();
  await page.getByRole('img', { name: /^Codes over time, from/ }).waitFor();
  const asked = await eventually(async () => (new Set(held).size === 2 ? [...new Set(held)] : undefined));
  assert.deepEqual(asked?.sort(), ['overview/earlier', 'overview/parts']);
  await untilCount(page.getByRole('status', { name: 'Loading' }), 1);
});

test('a long list begins with what matters most, and has the rest when asked', async (t) => {
  const many = await addAccount(owner, 'Everywhere');
  const countries = ['DE', 'FR', 'GB', 'IT', 'ES', 'PT', 'NL', 'BE', 'AT', 'CH', 'SE', 'NO', 'FI', 'DK'];
  addCounts(
    dataDir,
    many.slice('/accounts/'.length),
    countries.map((country, n) => ({ hoursAgo: 3, country, requested: 100 - n })),
  );
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${many}/overview`));
  const rows = page.getByRole('table', { name: 'By country' }).locator('tbody tr');
  await untilCount(rows, 12);
  assert.match(await rows.first().innerText(), /^Germany/);
  await page.getByRole('button', { name: 'Show all 14 countries' }).click();
  await untilCount(rows, 14);
  assert.match(await rows.last().innerText(), /^Denmark/);
});

test('many carriers have the width of the page, and the countries stay in sight beside them', async (t) => {
  const many = await addAccount(owner, 'Many carriers');
  const carriers = Array.from({ length: 30 }, (_, n) => `carrier-${String(n).padStart(2, '0')}`);
  addCounts(
    dataDir,
    many.slice('/accounts/'.length),
    carriers.map((carrier) => ({
      hoursAgo: 3,
      country: 'DE',
      carrier,
      submitted: 90,
      confirmed: 60,
      quick: 5,
    })),
  );
  addCounts(dataDir, many.slice('/accounts/'.length), [{ hoursAgo: 3, country: 'DE', requested: 2_700 }]);
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await page.goto(stage.address(`${many}/overview`));
  const widthOf = async (name: string) =>
    page.locator(`section[aria-label="${name}"]`).evaluate((frame) => frame.clientWidth);
  await page.getByRole('table', { name: 'By country' }).waitFor();
  const whole = await widthOf('By country');
  await page.goto(stage.address(`${many}/overview?view=countries`));
  await page.getByRole('table', { name: 'Countries and carriers', exact: true }).waitFor();
  assert.equal(await widthOf('Countries and carriers'), whole);
  const country = page.getByRole('rowheader', { name: 'Germany' }).first();
  const before = await country.boundingBox();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const [scrolled, background] = await page.evaluate<[number, string]>(`(() => {
      const frame = document.querySelector('section[aria-label="Countries and carriers"]');
      frame.scrollLeft = 9999;
      return [frame.scrollLeft, getComputedStyle(frame.querySelector('tbody th')).backgroundColor];
    })()`);
    assert.ok(scrolled > 100, `${scrolled}`);
    assert.deepEqual(await country.boundingBox(), before);
    assert.notEqual(background, 'rgba(0, 0, 0, 0)');
  }
});

test('zooming out ends at the longest span that there is', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/overview?range=1y`));
  const out = page.getByRole('button', { name: 'Zoom out' });
  for (let presses = 0; presses < 5 && (await out.isEnabled()); presses++) {
    await out.click();
    await page.waitForURL(/from=/);
    await settle(page);
  }
  assert.ok(await out.isDisabled());
  await heading(page, 'Overview');
  await page.getByRole('listitem').filter({ hasText: 'Requested' }).waitFor();
  await untilCount(page.getByRole('alert'), 0);
  const search = new URL(page.url()).searchParams;
  assert.ok(Date.parse(search.get('to') ?? '') <= Date.now());
});

test('on a telephone the presets stay within the page, and the small figures stand in columns', async (t) => {
  const page = await openWindow(t, stage, { as: owner, viewport: NARROW });
  await page.goto(stage.address(`${account}/overview`));
  await settle(page);
  const rightOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  const presets = await rightOf('[role=group][aria-label=Time]');
  assert.ok(presets <= (await rightOf('main > div:last-child')), `${presets}`);
  const figures = await page.locator('dl').first().locator(':scope > div').all();
  const starts = new Set(await Promise.all(figures.map(async (figure) => (await figure.boundingBox())?.x)));
  assert.deepEqual([figures.length, starts.size], [6, 2]);
});

test('a chart is read with the keyboard alone, in the chosen zone, which stays', async (t) => {
  const page = await openWindow(t, stage, { as: owner, timezoneId: KOLKATA });
  await page.goto(stage.address(`${account}/overview`));
  await settle(page);
  // The period before comes by an answer of its own, and is read with each point.
  await page
    .getByText(/^Each point is 1 hour, .*, Asia\/(Calcutta|Kolkata)\. .*The dashed line is the period before/)
    .waitFor();
  const reader = page.getByRole('slider', { name: 'Codes over time: read point by point' });
  await reader.focus();
  assert.match((await reader.getAttribute('aria-valuetext')) ?? '', /\(not over yet\): Requested 0/);
  await page.keyboard.press('Home');
  const heard: string[] = [];
  for (let n = 0; n < 30; n++) {
    heard.push((await reader.getAttribute('aria-valuetext')) ?? '');
    await page.keyboard.press('ArrowRight');
  }
  const counted = [...new Set(heard.filter((text) => !text.includes('Requested 0')))];
  const clock = (hours: number, timeZone: string) =>
    new Date(hourAgo(hours, began)).toLocaleString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  assert.deepEqual(
    counted.map((text) => text.replace(/^.*, (?=\d\d:\d\d)/, '')),
    [
      `${clock(7, KOLKATA)}: Requested 25, Delivered 0, Confirmed 5, Requested before 0`,
      `${clock(5, KOLKATA)}: Requested 112, Delivered 89, Confirmed 81, Requested before 0`,
    ],
  );
  await page.getByLabel('Time zone').selectOption('UTC');
  await page.reload();
  await settle(page);
  await page.getByText(/, UTC\./).waitFor();
  const table = page.locator('details', { hasText: 'Show as a table' }).first();
  await table.locator('summary').click();
  const row = table.getByRole('row', { name: '112' });
  assert.match(await row.innerText(), new RegExp(`, ${clock(5, 'UTC')}`));
  assert.match(await row.innerText(), /72\.3%/, 'the conversion of the hour');
});

test('a question mark explains a figure, by keyboard too', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${account}/overview`));
  await settle(page);
  const mark = page.getByRole('button', { name: 'What “Delivered” means' });
  const words = page.getByText('Messages that the carrier reported as delivered to the telephone.');
  await mark.focus();
  await page.keyboard.press('Enter');
  await words.waitFor();
  await page.keyboard.press('Escape');
  await words.waitFor({ state: 'hidden' });
});

test('the first steps are ticked by what is there, and stay away once dismissed', async (t) => {
  const fresh = await addAccount(owner, 'Beginning');
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${fresh}/overview`));
  await page.getByText('0 of 7 done.').waitFor();
  await sendCodes(client, await makeKey(owner, fresh, 'Try'), 1);
  await owner.send('PUT', `/portal/api${fresh}/alerts/webhook`, { url: 'https://chat.example.com/hook' });
  await owner.post(`/portal/api${fresh}/invitations`, { email: 'ines@example.com', role: 'viewer' });
  await page.reload();
  await page.getByText('4 of 7 done.').waitFor();
  const steps = page.locator('section', { hasText: 'Each is ticked' }).last().getByRole('listitem');
  assert.deepEqual(
    (await steps.allTextContents())
      .filter((text) => text.includes(', done'))
      .map((text) => text.split(',')[0]),
    ['Make a key', 'See a code arrive', 'Have somebody told of alerts', 'Invite a colleague'],
  );
  await page.getByRole('button', { name: 'Dismiss' }).click();
  const start = (at: Page) => at.getByRole('heading', { name: 'Start', exact: true });
  await untilCount(start(page), 0);
  // Another browser of the same person knows it too; another person still sees them.
  const dana = await stage.portal.join(owner, 'developer', 'dana@example.com');
  const own = `/portal/api${await accountOf(owner)}/start`;
  assert.equal((await owner.send('PUT', `${own}/dismissal`)).status, 204);
  const isDismissed = async (visitor: Visitor) => read<Start>(await visitor.get(own)).dismissed;
  assert.deepEqual([await isDismissed(owner), await isDismissed(dana)], [true, false]);
  const elsewhere = await openWindow(t, stage, { as: owner });
  const asked = elsewhere.waitForResponse('**/start');
  await elsewhere.goto(stage.address(`${fresh}/overview`));
  await heading(elsewhere, 'Overview');
  await settle(elsewhere);
  // Only this answer says whether there are steps to show.
  await (await asked).finished();
  await redraw(elsewhere);
  assert.equal(await start(elsewhere).count(), 0);
});
