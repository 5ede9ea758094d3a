/** One look at a page in Chromium: how it comes, what that takes, and what is wrong with it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { misfitsOf, violationsOf } from '../../test/browser/rig/look.ts';
import { type Shift, shiftsOf, WATCH_SHIFTS } from '../../test/browser/rig/shift.ts';
import { openWindow, type Portal, type Shown, show } from './window.ts';

export interface View {
  readonly name: string;
  readonly options: BrowserContextOptions;
}

export interface Look {
  /** Of the whole page, in pixels. */
  readonly height: number;
  /** How far it is wider than the window, in pixels. */
  readonly overflow: number;
  readonly shifts: readonly Shift[];
  readonly paintMs: number;
  readonly shown: Shown;
  /** The same of a second visit, whose scripts are in the cache. */
  readonly again: Shown;
  /** Of all kinds. */
  readonly requests: number;
  /** Answers of the portal's API, in bytes: on the wire, without headers, and decoded. */
  readonly wire: number;
  readonly decoded: number;
  readonly violations: readonly string[];
  readonly misfits: readonly string[];
}

const QUIET_MS = 400;
const QUIET_DEADLINE_MS = 10_000;

const MEASURE = `(() => {
  const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
  const resources = performance.getEntriesByType('resource');
  const answers = resources.filter(({ name, initiatorType }) => initiatorType === 'fetch' && name.includes('/portal/api/'));
  const sum = (of, key) => of.reduce((total, each) => total + each[key], 0);
  return {
    height: scrollHeight,
    overflow: Math.max(0, scrollWidth - clientWidth),
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    requests: resources.length + 1,
    wire: sum(answers, 'encodedBodySize'),
    decoded: sum(answers, 'decodedBodySize'),
  };
})()`;

/** With an empty cache. Keeps a picture of the whole page if it is told where. */
export async function lookAt(portal: Portal, address: string, view: View, picture?: string): Promise<Look> {
  await using window = await openWindow(portal, view.options);
  const { page, context } = window;
  await context.addInitScript(WATCH_SHIFTS);
  const untilQuiet = watchRequests(page);
  const shown = await show(page, portal.baseUrl + address);
  await untilQuiet();
  const measured =
    await page.evaluate<Omit<Look, 'shown' | 'again' | 'shifts' | 'violations' | 'misfits'>>(MEASURE);
  const shifts = await shiftsOf(page);
  const violations = (await violationsOf(page)).map(({ id, targets }) => `${id}: ${targets}`);
  const misfits = await misfitsOf(page);
  if (picture !== undefined) await page.screenshot({ path: picture, fullPage: true });
  // An address with a fragment would not be loaded again from itself.
  await page.goto('about:blank');
  const again = await show(page, portal.baseUrl + address);
  return { ...measured, shown, again, shifts, violations, misfits };
}

/** Returns what waits until the page has asked for nothing for a while. A stream of events never ends, and does not count. */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let last = performance.now();
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request);
  });
  const over = (request: Request) => {
    open.delete(request);
    last = performance.now();
  };
  page.on('requestfinished', over).on('requestfailed', over);
  return async () => {
    const deadline = performance.now() + QUIET_DEADLINE_MS;
    const isQuiet = () => open.size === 0 && performance.now() - last > QUIET_MS;
    while (!isQuiet() && performance.now() < deadline) await sleep(QUIET_MS / 4);
  };
}
