/** `<countersign-verify>` in a real browser, and what tests do with it and see of it. */
import assert from 'node:assert/strict';
import { after, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { freshNumber } from '../../acceptance/client.ts';
import { openService } from '../../client/trusted.ts';
import { launchChromium } from './chromium.ts';
import { startExample } from './example.ts';
import { look, misfitsOf } from './look.ts';

export const DEADLINE_MS = 30_000;
export const ELEMENT = `document.querySelector('countersign-verify')`;
/** As strict as a policy gets. */
export const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "connect-src 'self'", "style-src 'self'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'", "form-action 'self'"],
].join('; ');

interface Window {
  /** Attributes of the element on a page of the test's own; the example's page if absent. */
  readonly attributes?: string;
  /** What is around it: `%` stands for the element. */
  readonly around?: string;
  readonly lang?: string;
  readonly locale?: string;
  /** Runs before the page's own scripts. */
  readonly script?: string;
  readonly provokes?: readonly number[];
}

/** The example application in front of a real service, and a browser. They end with the tests. */
export async function startElement() {
  const routes = ['sms', 'voice', 'whatsapp'].map((channel) => ({ channel, carriers: ['simulator'] }));
  const { service, clientOf } = await openService({ config: { routes } });
  const apiKey = await service.createKey('component', { test: true });
  const countersign = clientOf({ apiKey });
  const example = await startExample(service, apiKey);
  after(() => example.end());
  const browser = await launchChromium();
  after(() => browser.close());
  /** What the browser received: headers and bodies. */
  const received: string[] = [];

  /** A window whose clock the test moves. The test fails on any complaint in the console. */
  const open = async (t: TestContext, options: Window = {}): Promise<Page> => {
    const { attributes, around = '%', lang = 'en', locale = 'en-US', script, provokes = [] } = options;
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const faults: string[] = [];
    const bodies: Promise<unknown>[] = [];
    t.after(async () => {
      await Promise.all(bodies);
      await context.close();
      assert.deepEqual(faults, [], 'the console stays empty');
    });
    context.setDefaultTimeout(DEADLINE_MS);
    await context.addInitScript(
      `addEventListener('securitypolicyviolation', (it) => console.error('policy: ' + it.violatedDirective));
       window.heard = [];
       for (const name of ['sent', 'confirmed', 'error'])
         addEventListener('countersign-' + name, ({ type, detail }) => heard.push({ type, ...detail }));`,
    );
    if (script !== undefined) await context.addInitScript(script);
    const page = await context.newPage();
    await page.clock.install();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      const isProvoked = provokes.some((status) => message.text().includes(`a status of ${status} `));
      if (message.type() === 'error' && !isProvoked) faults.push(message.text());
    });
    page.on('response', (response) => {
      received.push(JSON.stringify(response.headers()));
      // A request that was ended has no body.
      const body = response.text().catch(() => '');
      bodies.push(body.then((text) => received.push(text)));
    });
    if (attributes !== undefined) {
      const element = `<countersign-verify ${attributes}></countersign-verify>`;
      const body = `<!doctype html><html lang="${lang}"><meta name="viewport" content="width=device-width">
        <link rel="stylesheet" href="/page.css"><title>Test</title>
        <script type="module" src="/verify-element/define.js"></script>
        <main><h1>Test</h1>${around.replace('%', element)}</main></html>`;
      await page.route(`${example.origin}/test`, (route) =>
        route.fulfill({ contentType: 'text/html', body, headers: { 'content-security-policy': POLICY } }),
      );
    }
    await page.goto(`${example.origin}${attributes === undefined ? '/' : '/test'}`);
    await number(page).waitFor();
    return page;
  };

  return { service, apiKey, countersign, example, received, open };
}

/** What a finger would miss. */
export const TOO_LOW = `[...${ELEMENT}.shadowRoot.querySelectorAll('select, input, button')]
  .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < 44).map(({ outerHTML }) => outerHTML)`;

export const NARROWEST = { width: 320, height: 780 };
/** The field of the code is longer than what is seen of it. */
export const OUTSIDE = `[...${ELEMENT}.shadowRoot.querySelectorAll('[part]:not(#code)')].filter((it) => {
  const { left, right } = it.getBoundingClientRect();
  return it.checkVisibility() && (left < 0 || right > innerWidth);
}).map(({ outerHTML }) => outerHTML)`;
export const LIVE_REGIONS = `${ELEMENT}.shadowRoot.querySelectorAll('[aria-live], [role=status], [role=alert]').length`;

/** Every state is accessible, fits, and can be touched. */
export async function judge(page: Page): Promise<void> {
  await look(page);
  assert.deepEqual(await page.evaluate(TOO_LOW), []);
  await page.setViewportSize(NARROWEST);
  assert.deepEqual([await misfitsOf(page), await page.evaluate(OUTSIDE)], [[], []]);
  assert.equal(await page.evaluate(LIVE_REGIONS), 1, 'nothing is read out twice');
}

export const number = (page: Page) => page.locator('#number');
export const code = (page: Page) => page.locator('#code');
/** Also a button that says it is disabled: some people press it. */
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click({ force: true });
export const complaint = (page: Page) => page.locator('[part=error]:visible');
export const heard = (page: Page) =>
  page.evaluate<Record<string, unknown>[]>('JSON.parse(JSON.stringify(heard))');
export const nonEmpty = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);
/** What is read out at the end. */
export const said = (page: Page) => page.getByRole('status').textContent();

export async function send(page: Page, destination = freshNumber()): Promise<string> {
  await number(page).fill(destination);
  await number(page).press('Enter');
  await code(page).waitFor();
  return destination;
}

export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await code(page).focus();
  await page.keyboard.press('ControlOrMeta+V');
}

/** Keeps the page's next requests to a handler waiting, until `release` lets them through or answers them. */
export async function hold(page: Page, path: string) {
  let release = (_answer?: { readonly status: number; readonly json: object }) => {};
  const released = new Promise<Parameters<typeof release>[0]>((resolve) => {
    release = resolve;
  });
  let count = 0;
  await page.route(`**${path}`, async (route) => {
    count++;
    const answer = await released;
    await (answer === undefined ? route.continue() : route.fulfill(answer));
  });
  return {
    count: () => count,
    release: async (...answer: Parameters<typeof release>) => {
      const answered = page.waitForResponse(`**${path}`);
      release(...answer);
      await answered;
      await page.unroute(`**${path}`);
    },
  };
}

export const focused = (page: Page) => page.evaluate(`${ELEMENT}.shadowRoot.activeElement?.id`);
