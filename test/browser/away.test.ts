/**
 * Every page that the navigation leads to, and every dialog with something to fill in, while the service is killed, comes back, and is
 * upgraded: each says what happened, none goes white, and what somebody typed stays.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../acceptance/client.ts';
import { PASSWORD, read, type Visitor } from '../portal/rig.ts';
import { copyBuild } from './rig/build.ts';
import {
  act,
  comeBack,
  DIALOG,
  describeWay,
  findDialogs,
  press,
  readFields,
  type Scope,
  typeEverywhere,
  type Way,
} from './rig/forms.ts';
import { accountOf, heading, makeKey, openWindow, settle, startStage, untilCount } from './rig/stage.ts';
import { sendCodes } from './rig/traffic.ts';

const { env, replace: replaceBuild } = await copyBuild();
const stage = await startStage({ env });
const { service } = stage.portal;
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const AWAY = 'The service does not answer';
/** What forms are refused with when nobody filled them in with care. */
const REFUSALS = [400, 401, 403, 404, 409, 422, 429, 503];
const WINDOW = { provokes: REFUSALS, losesService: true, reducedMotion: 'reduce' } as const;
const PATIENCE_MS = 30_000;
/** Longer than a page goes on trying, because it begins anew when somebody comes back. */
const COME_BACK_MS = 10_000;

/** Something in every list, so that its rows can be acted on. Returns the pages about one thing. */
async function furnish(): Promise<string[]> {
  const base = `/portal/api${account}`;
  await makeKey(owner, account, 'Checkout', false);
  await sendCodes(service.client, await makeKey(owner, account, 'Staging'), 2);
  await stage.portal.join(owner, 'developer', 'dana@example.com');
  await invite('ines@example.com');
  await owner.post(`${base}/do-not-send/numbers`, { number: '+447400123400' });
  await owner.post(`${base}/do-not-send/ranges`, { prefix: '+88213' });
  const rule = { action: 'deny', subject: 'range', value: '+88214', ends_at: null, reason: 'pumped' };
  await owner.post(`${base}/guard/rules`, rule);
  const hook = { url: 'https://hooks.invalid/countersign', types: [] };
  const { webhook } = read<{ webhook: { id: string } }>(await owner.post(`${base}/webhooks`, hook));
  const { verifications } = read<{ verifications: { id: string }[] }>(
    await owner.get(`${base}/verifications`),
  );
  return [`${account}/verifications/${verifications[0]?.id}`, `${account}/webhooks/${webhook.id}`];
}

/** Returns the page that its link leads to. */
async function invite(email: string): Promise<string> {
  const wanted = { email, role: 'viewer' };
  const answer = await owner.post(`/portal/api${account}/invitations`, wanted);
  const { link } = read<{ link: string }>(answer);
  return link.slice(link.indexOf('/portal') + '/portal'.length);
}

interface Place {
  readonly path: string;
  /** The way to the dialog, if it is one. */
  readonly dialog?: Way;
}

/** Every page and dialog inside, from the navigation itself, so that a new page is among them. */
async function findPlaces(): Promise<Place[]> {
  const inside = await furnish();
  await using window = new AsyncDisposableStack();
  const page = await openWindow({ after: (end) => window.defer(end) }, stage, { as: owner, ...WINDOW });
  await page.goto(stage.address(`${account}/overview`));
  await heading(page, 'Overview');
  const links = await page.locator('nav[aria-label=Pages] a').all();
  const linked = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
  assert.ok(linked.length >= 13, `${linked}`);
  const paths = [
    ...linked.map((address) => address.replace('/portal', '')),
    ...inside,
    ...[`${account}/carriers?view=routes`, `${account}/guard?view=try`, '/me', '/new-account'],
  ];
  const places: Place[] = [];
  for (const path of paths) {
    const dialogs = await findDialogs(page, () => show(page, { path }));
    places.push({ path }, ...dialogs.map((dialog) => ({ path, dialog })));
  }
  return places;
}

async function show(page: Page, { path, dialog }: Place): Promise<void> {
  await page.goto(stage.address(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settle(page);
  if (dialog !== undefined) await press(page, dialog);
}

interface Tab extends Place {
  readonly page: Page;
  readonly scope: Scope;
  readonly name: string;
  readonly typed: readonly string[];
  /** How often a document was loaded since somebody typed. */
  loads(): number;
}

async function openTab(page: Page, place: Place): Promise<Tab> {
  await show(page, place);
  await settle(page);
  const scope = place.dialog === undefined ? 'main' : DIALOG;
  await typeEverywhere(page, scope);
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads++;
  });
  const name = [place.path.replace(account, ''), place.dialog && describeWay(place.dialog)]
    .filter(Boolean)
    .join(' ');
  return { ...place, page, scope, name, typed: await readFields(page, scope), loads: () => loads };
}

/** The page is there, with everything that was typed. */
async function assertIntact({ page, scope, name, typed, loads }: Tab): Promise<void> {
  assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, `${name} has a heading`);
  assert.equal(loads(), 0, `${name} was not loaded again`);
  assert.deepEqual(await readFields(page, scope), typed, `${name} keeps what was typed`);
}

