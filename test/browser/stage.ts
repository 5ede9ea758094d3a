/** A portal of the test's own, and windows of a real browser on it. One browser serves a whole file. */
import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { firstAccount, type PortalRig, read, startPortal, type Visitor } from '../portal/rig.ts';
import { type Chromium, launchChromium } from './chromium.ts';

const DEADLINE_MS = 30_000;

export interface Stage {
  readonly portal: PortalRig;
  /** The address of a page, from one such as `/sign-in`. */
  address(path: string): string;
  /** A window that shares nothing with any other; signed in as the visitor, where one is given. */
  open(visitor?: Visitor, options?: BrowserContextOptions): Promise<Page>;
}

/** Refusals that a test provokes are shown in the console by the browser itself; anything else there is a fault. */
const PROVOKED = /the server responded with a status of (401|403|429) /;

export function useStage(): (t: TestContext) => Promise<Stage> {
  let chromium: Chromium;
  before(async () => {
    chromium = await launchChromium();
  });
  after(() => chromium?.[Symbol.asyncDispose]());

  return async (t) => {
    const portal = await startPortal(t);
    const { baseUrl } = portal.service;
    return {
      portal,
      address: (path) => `${baseUrl}/portal${path}`,
      async open(visitor, options = {}) {
        const context = await chromium.browser.newContext({ ignoreHTTPSErrors: true, ...options });
        const faults: string[] = [];
        t.after(async () => {
          await context.close();
          assert.deepEqual(faults, [], 'the console stays empty');
        });
        context.setDefaultTimeout(DEADLINE_MS);
        const cookies = [...(visitor?.cookies ?? [])];
        await context.addCookies(
          cookies.map(([name, value]) => ({ name, value, url: baseUrl, secure: true, httpOnly: true })),
        );
        const page = await context.newPage();
        page.on('pageerror', (error) => faults.push(String(error)));
        page.on('console', (message) => {
          if (message.type() === 'error' && !PROVOKED.test(message.text())) faults.push(message.text());
        });
        return page;
      },
    };
  };
}

/** The address of the owner's own account, such as `/accounts/default`. */
export const accountOf = async (visitor: Visitor): Promise<string> =>
  `/accounts/${(await firstAccount(visitor)).id}`;

/** Makes a key over the portal's API, and answers it. */
export async function makeKey(visitor: Visitor, name: string, test = true): Promise<string> {
  const bounds = { expires_at: null, restrictions: { channels: [], countries: [], sources: [] } };
  const answer = await visitor.post(`/portal/api${await accountOf(visitor)}/keys`, { name, test, ...bounds });
  return read<{ secret: string }>(answer).secret;
}

export async function signIn(page: Page, address: string, email: string, password: string): Promise<void> {
  await page.goto(address);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
