/** The client's package as a user installs it: small, typed, without anything of Node, and on the oldest Node it names. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import clientPackage from '../../client/package.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };
import { freshNumber } from '../acceptance/client.ts';
import { ROOT } from '../deploy/project.ts';
import { assertCompiles, installPackage } from '../installed.ts';
import { startService } from '../service.ts';

const MOST_BYTES = 20 * 2 ** 10;

const installed = installPackage('client', '--offline');
const { folder, installation, files, size } = installed;

test('the package is small, and holds JavaScript, types, a README, the license and a skill', () => {
  assert.ok(size < MOST_BYTES, `${size} bytes`);
  const wanted =
    /^(dist\/[a-z-]+\.(js|d\.ts)|package\.json|README\.md|LICENSE|skills\/countersign\/SKILL\.md)$/;
  assert.deepEqual(
    files.filter((path) => !wanted.test(path)),
    [],
  );
  const skill = 'skills/countersign/SKILL.md';
  for (const path of ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', skill])
    assert.ok(files.includes(path), path);
  for (const { types, default: code } of Object.values(clientPackage.exports)) {
    for (const path of [types, code]) assert.ok(existsSync(join(installation, path)), path);
  }
  const source = readFileSync(join(ROOT, 'docs', skill), 'utf8');
  assert.equal(readFileSync(join(installation, skill), 'utf8'), source);
  assert.equal(clientPackage.version, project.version);
  assert.ok(!('dependencies' in clientPackage));
});

test('packing it before `npm ci` ends with one line that says so', () => {
  const clone = join(folder, 'clone');
  for (const part of ['client/package.json', 'release/installed.js'])
    cpSync(join(ROOT, part), join(clone, part));
  const { status, stderr } = spawnSync('npm', ['pack', join(clone, 'client')], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.notEqual(status, 0);
  const own = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('npm '));
  assert.deepEqual(own, [`countersign: run \`npm ci\` in ${clone}/ first`]);
});

test('it uses nothing of Node', () => {
  for (const path of globSync('dist/*.js', { cwd: installation })) {
    const code = readFileSync(join(installation, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    assert.doesNotMatch(code, /node:|\bBuffer\b|\bprocess\b|\brequire\(|__dirname/, path);
    for (const [, from = ''] of code.matchAll(/ from '([^']+)'/g))
      assert.match(from, /^\.\/[a-z-]+\.js$/, path);
  }
});

const CONSUMER = `
  import { Countersign, type ConfirmResult, unwrapWebhook, type VerifyResult } from '@countersign/client';
  import { phoneNumberOtp } from '@countersign/client/better-auth';
  import { createHandlers, toExpress } from '@countersign/client/handlers';

  const countersign = new Countersign({ apiKey: '', baseUrl: '', fetch, timeout: undefined });
  const signals: { ip: string | undefined } = { ip: undefined };
  const sent: VerifyResult = await countersign.verify({ destination: '', channel: 'sms', signals });
  const judged: ConfirmResult = await countersign.confirm('', '');
  function say(result: ConfirmResult): string {
    switch (result.kind) {
      case 'confirmed': return result.confirmedAt;
      case 'mismatch': return String(result.attemptsRemaining);
      case 'exhausted': case 'expired': case 'already-confirmed': case 'not-found': return '';
    }
  }
  if (sent.kind === 'limited') say(judged), sent.retryAfter.toFixed();
  // @ts-expect-error: there is no such channel.
  countersign.verify({ destination: '', channel: 'fax' });
  const { start } = createHandlers({ countersign, secret: '', onConfirmed: async () => undefined });
  const event = await unwrapWebhook('', new Headers(), 'whsec_');
  if (event.type === 'delivery.failed') event.data.reason?.trim();
  export const both = [toExpress(start), phoneNumberOtp({ countersign, store: new Map() }).verifyOTP];
`;

for (const [where, options] of [
  [
    'Node',
    { module: 'nodenext', lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
  ],
  ['a bundler', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }],
] as const) {
  test(`its types serve a strict project for ${where}`, () => {
    assertCompiles(installed, CONSUMER, options);
  });
}

/** A Node 20 of this machine, if it has one. */
function findOldNode(): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, 'node'));
  return places.find(
    (file) => existsSync(file) && execFileSync(file, ['--version'], { encoding: 'utf8' }).startsWith('v20.'),
  );
}

const PROGRAM = `
  import { Countersign, unwrapWebhook } from '@countersign/client';
  import { createHandlers } from '@countersign/client/handlers';
  import { phoneNumberOtp } from '@countersign/client/better-auth';

  const { baseUrl, apiKey, destination, webhook } = JSON.parse(process.argv[2]);
  const countersign = new Countersign({ apiKey, baseUrl, maxRetries: 6 });
  const sent = await countersign.verify({ destination, channel: 'sms' });
  const code = await countersign.code(destination, { id: sent.id });
  const confirmed = await countersign.confirm(sent.id, code);
  const event = await unwrapWebhook(webhook.body, webhook.headers, webhook.secret);
  const secret = 'thirty-two characters, at random';
  const { start, check } = createHandlers({ countersign, secret, onConfirmed: () => undefined });
  const ask = (handler, body, cookie) => handler(new Request('https://app.example.com/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(body),
  }));
  const started = await ask(start, { destination }, '');
  const cookie = started.headers.getSetCookie()[0].split(';')[0];
  const checked = await ask(check, { code: await countersign.code(destination) }, cookie);
  const { sendOTP, verifyOTP } = phoneNumberOtp({ countersign });
  await sendOTP({ phoneNumber: destination });
  const isVerified = await verifyOTP({ phoneNumber: destination, code: '0' });
  console.log(JSON.stringify({ confirmed: confirmed.kind, event, checked: await checked.json(), isVerified }));
`;

const oldNode = findOldNode();

test('all of it runs on Node 20', { skip: oldNode === undefined && 'there is none' }, async () => {
  await using service = await startService();
  const [event, secret] = [{ type: 'verification.confirmed', data: {} }, `whsec_${'c2VjcmV0'.repeat(4)}`];
  const body = JSON.stringify(event);
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
  };
  writeFileSync(join(folder, 'program.js'), PROGRAM);
  writeFileSync(join(folder, 'ca.pem'), service.ca);
  const { baseUrl, key: apiKey } = service;
  const input = { baseUrl, apiKey, destination: freshNumber(), webhook: { body, headers, secret } };
  const { stdout } = await promisify(execFile)(oldNode ?? '', ['program.js', JSON.stringify(input)], {
    cwd: folder,
    env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
  });
  const expected = { confirmed: 'confirmed', event, checked: { ok: true }, isVerified: false };
  assert.deepEqual(JSON.parse(stdout), expected);
});
