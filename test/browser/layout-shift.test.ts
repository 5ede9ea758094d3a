/** Nothing that somebody reads or is about to press moves away while a page loads, however slowly its answers come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { NARROW, WIDE } from './rig/look.ts';
import { shiftsOf, WATCH_SHIFTS } from './rig/shift.ts';
import { accountOf, makeKey, openWindow, redraw, settle, startStage } from './rig/stage.ts';
import { fillDay, sendCodes } from './rig/traffic.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);

/** What Google calls good. */
const MOST = 0.1;
/** Long enough that each page is drawn without its answers first, and that they come one by one. */
const SLOWEST_MS = 400;

const PLACES = [
  ...[
    'overview',
    'overview?view=carriers',
    'overview?view=countries',
    'handset',
    'keys',
    'verifications',
    'carriers',
    'carriers?view=routes',
    'carriers?view=configuration',
    'guard',
    'guard?view=evidence',
    'guard?view=rules',
    'countries',
    'do-not-send',
    'webhooks',
    'alerts',
    'people',
    'audit',
    'data-requests',
    'settings',
  ].map((name) => `${account}/${name}`),
  ...['/me', '/new-account', '/nowhere'],
];

/** Where rows become cards, or what stands beside each other stands below. */
const NARROW_PLACES = PLACES.filter((place) =>
  /overview|keys|verifications|carriers$|guard$|countries|people/.test(place),
);

await stage.portal.join(owner, 'developer', 'dana@example.com');
await owner.post(`/portal/api${account}/webhooks`, { url: 'https://example.com/countersign', types: [] });
// Live, so that a notice stands above every page.
const key = await makeKey(owner, account, 'Checkout, production', false);
await makeKey(owner, account, 'Staging');
await sendCodes(stage.portal.service.client, key, 24);
fillDay(stage.portal.service.dataDir);

for (const [viewport, places] of [
  [WIDE, PLACES],
  [NARROW, NARROW_PLACES],
] as const) {
  for (const place of places) {
    test(`at most a tenth of a page moves while it loads: ${place.replace(account, '')}, ${viewport.width} wide`, async (t) => {
      const page = await openWindow(t, stage, { as: owner, viewport });
      await page.context().addInitScript(WATCH_SHIFTS);
      await page.context().addInitScript(WAIT_FOREVER);
      await slowDown(page);
      await page.goto(stage.address(place));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await settle(page);
      await redraw(page);
      const shifts = await shiftsOf(page);
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      assert.ok(sum < MOST, `${sum}: ${JSON.stringify(shifts.slice(0, 4), null, 1)}`);
    });
  }
}

/** A page shows itself without what takes seconds. Here it waits: how fast this machine is must decide nothing. */
const WAIT_FOREVER = `(() => {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (call, ms, ...values) => setTimeout(call, ms < 2_000 ? ms : 2 ** 31 - 1, ...values);
})()`;

/** Each answer comes at a moment of its own. */
async function slowDown(page: Page): Promise<void> {
  let asked = 0;
  await page.route('**/portal/api/**', async (route) => {
    asked += 1;
    await sleep(SLOWEST_MS * ((asked * 0.618) % 1));
    await route.continue();
  });
}
