/**
 * Every page in both schemes and at three widths. `COUNTERSIGN_TEST_SCREENSHOTS=docs/portal` also keeps pictures of them there.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { OWNER, PASSWORD } from '../portal/rig.ts';
import { accountOf, heading, makeKey, signIn, useStage } from './stage.ts';
import { sendCodes } from './traffic.ts';

const stage = useStage();
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 768, 1440];
const PICTURED = ['light 1440', 'dark 360'];
const SCRIPT_BUDGET = 200 * 1024;
const INTERACTIVE_BOUND_MS = 20_000;
const folder = process.env.COUNTERSIGN_TEST_SCREENSHOTS;
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly targets: string;
}

/** What axe finds, without what it merely could not decide. */
async function violationsOf(page: Page): Promise<Violation[]> {
  await page.evaluate(axe);
  return page.evaluate<Violation[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, help, nodes }) => (
      { id, help, targets: nodes.map(({ target, any }) => target.join(' ') + ' ' + (any[0]?.message ?? '')).join(', ') }
    )))`,
  );
}

/** Texts and controls that stick out of the window, other than inside of what scrolls or is hidden from sight. */
const STICKING_OUT = `(() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const scrolls = (element) => element !== null &&
    (/(auto|scroll)/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const cut = [...document.querySelectorAll('button, a, input, select, h1, h2, p, td, th, dd, dt, label')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 1 && (left < -0.5 || right > innerWidth + 0.5) && !scrolls(element.parentElement) && right > 0;
  });
  return [...(wide > 0 ? ['scrolls sideways by ' + wide] : []), ...cut.map((element) => element.outerHTML.slice(0, 120))];
})()`;

test('every page holds no fault that axe knows, and fits the window', async (t) => {
  const { portal, address, open } = await stage(t);
  const owner = await portal.setUp();
  await portal.join(owner, 'developer', 'dana@example.com');
  const invited = { email: 'ines@example.com', role: 'viewer' };
  const account = await accountOf(owner);
  await owner.post(`/portal/api${account}/invitations`, invited);
  await makeKey(owner, 'Staging');
  const key = await makeKey(owner, 'Checkout, production', false);
  await sendCodes(portal.service.client, key, 24);
  const list = await owner.get(`/portal/api${account}/verifications`);
  const newest: unknown = JSON.parse(list.text).verifications[0].id;

  const pages: readonly (readonly [name: string, path: string, title: string])[] = [
    ['overview', `${account}/overview`, 'Overview'],
    ['handset', `${account}/handset`, 'Handset'],
    ['keys', `${account}/keys`, 'API keys'],
    ['verifications', `${account}/verifications`, 'Verifications'],
    ['verification', `${account}/verifications/${newest}`, 'Verification'],
    ['people', `${account}/people`, 'People'],
    ['audit', `${account}/audit`, 'Audit log'],
    ['settings', `${account}/settings`, 'Settings'],
    ['me', '/me', 'Your sign-in'],
    ['new-account', '/new-account', 'Add an account'],
    ['not-found', '/nowhere', 'There is nothing here'],
  ];
  if (folder !== undefined) await mkdir(folder, { recursive: true });

  for (const colorScheme of SCHEMES) {
    await t.test(colorScheme, async (t) => {
      const signedIn = await open(owner, { colorScheme });
      const stranger = await open(undefined, { colorScheme });
      const invitation = ['sign-in', '/sign-in', 'Sign in'] as const;
      for (const [name, path, title] of [...pages, invitation]) {
        await t.test(name, async () => {
          const page = name === 'sign-in' ? stranger : signedIn;
          await page.setViewportSize({ width: 1440, height: 900 });
          await page.goto(address(path));
          await heading(page, title);
          await page.waitForFunction(`document.querySelector('[role=status][aria-label=Loading]') === null`);
          const dark = await page.evaluate(`document.documentElement.dataset.mantineColorScheme === 'dark'`);
          assert.equal(dark, colorScheme === 'dark');
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
            assert.deepEqual(await page.evaluate(STICKING_OUT), [], `${width} px`);
            if (folder !== undefined && PICTURED.includes(`${colorScheme} ${width}`)) {
              await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
            }
          }
          assert.deepEqual(await violationsOf(page), []);
          await page.setViewportSize({ width: 360, height: 780 });
          assert.deepEqual(await violationsOf(page), [], 'narrow');
        });
      }
    });
  }
});

test('the first page is small and soon there', async (t) => {
  const { portal, address, open } = await stage(t);
  await portal.setUp();
  const page = await open();
  await signIn(page, address('/sign-in'), OWNER, PASSWORD);
  await heading(page, 'Overview');
  const cookies = await page.context().cookies();
  const fresh = await open();
  await fresh.context().addCookies(cookies);
  const scripts: Promise<number>[] = [];
  fresh.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    assert.ok(response.headers()['content-encoding'], `${response.url()} is compressed`);
    scripts.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  const began = performance.now();
  await fresh.goto(address('/'));
  await fresh.getByRole('button', { name: 'Sign out' }).waitFor();
  const interactive = performance.now() - began;
  await fresh.waitForLoadState('load');
  const bytes = (await Promise.all(scripts)).reduce((sum, one) => sum + one, 0);
  t.diagnostic(`${bytes} bytes of script, there after ${Math.round(interactive)} ms`);
  assert.ok(scripts.length > 0 && bytes < SCRIPT_BUDGET, `${bytes} bytes`);
  assert.ok(interactive < INTERACTIVE_BOUND_MS);
});
