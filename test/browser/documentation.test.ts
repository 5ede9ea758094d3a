/** The reference and the guides, as a browser shows them: to eyes, to the keyboard, to a screen reader, and without scripts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { crowdedOf, look, misfitsOf, NARROW, WIDE } from './rig/look.ts';
import { shiftsOf, WATCH_SHIFTS } from './rig/shift.ts';
import { heading, openWindow, redraw, startStage, untilCount } from './rig/stage.ts';

const stage = await startStage();
const at = (path: string) => new URL(path, stage.address('/')).href;

const PLACES = [
  '/docs',
  '/docs/guides',
  '/docs/guides/portal',
  '/docs/guides/configuration',
  '/docs/guides/recipes/express',
  '/problems/quota-exceeded',
];

/** What Google calls good. */
const MOST = 0.1;

for (const place of PLACES) {
  test(`wide and narrow, light and dark: ${place}`, async (t) => {
    const page = await openWindow(t, stage, { viewport: WIDE });
    await page.goto(at(place));
    await look(page);
  });

  test(`nothing moves while it loads: ${place}`, async (t) => {
    for (const viewport of [WIDE, NARROW]) {
      const page = await openWindow(t, stage, { viewport });
      await page.context().addInitScript(WATCH_SHIFTS);
      await page.goto(at(place));
      await redraw(page);
      const shifts = await shiftsOf(page);
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      assert.ok(sum < MOST, `${viewport.width} wide: ${JSON.stringify(shifts.slice(0, 4))}`);
    }
  });
}

test('the reference fits the window at every width, and its targets are far enough apart', async (t) => {
  const page = await openWindow(t, stage);
  for (const path of ['/docs', '/problems/code-mismatch']) {
    await page.goto(at(path));
    await page.evaluate(`document.querySelectorAll('details').forEach((fold) => { fold.open = true; })`);
    await look(page);
    for (const width of [360, 768, 959, 960, 1087, 1088, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual({ width, misfits: await misfitsOf(page) }, { width, misfits: [] });
      assert.deepEqual({ width, crowded: await crowdedOf(page) }, { width, crowded: [] });
    }
  }
});

test('another language leaves the reference where it was', async (t) => {
  const page = await openWindow(t, stage, { viewport: WIDE });
  await page.goto(at('/docs#simulator-messages'));
  const read = page.getByRole('heading', { name: 'Read the simulator’s messages' });
  const topOf = async () => Math.round((await read.boundingBox())?.y ?? Number.NaN);
  const before = await topOf();
  for (const language of ['Python', 'curl', 'TypeScript']) {
    await page.getByRole('radio', { name: language }).check();
    // The browser has made up then for what changed above.
    await redraw(page);
    const moved = Math.abs((await topOf()) - before);
    assert.ok(moved <= 2, `${language} moves it by ${moved} pixels`);
  }
});

test('the reference needs only the keyboard and no script', async (t) => {
  const page = await openWindow(t, stage, { javaScriptEnabled: false, viewport: NARROW });
  await page.goto(at('/docs'));
  const samples = page.locator('.sample:visible');
  const operations = await samples.count();
  assert.ok(operations > 0);
  await page.getByRole('radio', { name: 'curl' }).focus();
  for (const language of ['typescript', 'python', 'curl']) {
    await page.keyboard.press('ArrowRight');
    await untilCount(page.locator(`.sample.in-${language}:visible`), operations);
    assert.equal(await samples.count(), operations, 'only the chosen language is shown');
  }
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await page.getByRole('link', { name: 'POST /confirm' }).first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#confirm$/);
});

const search = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const options = (page: Page) => search(page).getByRole('option');

test('the keyboard alone searches all guides, and goes where it says', async (t) => {
  const page = await openWindow(t, stage, { viewport: WIDE });
  await page.goto(at('/docs'));
  await page.keyboard.press('/');
  await page.keyboard.type('limits');
  await options(page).first().waitFor();
  assert.match(await search(page).getByRole('status').innerText(), /^\d+ found$/);
  const selected = search(page).getByRole('option', { selected: true });
  const first = await selected.innerText();
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await selected.innerText(), first);
  const field = search(page).getByRole('combobox');
  assert.equal(await field.getAttribute('aria-activedescendant'), await selected.getAttribute('id'));
  await page.keyboard.press('ArrowUp');
  assert.equal(await selected.innerText(), first);
  await field.fill('single sign');
  await page.keyboard.press('Enter');
  await heading(page, 'The web portal');
  assert.equal(new URL(page.url()).hash, '#single-sign-on');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nobody wrote this');
  await search(page).getByText('Nothing found').waitFor();
  await page.keyboard.press('Escape');
  await untilCount(search(page), 0);
});

