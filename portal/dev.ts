/**
 * `npm run dev`: a real service with an owner and a day of traffic, and Vite before it. Pages reload as their files change. When a file of
 * the service changes, it starts again with the data that it has.
 */
import { join, relative } from 'node:path';
import { createServer } from 'vite';
import { accountOf, makeKey } from '../test/browser/rig/stage.ts';
import { fillDay, sendCodes } from '../test/browser/rig/traffic.ts';
import { OWNER, PASSWORD, startPortal } from '../test/portal/rig.ts';

const CODES = 24;
const SOURCE = join(import.meta.dirname, '../src');

const ends: (() => unknown)[] = [];
const portal = await startPortal({ after: (end) => ends.push(end) });
const { service } = portal;
const owner = await portal.setUp();
const account = await accountOf(owner);
await sendCodes(service.client, await makeKey(owner, account, 'Checkout', false), CODES);
await sendCodes(service.client, await makeKey(owner, account, 'Staging'), CODES / 2);
fillDay(service.dataDir);

// Signed by itself; the browser speaks to Vite alone.
const to = { target: service.baseUrl, secure: false };
const vite = await createServer({
  root: import.meta.dirname,
  server: { proxy: { '/portal/api': to, '/verify': to, '/confirm': to } },
});
await vite.listen();
vite.printUrls();

let starting: Promise<void> = Promise.resolve();
async function startAgain(): Promise<void> {
  try {
    await service.restart();
    vite.ws.send({ type: 'full-reload' });
    console.log('The service runs again.');
  } catch (error) {
    // What was just written may not run yet. The next change tries again.
    console.error(error);
  }
}
vite.watcher.add(SOURCE).on('change', (file) => {
  if (relative(SOURCE, file).startsWith('..') || file.endsWith('.test.ts')) return;
  starting = starting.then(startAgain);
});

console.log(`Sign in as ${OWNER} with ${PASSWORD}. Nothing of this is kept.`);
process.once('SIGINT', async () => {
  await vite.close();
  await starting;
  for (const end of ends.reverse()) await end();
});
