/**
 * A real Chromium where there may be nothing but Node: the one of the npm package, else the machine's own.
 * `COUNTERSIGN_TEST_CHROMIUM` names another and is then the only one tried.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
  // A passkey needs a page whose certificate is trusted, and ours is signed by itself.
  '--ignore-certificate-errors',
];
const START_DEADLINE_MS = 60_000;
const INSTALLED = '/usr/bin/chromium';

export interface Chromium extends AsyncDisposable {
  readonly browser: Browser;
}

export async function launchChromium(): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-chromium-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const browser = await launchFirst(folder);
    return {
      browser,
      async [Symbol.asyncDispose]() {
        await browser.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function launchFirst(folder: string): Promise<Browser> {
  const named = process.env.COUNTERSIGN_TEST_CHROMIUM;
  const ways =
    named === undefined
      ? [() => launchPacked(folder), () => launch(INSTALLED, process.env)]
      : [() => launch(named, process.env)];
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

const launch = (executablePath: string, env: NodeJS.ProcessEnv): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: FLAGS,
    timeout: START_DEADLINE_MS,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
  });

/**
 * The package unpacks into the temporary folder, and brings the system libraries that a bare machine lacks only where it
 * believes itself on AWS. It is told so while it is loaded and unpacks; nothing of that stays in this process.
 */
async function launchPacked(folder: string): Promise<Browser> {
  const before = { ...process.env };
  Object.assign(process.env, { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' });
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const path = await packed.executablePath();
    return await launch(path, process.env);
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}
