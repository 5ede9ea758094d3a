/** A window of Chromium on the portal, which watches when a page is there. */
import type { BrowserContext, BrowserContextOptions, Browser as Chromium, Page } from 'playwright-core';

export interface Portal {
  readonly chromium: Chromium;
  readonly baseUrl: string;
  /** Of a session, as `name=value`. */
  readonly cookie: string;
  readonly accountId: string;
}

const DEADLINE_MS = 60_000;
/** What is there for so long is not replaced by something else. */
const STEADY_MS = 300;
const LOOK_EVERY_MS = 50;
export const WIDE = { width: 1440, height: 900 };

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

export interface Window extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** With an empty cache and a new connection; signed in if there is a cookie. */
export async function openWindow(
  { chromium, baseUrl, cookie }: Portal,
  options: BrowserContextOptions = { viewport: WIDE },
): Promise<Window> {
  const context = await chromium.newContext({ ignoreHTTPSErrors: true, ...options });
  context.setDefaultTimeout(DEADLINE_MS);
  const [name = '', value = ''] = cookie.split('=');
  if (name !== '') {
    await context.addCookies([{ name, value, url: baseUrl, secure: true, httpOnly: true }]);
  }
  await context.addInitScript(WATCH);
  return { context, page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

/** Goes there, and waits until all of it is there. */
export async function show(page: Page, url: string): Promise<Shown> {
  await page.goto(url, { waitUntil: 'commit' });
  const deadline = performance.now() + DEADLINE_MS;
  // Through the debugger: the page's policy forbids what Playwright would wait with.
  while (!(await page.evaluate<boolean>(IS_STEADY))) {
    if (performance.now() > deadline) throw new Error(`${url} does not finish loading`);
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
  return page.evaluate<Shown>('shownSince()');
}
