/**
 * A real Chromium, even on a machine with only Node: the one in the npm package, or else the machine's own.
 * `COUNTERSIGN_TEST_CHROMIUM` names another and is then the only one tried.
 */
import { access, constants } from 'node:fs/promises';
import { type Browser, chromium } from 'playwright-core';
import { findPacked } from './packed.ts';

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

/** Returns a browser to close, or throws an error that says what to do. */
export async function launchChromium(): Promise<Browser> {
  const named = process.env.COUNTERSIGN_TEST_CHROMIUM;
  const ways = named === undefined ? [launchPacked, () => launch(INSTALLED)] : [() => launch(named)];
  const reasons: unknown[] = [];
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      reasons.push(error);
    }
  }
  throw new AggregateError(
    reasons,
    `no Chromium starts; name one that does with COUNTERSIGN_TEST_CHROMIUM=/path/to/chromium:\n${reasons.join('\n')}`,
  );
}

async function launchPacked(): Promise<Browser> {
  const { executable, env } = await findPacked();
  return launch(executable, env);
}

async function launch(executablePath: string, env: NodeJS.ProcessEnv = process.env): Promise<Browser> {
  // Playwright would find out too, but leave its temporary folders behind.
  await access(executablePath, constants.X_OK);
  return chromium.launch({
    executablePath,
    args: FLAGS,
    timeout: START_DEADLINE_MS,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
  });
}
