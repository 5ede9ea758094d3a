/** The recipes for Express, Hono and Next.js: what they give to paste is run, from nothing to a session. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { freshNumber, wrongCode } from '../acceptance/client.ts';
import { createAppFolder, startApp } from '../app.ts';
import { openService } from '../client/trusted.ts';
import { ROOT } from '../deploy/project.ts';
import { paste } from './page.ts';
import { createVisitor, type Visitor } from './visitor.ts';

const { service, clientOf } = await openService({});
const apiKey = await service.createKey('recipes', { test: true });
const countersign = clientOf({ apiKey });
const SECRET = 'thirty-two characters, at random';
const env = { COUNTERSIGN_API_KEY: apiKey, COUNTERSIGN_URL: service.baseUrl, SECRET };

/** What a page gives to paste, running. `prepare` adds to it. */
async function open(
  t: TestContext,
  page: string,
  packages: readonly string[],
  { program = 'server.js', prepare = (_: string) => {} } = {},
) {
  const { folder, remove } = createAppFolder(packages);
  t.after(remove);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  paste(page, folder);
  prepare(folder);
  const app = await startApp(folder, program, service.ca, env);
  t.after(app.end);
  return { folder, origin: app.origin };
}

const numberOf = async (visitor: Visitor): Promise<unknown> => (await visitor.get('/me')).json();

/** As a person with a browser: a number, a wrong code, the right one. */
async function signIn(origin: string): Promise<void> {
  const visitor = createVisitor(origin);
  const destination = freshNumber();
  assert.deepEqual(await numberOf(visitor), { number: null });
  const started = await visitor.post('/verify/start', { destination });
  assert.deepEqual(await started.json(), { ok: true, channel: 'sms', resendAfter: 30 });
  const code = await countersign.code(destination);
  const wrong = await visitor.post('/verify/check', { code: wrongCode(code) });
  assert.deepEqual(await wrong.json(), { ok: false, reason: 'mismatch', attemptsRemaining: 4 });
  assert.deepEqual(await numberOf(visitor), { number: null });
  const right = await visitor.post('/verify/check', { code });
  assert.deepEqual(await right.json(), { ok: true });
  assert.deepEqual(await numberOf(visitor), { number: destination });
  // Nobody else is, and another site cannot ask.
  assert.deepEqual(await numberOf(createVisitor(origin)), { number: null });
  const foreign = await visitor.post('/verify/start', { destination }, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
}

/** The page and the element that it loads. */
async function look(origin: string): Promise<void> {
  const page = await (await fetch(origin)).text();
  assert.match(page, /<countersign-verify channels="sms voice">/);
  const [, source = ''] = /src="([^"]+)"/.exec(page) ?? [];
  const script = await fetch(new URL(source, origin));
  assert.match(script.headers.get('content-type') ?? '', /javascript/);
  assert.match(await script.text(), /customElements/);
}

test('Express', async (t) => {
  const { folder, origin } = await open(t, 'express.md', ['express', 'express-session']);
  await look(origin);
  await signIn(origin);
  await runTest(folder, { ORIGIN: origin });
});

test('Express, where something has parsed the bodies already', async (t) => {
  const prepare = (folder: string) => {
    const file = join(folder, 'server.js');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('const app = express();', '$& app.use(express.json());'));
  };
  const { folder, origin } = await open(t, 'express.md', ['express', 'express-session'], { prepare });
  assert.match(readFileSync(join(folder, 'server.js'), 'utf8'), /express\.json\(\)/);
  await signIn(origin);
});

test('Hono', async (t) => {
  const { origin } = await open(t, 'hono.md', ['hono', '@hono/node-server']);
  await look(origin);
  await signIn(origin);
});

test('the example says in one line which of its options is missing', (t) => {
  const { folder, remove } = createAppFolder(['hono', '@hono/node-server']);
  t.after(remove);
  for (const file of ['server.js', 'package.json'])
    cpSync(join(ROOT, 'examples/hono', file), join(folder, file));
  const { status, stderr } = spawnSync(process.execPath, ['server.js'], {
    cwd: folder,
    env: {},
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /^COUNTERSIGN_API_KEY, .*: apiKey must be a key such as .*\n$/);
});

/** Calls the routes as Next.js does, by the path of their files; `@/` is the folder, as its TypeScript is told. */
const ROUTER = `
  import { registerHooks } from 'node:module';
  import { serve } from '@hono/node-server';

  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('@/') ? new URL(name.slice(2) + '.ts', import.meta.url).href : name, context),
  });
  const { readSession } = await import('./lib/session.ts');
  const fetch = async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/me') return (await import('./app' + pathname + '/route.ts')).POST(request);
    const [, token] = /session=([^;]*)/.exec(request.headers.get('cookie')) ?? [];
    return Response.json({ number: (await readSession(token)) ?? null });
  };
  const { PORT } = process.env;
  serve({ fetch, port: Number(PORT) }, () => console.log('Open http://localhost:' + PORT));
`;

// Next.js itself is more than a hundred megabytes: its routes are functions of a Request, and are called as such.
test('Next.js, without it: the routes and the session', async (t) => {
  const prepare = (folder: string) => writeFileSync(join(folder, 'router.js'), ROUTER);
  const packages = ['jose', '@hono/node-server', 'hono'];
  const { origin } = await open(t, 'nextjs.md', packages, { program: 'router.js', prepare });
  await signIn(origin);
});

/** The page's own test passes, in a process that has what the page says. */
async function runTest(folder: string, more: Readonly<Record<string, string>>): Promise<void> {
  const ca = join(folder, 'ca.pem');
  await promisify(execFile)(process.execPath, ['--test', 'sign-in.test.js'], {
    cwd: folder,
    env: { ...env, ...more, NODE_EXTRA_CA_CERTS: ca },
  });
}
