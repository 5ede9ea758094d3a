/** Signs people in by their phone number: two routes for the element, one that says who is signed in, and a page. */
import { randomBytes } from 'node:crypto';
import { Countersign } from '@countersign/client';
import { createHandlers } from '@countersign/client/handlers';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { generateSignedCookie, getSignedCookie } from 'hono/cookie';
import { secureHeaders } from 'hono/secure-headers';

const { COUNTERSIGN_API_KEY: apiKey = '', COUNTERSIGN_URL: baseUrl = 'https://localhost:8443' } = process.env;
// A random one signs everybody out when the server restarts.
const { COOKIE_SECRET: secret = randomBytes(32).toString('hex'), PORT: port = '3000' } = process.env;
const session = { path: '/', httpOnly: true, secure: true, sameSite: 'Lax', maxAge: 86_400 };

function openHandlers() {
  try {
    return createHandlers({
      countersign: new Countersign({ apiKey, baseUrl }),
      secret,
      onConfirmed: async (destination) => {
        const cookie = await generateSignedCookie('session', destination, secret, session);
        return new Response(null, { headers: { 'set-cookie': cookie } });
      },
    });
  } catch ({ message }) {
    console.error(`COUNTERSIGN_API_KEY, COUNTERSIGN_URL or COOKIE_SECRET: ${message}`);
    process.exit(1);
  }
}
const { start, check } = openHandlers();

const app = new Hono();
const own = ["'self'"];
const contentSecurityPolicy = {
  ...{ defaultSrc: ["'none'"], scriptSrc: own, styleSrc: own, connectSrc: own, imgSrc: ['data:'] },
  ...{
    requireTrustedTypesFor: ["'script'"],
    baseUri: ["'none'"],
    formAction: own,
    frameAncestors: ["'none'"],
  },
};
app.use(secureHeaders({ contentSecurityPolicy }));
app.post('/verify/start', (c) => start(c.req.raw));
app.post('/verify/check', (c) => check(c.req.raw));
app.get('/me', async (c) => c.json({ number: (await getSignedCookie(c, secret, 'session')) || null }));
app.use(
  '/verify-element/*',
  serveStatic({
    root: './node_modules/@countersign/verify-element/dist',
    rewriteRequestPath: (path) => path.replace('/verify-element', ''),
  }),
);
app.use(serveStatic({ root: './public' }));

serve({ fetch: app.fetch, port: Number(port) }, () => console.log(`Open http://localhost:${port}`));
