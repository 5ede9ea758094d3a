/** A portal, and windows of a real browser on it. One browser and one service serve a whole file. */
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Download, Locator, Page, Route } from 'playwright-core';
import { eventually } from '../../acceptance/client.ts';
import { firstAccount, type PortalRig, read, startPortal, type Visitor } from '../../portal/rig.ts';
import type { ServiceOptions } from '../../service.ts';
import { launchChromium } from './chromium.ts';

const DEADLINE_MS = 30_000;
const ASK_AGAIN_MS = 250;

export interface Stage {
  readonly portal: PortalRig;
  readonly browser: Browser;
  /** The address of a page, from one such as `/sign-in`. */
  address(path: string): string;
}

interface WindowOptions extends BrowserContextOptions {
  /** Who is signed in there; nobody if absent. */
  readonly as?: Visitor;
  /** Statuses of the refusals that the test provokes: the browser prints each of them to the console. */
  readonly provokes?: readonly number[];
  /** The page sends codes, and asks again when the service is overloaded, as clients should. */
  readonly sendsCodes?: boolean;
  /** The test stops the service or removes a part of its build: the browser prints that to the console too. */
  readonly losesService?: boolean;
}

export async function startStage(options: ServiceOptions = {}): Promise<Stage> {
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const browser = await launchChromium();
  ends.push(() => browser.close());
  const portal = await startPortal({ after: (end) => ends.push(end) }, options);
  return { portal, browser, address: (path) => `${portal.service.baseUrl}/portal${path}` };
}

/** A window that shares nothing with any other. The test fails on any complaint in the console. */
export async function openWindow(
  t: { after(end: () => Promise<void>): void },
  { portal, browser }: Stage,
  { as, provokes = [], sendsCodes = false, losesService = false, ...options }: WindowOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  const faults: string[] = [];
  t.after(async () => {
    // A page may still ask for something.
    for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    assert.deepEqual(faults, [], 'the console stays empty');
  });
  context.setDefaultTimeout(DEADLINE_MS);
  await context.addCookies(
    [...(as?.cookies ?? [])].map(([name, value]) => ({
      name,
      value,
      url: portal.service.baseUrl,
      secure: true,
      httpOnly: true,
    })),
  );
  // A violation of the policy that only a listener sees counts too.
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (it) => console.error('policy: ' + it.violatedDirective + ' ' + it.blockedURI))`,
  );
  // Without need it would cost every window the browser's cache.
  if (sendsCodes) await context.route(/\/(verify|confirm)$/, askAgain);
  const isProvoked = (text: string) =>
    provokes.some((status) => text.includes(`responded with a status of ${status} `)) ||
    (losesService && /net::ERR_|Refused to apply style/.test(text));
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isProvoked(message.text())) faults.push(message.text());
  });
  return page;
}

/** A machine that tests share may hold a service up past what it calls overload. It has done nothing then. */
async function askAgain(route: Route): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; ; await sleep(ASK_AGAIN_MS)) {
    const response = await route.fetch();
    if (response.status() !== 503 || Date.now() > end) return route.fulfill({ response });
  }
}

/** The address of somebody's first account, such as `/accounts/default`. */
export const accountOf = async (visitor: Visitor): Promise<string> =>
  `/accounts/${(await firstAccount(visitor)).id}`;

/** Makes an account for the test, and returns its address. */
export async function addAccount(visitor: Visitor, name: string): Promise<string> {
  return `/accounts/${read<{ id: string }>(await visitor.post('/portal/api/accounts', { name })).id}`;
}

/** Makes a key over the portal's API, and returns it. */
export async function makeKey(
  visitor: Visitor,
  account: string,
  name: string,
  test = true,
  countries: readonly string[] = [],
): Promise<string> {
  const bounds = { expires_at: null, restrictions: { channels: [], countries, sources: [] } };
  const answer = await visitor.post(`/portal/api${account}/keys`, { name, test, ...bounds });
  return read<{ secret: string }>(answer).secret;
}

export async function signIn(page: Page, address: string, email: string, password: string): Promise<void> {
  await page.goto(address);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The text of a file. The browser that a run shares keeps it where only the browser looks. */
export const readDownload = async (file: Download): Promise<string> => text(await file.createReadStream());

/**
 * Waits until this page is there, by its whole name: a verification is not the list of verifications that leads to it. Checks more often
 * than Playwright, which soon checks only every half second.
 */
export const heading = (page: Page, name: string): Promise<void> =>
  untilCount(page.getByRole('heading', { level: 1, name, exact: true }), 1);

/** Waits until there are so many: while a list reloads, there are none. */
export async function untilCount(list: Locator, count: number): Promise<void> {
  const reached = await eventually(
    async () => ((await list.count()) === count ? true : undefined),
    DEADLINE_MS,
  );
  assert.ok(reached, `${count} of ${list}, not ${await list.count()}`);
}

/** Presses what the menu of a row offers, by what the row is about. */
export async function chooseInRow(page: Page, row: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Two frames, in which the page draws what it was answered before: for what must not come, and for what moves others. */
export const redraw = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** Waits until every part of the page has loaded. */
export const settle = (page: Page): Promise<void> =>
  untilCount(page.getByRole('status', { name: 'Loading' }), 0);
