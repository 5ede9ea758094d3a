/** A page that is open while its service stops or is upgraded. */
import assert from 'node:assert/strict';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { copyBuild } from './rig/build.ts';
import { accountOf, heading, openWindow, redraw, settle, startStage } from './rig/stage.ts';

const { env, assets: ASSETS, replace: replaceBuild } = await copyBuild();
const stage = await startStage({ env });
const owner = await stage.portal.setUp();
const account = await accountOf(owner);

/** The script of a page, loaded when somebody goes there. */
async function chunkOf(page: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ASSETS, '../.vite/manifest.json'), 'utf8'));
  return join(ASSETS, '..', manifest[`src/pages/${page}/page.tsx`].file);
}

/** Opens the overview, and returns how often a document has been loaded since. */
async function openOverview(page: Page): Promise<() => number> {
  await page.goto(stage.address(`${account}/overview`));
  await heading(page, 'Overview');
  await settle(page);
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads++;
  });
  return () => loads;
}

const goTo = (page: Page, name: string) => page.getByRole('link', { name }).click();
const again = (page: Page) => page.getByRole('button', { name: 'Reload the page' });

test('a missing part is explained, and the page loads when it is back', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: [404] });
  const loads = await openOverview(page);
  const chunk = await chunkOf('keys');
  for (const suffix of ['', '.br', '.gz']) await rename(chunk + suffix, `${chunk}.away${suffix}`);
  await goTo(page, 'API keys');
  await page.getByRole('alert').getByText('A part of this page is missing').waitFor();
  assert.equal(loads(), 0, 'what loading again does not mend is not loaded again by itself');
  // The other pages are still there.
  await goTo(page, 'Overview');
  await heading(page, 'Overview');
  await goTo(page, 'API keys');
  await again(page).waitFor();
  for (const suffix of ['', '.br', '.gz']) await rename(`${chunk}.away${suffix}`, chunk + suffix);
  await again(page).click();
  await heading(page, 'API keys');
});

test('while the service is away, a page that was not open yet says so, and loads when it is back', async (t) => {
  const page = await openWindow(t, stage, { as: owner, losesService: true });
  const loads = await openOverview(page);
  await stage.portal.service.stop();
  await goTo(page, 'People');
  const said = page.locator('main').getByRole('alert').getByText('The service does not answer');
  await said.first().waitFor();
  await again(page).waitFor();
  // The page says so already: it has to have asked again.
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/portal/'));
  await again(page).click();
  await failed;
  await redraw(page);
  await said.first().waitFor();
  assert.equal(loads(), 0, 'the window is not given to the browser’s own error page');
  await stage.portal.service.restart();
  await again(page).click();
  await heading(page, 'People');
});

test('a page that was open during an upgrade reloads itself, once', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: [404], losesService: true });
  const loads = await openOverview(page);
  await replaceBuild();
  await stage.portal.service.restart();
  await goTo(page, 'Settings');
  await heading(page, 'Settings');
  assert.equal(loads(), 1);

  // Versions that change all the time, as behind a proxy with two of them: a button, no loop.
  await replaceBuild();
  await goTo(page, 'Handset');
  await page.getByRole('alert').getByText('The portal was upgraded').waitFor();
  assert.equal(loads(), 1);
  await again(page).click();
  await heading(page, 'Handset');
});
