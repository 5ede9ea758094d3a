/** How much of a page moves while it loads (Layout Instability API), without what follows on somebody's input. */
import type { Page } from 'playwright-core';

export interface Shift {
  readonly value: number;
  /** What moved most, and from where to where, in pixels from the top. */
  readonly by: string;
}

/** To be run before the page's own scripts. */
export const WATCH_SHIFTS = `(() => {
  const told = (node) => node === null ? 'what is gone' : node.nodeName + ' ' + (node.textContent ?? '').trim().slice(0, 40);
  const area = ({ currentRect, previousRect }) => Math.max(...[currentRect, previousRect].map(({ width, height }) => width * height));
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const [most] = sources.toSorted((a, b) => area(b) - area(a));
      const by = most === undefined ? '' : told(most.node) + ', from ' + most.previousRect.y + ' to ' + most.currentRect.y;
      if (!hadRecentInput) globalThis.shifts.push({ value, by });
    }
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

/** All of them since the page began to load, the greatest first. */
export const shiftsOf = (page: Page): Promise<Shift[]> =>
  page.evaluate<Shift[]>('shifts.toSorted((a, b) => b.value - a.value)');
