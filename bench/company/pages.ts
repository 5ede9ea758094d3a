/** Every page of the portal in Chromium: how long a cold one takes to show what people wait for, and what an open one goes on asking. */
import { CONFIRMED_HOOK } from './verifications.ts';
import { openWindow, type Portal, type Shown, show } from './window.ts';

/** By name, the address of each page. */
export type Pages = ReadonlyMap<string, string>;

/** A request of an open page, `at` ms after the pages were there. */
export interface Asked {
  readonly at: number;
  /** Below `/portal/api`. */
  readonly path: string;
}

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
    ['evidence of the guard', `${base}/guard?view=evidence`],
    ['events of the guard', `${base}/guard?view=events`],
    ['rules of the guard', `${base}/guard?view=rules`],
    ['trial of the guard', `${base}/guard?view=try`],
    ['routes', `${base}/carriers?view=routes`],
    ['tests of carriers', `${base}/carriers?view=tests`],
    ['configuration of carriers', `${base}/carriers?view=configuration`],
    ['one verification', (await newest.getAttribute('href')) ?? ''],
    ['verifications that failed', `${base}/verifications?status=failed`],
    ['refused requests', `${base}/verifications?status=refused`],
    ['one endpoint', `${base}/webhooks/${CONFIRMED_HOOK}`],
    ['overview by carrier', `${base}/overview?view=carriers`],
    ['overview by country', `${base}/overview?view=countries`],
    ['overview of confirmation', `${base}/overview?view=confirmation`],
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