/** Waits until the page says that the service is away, or no longer says so. */
async function shows(
  { page, scope, name }: Tab,
  state: 'attached' | 'detached',
  what: string,
): Promise<void> {
  const told = page.locator(scope).getByText(AWAY).first();
  const isSo = await eventually(async () => {
    const hasCome = await told.waitFor({ state, timeout: COME_BACK_MS }).then(
      () => true,
      () => false,
    );
    if (hasCome) return true;
    // A page that asks for nothing by itself asks only for what is old, and the last ones were opened just before.
    await comeBack(page);
    return undefined;
  }, PATIENCE_MS);
  assert.ok(isSo, `${name} ${what}`);
}

/** Opens all of them, kills the service, and has it come back with a new build. */
async function comesBack(
  t: TestContext,
  as: Visitor | undefined,
  group: readonly Place[],
): Promise<readonly Tab[]> {
  // A proof lasts ten minutes, and a busy machine may take longer for all groups.
  if (as !== undefined)
    assert.equal((await as.post('/portal/api/me/proof', { password: PASSWORD })).status, 204);
  const context = (await openWindow(t, stage, { ...(as && { as }), ...WINDOW })).context();
  const faults: string[] = [];
  t.diagnostic(
    `${group.length} places: ${group.map(({ path, dialog }) => (dialog ? describeWay(dialog) : path)).join('; ')}`,
  );
  const tabs: Tab[] = [];
  for (const place of group) {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`${place.path}: ${error}`));
    tabs.push(await openTab(page, place));
  }

  await service.kill9();
  const asking: Tab[] = [];
  await Promise.all(
    tabs.map(async (tab) => {
      const sent = await act(tab.page, tab.scope);
      // A dialog that waits for more than was typed asks nothing yet.
      if (sent > 0 || tab.scope === 'main') asking.push(tab);
    }),
  );
  assert.ok(asking.length >= tabs.length / 2);
  await Promise.all(
    tabs.map(async (tab) => {
      // Playwright soon checks only every half second, which so many windows at once leave room for.
      if (asking.includes(tab)) await shows(tab, 'attached', 'says that the service is away');
      await assertIntact(tab);
    }),
  );

  await replaceBuild();
  await service.restart();
  // One after the other: forms that check passwords take a while, all at once more than anybody would wait.
  for (const tab of tabs) {
    await assertIntact(tab);
    await act(tab.page, tab.scope);
    await shows(tab, 'detached', 'works again');
    // What was sent may have led to another page, which comes with the new build.
    await untilCount(tab.page.getByRole('heading', { level: 1 }), 1);
  }
  assert.deepEqual(faults, []);
  return tabs;
}

const places = await findPlaces();

test('what somebody who is not signed in has typed outlives a service that is killed and upgraded', async (t) => {
  // Who looked for dialogs has withdrawn the invitation that was there. First of all: only a fresh proof lets the owner invite.
  const paths = ['/sign-in', '/setup#token', '/reset#token', await invite('nora@example.com')];
  const outside = paths.map((path) => ({ path }));
  for (const { name, typed } of await comesBack(t, undefined, outside)) {
    assert.ok(
      typed.some((text) => text !== ''),
      `${name} has a form`,
    );
  }
});

/** A browser with all of them open at once is slower than anybody's patience. */
const OPEN_AT_ONCE = 6;

/** Each with some of every kind: neighbours are alike. */
function groupsOf(list: readonly Place[]): readonly Place[][] {
  const count = Math.ceil(list.length / OPEN_AT_ONCE);
  return Array.from({ length: count }, (_, n) => list.filter((_, index) => index % count === n));
}

for (const [n, group] of groupsOf(places.filter(({ dialog }) => dialog === undefined)).entries()) {
  test(`a service that is killed, comes back and is upgraded costs nobody what they typed on any page, group ${n + 1}`, async (t) => {
    await comesBack(t, owner, group);
  });
}

for (const [n, group] of groupsOf(places.filter(({ dialog }) => dialog !== undefined)).entries()) {
  test(`what was typed in any dialog outlives a service that is killed and upgraded, group ${n + 1}`, async (t) => {
    await comesBack(t, owner, group);
  });
}

test('what is loaded late does not cost the page below it', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: REFUSALS, losesService: true });
  const tab = await openTab(page, { path: `${account}/settings` });
  const palette = page.getByRole('dialog', { name: 'Jump to' });
  const close = async () => {
    await palette.getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
  };
  await service.kill9();
  await page.keyboard.press('Control+k');
  await palette.getByText(AWAY).waitFor();
  await close();
  await assertIntact(tab);

  // A browser does not ask again for a script that it did not get. The page goes on without.
  await service.restart();
  await page.keyboard.press('Control+k');
  await palette.getByText('What you typed on this page is lost then.').waitFor();
  await close();
  await assertIntact(tab);

  const late = await openWindow(t, stage, { as: owner, provokes: REFUSALS, losesService: true });
  const other = await openTab(late, { path: `${account}/settings` });
  await replaceBuild();
  await service.restart();
  await late.keyboard.press('Control+k');
  const asking = late.getByRole('dialog', { name: 'Jump to' });
  await asking.getByText('The portal was upgraded').waitFor();
  await asking.getByText('What you typed on this page is lost then.').waitFor();
  await asking.getByRole('button', { name: 'Close' }).click();
  await late.locator('dialog').waitFor({ state: 'detached' });
  await assertIntact(other);
});

test('nobody is told that they are signed out while they are not', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: REFUSALS, losesService: true });
  await show(page, { path: `${account}/settings` });
  await service.kill9();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You may still be signed in').waitFor();
  await heading(page, 'Settings');
  await service.restart();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in');
});
