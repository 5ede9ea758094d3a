/**
 * Finds faults of a page as it is shown. `COUNTERSIGN_TEST_SCREENSHOTS=docs/portal` also keeps the pictures of the documents there.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

export const WIDE = { width: 1440, height: 900 };
const MIDDLE = { width: 768, height: 900 };
export const NARROW = { width: 360, height: 780 };

/** What README.md and docs/portal.md show; all else they say. */
const PICTURES: ReadonlySet<string> = new Set([
  'overview',
  'overview-narrow',
  'verifications',
  'verification',
  'carriers',
  'alerts',
  'guard',
  'handset',
]);

/** Checks the page wide and light, at middle width, and narrow and dark. */
export async function look(page: Page, picture?: string): Promise<void> {
  await showIn(page, 'light');
  await page.setViewportSize(WIDE);
  const wide = await misfitsOf(page);
  const light = await violationsOf(page);
  await keep(page, picture);
  await page.setViewportSize(MIDDLE);
  const middle = await misfitsOf(page);
  await showIn(page, 'dark');
  await page.setViewportSize(NARROW);
  const narrow = await misfitsOf(page);
  const dark = await violationsOf(page);
  await keep(page, picture && `${picture}-narrow`);
  assert.deepEqual(
    { wide, light, middle, narrow, dark },
    { wide: [], light: [], middle: [], narrow: [], dark: [] },
  );
}

async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // A page of the portal is told a moment later; the reference follows by itself.
  await page
    .locator(`html[data-mantine-color-scheme=${colorScheme}], html:not([data-mantine-color-scheme])`)
    .waitFor();
}

async function keep(page: Page, picture: string | undefined): Promise<void> {
  const folder = process.env.COUNTERSIGN_TEST_SCREENSHOTS;
  if (folder === undefined || picture === undefined || !PICTURES.has(picture)) return;
  await page.evaluate('scrollTo(0, 0)');
  // Playwright itself takes no WebP.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  await session.detach();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${picture}.webp`), data, 'base64');
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly targets: string;
}

/** Whatever fades or changes its colour has done so: halfway it has colours that nobody is to read. */
const STILL = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished)).then(() => {})`;

/** What axe finds, without what it could not decide. */
export async function violationsOf(page: Page): Promise<Violation[]> {
  await page.evaluate(STILL);
  // Through the debugger, because the page's policy does not apply to it; once for each document.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  return page.evaluate<Violation[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, help, nodes }) => (
      { id, help, targets: nodes.map((node) => node.html + ' ' + node.failureSummary).join(', ') }
    )))`,
  );
}

/**
 * Texts and controls that stick out of the window, except inside areas that scroll or are hidden, and those whose text does
 * not fit; labels of charts that their picture cuts off.
 */
const MISFITS = `(() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const scrolls = (element) => element !== null &&
    (/(auto|scroll)/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const shown = [...document.querySelectorAll('button, a, input, select, h1, h2, p, td, th, dd, dt, label, span')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 1);
  const out = shown.filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return (left < -0.5 || right > innerWidth + 0.5) && !scrolls(element.parentElement) && right > 0;
  });
  const cut = shown.filter((element) => !element.matches('input, select') &&
    /(hidden|clip)/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1);
  const labels = [...document.querySelectorAll('svg text')].filter((element) => {
    const [{ left, right }, picture] = [element, element.ownerSVGElement].map((each) => each.getBoundingClientRect());
    return left < picture.left - 0.5 || right > picture.right + 0.5;
  });
  const told = (what) => (element) => what + element.outerHTML.slice(0, 160);
  return [...(wide > 0 ? ['scrolls sideways by ' + wide] : []), ...out.map(told('sticks out: ')), ...[...cut, ...labels].map(told('cut off: '))];
})()`;

/** Charts follow a new width of the window a moment later. */
export async function misfitsOf(page: Page): Promise<string[]> {
  for (let looks = 1; ; looks++) {
    const misfits = await page.evaluate<string[]>(MISFITS);
    if (misfits.length === 0 || looks === 40) return misfits;
    await sleep(50);
  }
}

/** Links and other targets that are lower than 24 pixels, or lie on one another. */
const CROWDED = `(() => {
  const targets = [...document.querySelectorAll('a, summary, label')]
    .filter((element) => element.checkVisibility())
    .map((element) => ({ told: element.outerHTML.slice(0, 120), box: element.getBoundingClientRect() }));
  const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  return targets.flatMap(({ told, box }, index) => [
    ...(box.height < 24 ? ['low: ' + told] : []),
    ...targets.slice(0, index).filter((other) => meet(box, other.box)).map((other) => other.told + ' on ' + told),
  ]);
})()`;

export const crowdedOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(CROWDED);
