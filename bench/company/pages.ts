/** Every page of the portal in Chromium: how long a cold one takes to show what people wait for, and what an open one goes on asking. */
import type { BrowserContext, Browser as Chromium, Page } from 'playwright-core';
import { CONFIRMED_HOOK } from './verifications.ts';

export interface Portal {
  readonly chromium: Chromium;
  readonly baseUrl: string;
  /** Of a session, as `name=value`. */
  readonly cookie: string;
  readonly accountId: string;
}

/** By name, the address of each page. */
export type Pages = ReadonlyMap<string, string>;

/** A request of an open page, `at` ms after the pages were there. */
export interface Asked {
  readonly at: number;
  /** Below `/portal/api`. */
  readonly path: string;
}

const DEADLINE_MS = 60_000;
/** What is there for so long is not replaced by something else. */
const STEADY_MS = 300;
const LOOK_EVERY_MS = 50;
const WINDOW = { width: 1440, height: 900 };

/** Since when the page has a heading, and nothing is loading any more: in the window, and in all of the page. In ms. */
export interface Shown {
  readonly first: number;
  readonly whole: number;
}

const WATCH = `(() => {
  const since = {};
  const note = (what, isShown) => { since[what] = isShown ? since[what] ?? performance.now() : undefined; };
  const isInWindow = (element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  };
  const look = () => {
    const hasHeading = document.querySelector('main h1') !== null;
    const loading = [...document.querySelectorAll('[role=status][aria-label=Loading]')];
    note('first', hasHeading && !loading.some(isInWindow));
    note('whole', hasHeading && loading.length === 0);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  globalThis.shownSince = () => since;
})()`;
const IS_STEADY = `performance.now() - globalThis.shownSince?.().whole > ${STEADY_MS}`;

/** Those that the navigation leads to, so that a new one is among them, and some that need more than an address. */
export async function findPages(portal: Portal): Promise<Pages> {
  await using window = await openWindow(portal);
  const base = `/portal/accounts/${portal.accountId}`;
  await show(window.page, `${portal.baseUrl}${base}/overview`);
  const links = await window.page.locator('nav[aria-label=Pages] a').all();
  const pages = new Map<string, string>();
  for (const link of links) {
    const address = (await link.getAttribute('href')) ?? '';
    pages.set(address.split('/').at(-1) ?? '', address);
  }
  await show(window.page, `${portal.baseUrl}${base}/verifications`);
  const newest = window.page.getByRole('table', { name: 'Verifications' }).getByRole('link').first();
  const year = `from=${daysAgo(364)}&to=${daysAgo(0)}`;
  return new Map([
    ...pages,
    ['one verification', (await newest.getAttribute('href')) ?? ''],
    ['verifications that failed', `${base}/verifications?status=failed`],
    ['refused requests', `${base}/verifications?status=refused`],
    ['one endpoint', `${base}/webhooks/${CONFIRMED_HOOK}`],
    ['overview of a year', `${base}/overview?${year}`],
    ['your sign-in', '/portal/me'],
  ]);
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** With an empty cache and a new connection, from the navigation on. */
export async function timePage(portal: Portal, address: string): Promise<Shown> {
  await using window = await openWindow(portal);
  const shown = await show(window.page, portal.baseUrl + address);
  const failures = await window.page.locator('main').getByRole('alert').allInnerTexts();
  if (failures.some((text) => text.includes('Try again'))) throw new Error(`${address}: ${failures}`);
  return shown;
}

/** What all pages ask for while they are open, beside each other and each visible. */
export async function recordPages(portal: Portal, pages: Pages, forMs: number): Promise<Asked[]> {
  await using first = await openWindow(portal);
  const asked: Asked[] = [];
  const { context } = first;
  for (const address of pages.values()) await show(await context.newPage(), portal.baseUrl + address);
  const begun = performance.now();
  context.on('request', (request) => {
    const [, path] = request.url().split('/portal/api');
    if (path !== undefined && request.method() === 'GET') asked.push({ at: performance.now() - begun, path });
  });
  await first.page.waitForTimeout(forMs);
  return asked;
}

interface Window extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
}

async function openWindow({ chromium, baseUrl, cookie }: Portal): Promise<Window> {
  const context = await chromium.newContext({ ignoreHTTPSErrors: true, viewport: WINDOW });
  context.setDefaultTimeout(DEADLINE_MS);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: baseUrl, secure: true, httpOnly: true }]);
  await context.addInitScript(WATCH);
  return { context, page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

/** Goes there, and waits until all of it is there. */
async function show(page: Page, url: string): Promise<Shown> {
  await page.goto(url, { waitUntil: 'commit' });
  const deadline = performance.now() + DEADLINE_MS;
  // Through the debugger: the page's policy forbids what Playwright would wait with.
  while (!(await page.evaluate<boolean>(IS_STEADY))) {
    if (performance.now() > deadline) throw new Error(`${url} does not finish loading`);
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
  return page.evaluate<Shown>('shownSince()');
}
