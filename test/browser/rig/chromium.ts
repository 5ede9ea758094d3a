/**
 * A real Chromium, even on a machine with only Node: the one in the npm package, or else the machine's own.
 * `COUNTERSIGN_TEST_CHROMIUM` names another and is then the only one tried.
 */
import { access, constants } from 'node:fs/promises';
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';
import { findPacked, type Packed } from './packed.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
  // A passkey needs a page with a trusted certificate, and ours is self-signed.
  '--ignore-certificate-errors',
];
const START_DEADLINE_MS = 60_000;
const INSTALLED = '/usr/bin/chromium';

/** Where the one listens that a whole run has started. */
const { COUNTERSIGN_TEST_BROWSER: STARTED } = process.env;

/** Returns a browser to close, or throws an error that says what to do. If a run has started one for all files, it is that. */
export function launchChromium(): Promise<Browser> {
  return STARTED === undefined ? start((options) => chromium.launch(options)) : chromium.connect(STARTED);
}

/** Starts one for all files of a run. Each sees only the windows that it opened itself. */
export function serveChromium(): Promise<BrowserServer> {
  return start((options) => chromium.launchServer({ ...options, host: '127.0.0.1' }));
}

async function start<T>(launch: (options: LaunchOptions) => Promise<T>): Promise<T> {
  const named = process.env.COUNTERSIGN_TEST_CHROMIUM;
  const ways =
    named === undefined ? [findPacked, () => ({ executable: INSTALLED })] : [() => ({ executable: named })];
  const reasons: unknown[] = [];
  for (const way of ways) {
    try {
      return await launch(await optionsFor(await way()));
    } catch (error) {
      reasons.push(error);
    }
  }
  throw new AggregateError(
    reasons,
    `no Chromium starts; name one that does with COUNTERSIGN_TEST_CHROMIUM=/path/to/chromium:\n${reasons.join('\n')}`,
  );
}

async function optionsFor({
  executable,
  env = process.env,
}: Partial<Packed> & Pick<Packed, 'executable'>): Promise<LaunchOptions> {
  // Playwright would find out too, but leave its temporary folders behind.
  await access(executable, constants.X_OK);
  return {
    executablePath: executable,
    args: FLAGS,
    timeout: START_DEADLINE_MS,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
  };
}
