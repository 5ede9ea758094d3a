/** For work on the pages: a real service with an owner and a day of traffic, and Vite before it, which reloads as files change. */
import { createServer } from 'vite';
import { accountOf, makeKey } from '../test/browser/rig/stage.ts';
import { fillDay, sendCodes } from '../test/browser/rig/traffic.ts';
import { OWNER, PASSWORD, startPortal } from '../test/portal/rig.ts';

const CODES = 24;

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
console.log(`Sign in as ${OWNER} with ${PASSWORD}. Nothing of this is kept.`);
process.once('SIGINT', async () => {
  await vite.close();
  for (const end of ends.reverse()) await end();
});