test('the search finds operations and problems too, and closes when it leads to the same page', async (t) => {
  const page = await openWindow(t, stage, { viewport: NARROW });
  await page.goto(at('/docs'));
  await page.getByRole('button', { name: 'Search' }).click();
  await page.keyboard.type('code-mis');
  await search(page)
    .getByRole('option', { name: /^code-mismatch/ })
    .waitFor();
  await search(page).getByRole('combobox').fill('post /conf');
  await search(page).getByRole('option', { name: 'POST /confirm' }).first().click();
  await page.waitForURL(/#confirm$/);
  await untilCount(search(page), 0);
});

test('where more is found than shown, the search says how much', async (t) => {
  const page = await openWindow(t, stage, { viewport: WIDE });
  await page.goto(at('/docs'));
  await page.keyboard.press('/');
  await page.keyboard.type('smpp');
  await options(page).first().waitFor();
  const told = await search(page).getByRole('status').innerText();
  const [, found, more] = /^(\d+) found, (\d+) more than shown: type more letters$/.exec(told) ?? [];
  assert.equal(Number(found) - Number(more), await options(page).count(), told);
});

test('while the search is not there, it says so, and nothing else', async (t) => {
  const page = await openWindow(t, stage, { viewport: NARROW, losesService: true });
  const { promise: held, resolve: fail } = Promise.withResolvers<void>();
  await page.route('**/search.json', async (route) => {
    await held;
    await route.abort();
  });
  await page.goto(at('/docs'));
  await page.getByRole('button', { name: 'Search' }).click();
  const told = search(page).getByRole('status');
  await page.keyboard.type('limits');
  assert.equal(await told.innerText(), 'Searching…');
  fail();
  await told.getByText('The search is not there just now').waitFor();
  await page.keyboard.type('.');
  assert.match(await told.innerText(), /^The search is not there just now/);
  await page.keyboard.press('Escape');
  await page.unroute('**/search.json');
  await page.getByRole('button', { name: 'Search' }).click();
  await options(page).first().waitFor();
});

test('what is found fits a narrow window', async (t) => {
  const page = await openWindow(t, stage, { viewport: NARROW });
  await page.goto(at('/docs'));
  await page.getByRole('button', { name: 'Search' }).click();
  for (const words of ['receipts.proof', 'messages.registered', 'smpp']) {
    await search(page).getByRole('combobox').fill(words);
    await options(page).first().waitFor();
    const wider = await search(page).evaluate(
      (dialog) =>
        [...dialog.querySelectorAll('.found, .found *')].filter(
          (part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
        ).length,
    );
    assert.equal(wider, 0, words);
    assert.deepEqual(await misfitsOf(page), []);
  }
});

test('a browser that lets pages store nothing searches and copies', async (t) => {
  const page = await openWindow(t, stage, {
    viewport: WIDE,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.addInitScript(`Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('blocked', 'SecurityError'); } })`);
  await page.goto(at('/docs'));
  await page.getByRole('button', { name: 'Copy Address and key shell' }).click();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.match(copied, new RegExp(`^export COUNTERSIGN_URL=${stage.portal.service.baseUrl}\n`));
  await page.keyboard.press('/');
  await page.keyboard.type('docker');
  await search(page).getByRole('option', { name: 'Container' }).waitFor();
});

test('the search is seen well while it is open', async (t) => {
  const page = await openWindow(t, stage, { viewport: WIDE });
  await page.goto(at('/docs/guides/alerts'));
  await page.keyboard.press('/');
  await page.keyboard.type('limits');
  await options(page).first().waitFor();
  await look(page);
});

test('a sample is copied as it stands, and that is said', async (t) => {
  const page = await openWindow(t, stage, {
    viewport: WIDE,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  for (const [place, name, sample] of [
    ['/docs', 'Copy POST /verify curl', 'figure.sample.in-curl pre >> nth=0'],
    ['/docs/guides/webhooks', 'Copy', '.block pre >> nth=0'],
  ] as const) {
    await page.goto(at(place));
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('status').getByText('Copied to the clipboard').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(copied, await page.locator(sample).textContent());
  }
});

test('the keyboard scrolls a sample that is wider than its place', async (t) => {
  const page = await openWindow(t, stage, { viewport: NARROW });
  await page.goto(at('/docs/guides/recipes/express'));
  const sample = page.locator('pre').first();
  await sample.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((pre) => (pre?.scrollLeft ?? 0) > 0, await sample.elementHandle());
});

test('on a narrow screen the menu opens, marks where it is, and leads on', async (t) => {
  const page = await openWindow(t, stage, { viewport: NARROW });
  await page.goto(at('/docs/guides/routing'));
  const menu = page.getByRole('navigation', { name: 'Documentation' });
  await untilCount(menu, 0);
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  assert.equal(await menu.locator('[aria-current=page]').innerText(), 'Routing');
  await menu.getByText('Operating').click();
  await look(page);
  await page.setViewportSize(NARROW);
  await page.getByRole('button', { name: 'Menu' }).click();
  await menu.getByRole('link', { name: 'Alerts' }).click();
  await heading(page, 'Alerts');
  await page.goto(at('/docs'));
  await page.getByRole('button', { name: 'Menu' }).click();
  await menu.getByRole('link', { name: 'POST /confirm' }).click();
  await untilCount(menu, 0);
});

test('on a wide screen the navigation leads from page to page', async (t) => {
  const page = await openWindow(t, stage, { viewport: WIDE });
  await page.goto(at('/docs'));
  const navigation = page.getByRole('navigation', { name: 'Documentation' });
  await navigation.getByText('Sending', { exact: true }).click();
  await navigation.getByRole('link', { name: 'Budgets' }).click();
  await heading(page, 'Budgets');
  await navigation.getByText('API reference').click();
  await navigation.getByRole('link', { name: 'POST /confirm' }).click();
  await page.waitForURL(/\/docs#confirm$/);
});

test('a wide screen marks the part that is read', async (t) => {
  const page = await openWindow(t, stage, { viewport: WIDE });
  await page.goto(at('/docs/guides/webhooks#secrets'));
  const outline = page.getByRole('complementary', { name: 'On this page' });
  await outline.locator('[aria-current]').getByText('Secrets').waitFor();
  await outline.getByRole('link', { name: 'Tries' }).click();
  await outline.locator('[aria-current]').getByText('Tries').waitFor();
});

test('in a narrow window each row of a table is a card, whose cells say what they are', async (t) => {
  const page = await openWindow(t, stage, { viewport: NARROW });
  for (const name of ['configuration', 'operations', 'hooks']) {
    await page.goto(at(`/docs/guides/${name}`));
    for (const width of [360, 390, 768, 959]) {
      await page.setViewportSize({ width, height: 900 });
      const tables = page.locator('.wide');
      const wider = await tables.evaluateAll(
        (all) => all.filter((table) => table.scrollWidth > table.clientWidth).length,
      );
      assert.deepEqual({ name, width, wider }, { name, width, wider: 0 });
    }
    const last = `[...document.querySelectorAll('.wide td')].at(-1)`;
    const said = await page.evaluate(`getComputedStyle(${last}, '::before').content`);
    const label = await page.evaluate(`${last}.dataset.label`);
    assert.notEqual(label, '');
    assert.equal(said, JSON.stringify(label));
  }
});

test('the pictures of a guide come when they are scrolled to', async (t) => {
  const page = await openWindow(t, stage, { viewport: WIDE });
  await page.goto(at('/docs/guides/portal'));
  const picture = page.getByRole('img', { name: 'Alerts' });
  await picture.scrollIntoViewIfNeeded();
  const shown = `[...document.images].find(({ alt }) => alt === 'Alerts')`;
  assert.equal(await page.evaluate(`${shown}.decode().then(() => ${shown}.naturalWidth)`), 1440);
});

test('what was chosen in the portal decides whether a page is dark', async (t) => {
  const page = await openWindow(t, stage, { viewport: WIDE, colorScheme: 'light' });
  await page.goto(at('/docs'));
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  assert.equal(await paper(), 'rgb(255, 255, 255)');
  await page.evaluate(`localStorage.setItem('countersign-scheme', 'dark')`);
  await page.reload();
  assert.equal(await paper(), 'rgb(20, 22, 26)');
});

test('without scripts, everything can be read and reached, and nothing is offered that does not work', async (t) => {
  const page = await openWindow(t, stage, { viewport: NARROW, javaScriptEnabled: false });
  await page.goto(at('/docs/guides/webhooks'));
  await untilCount(page.getByRole('button', { name: /Search|Copy/ }), 0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Express' }).click();
  await heading(page, 'Express');
});

test('the brand leads to the portal', async (t) => {
  // The portal asks who is signed in.
  const page = await openWindow(t, stage, { viewport: WIDE, provokes: [401] });
  await page.goto(at('/docs'));
  await page.getByRole('link', { name: 'Countersign', exact: true }).click();
  await page.waitForURL(/\/portal\/sign-in/);
});
