import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import project from '../../package.json' with { type: 'json' };
import { createWorkplace } from './fixture.ts';

const SMSC = 'smsc: { type: smpp, host: h, systemId: u, password: hunter22, source: Acme }';

test('config check: ok and a summary, from ./countersign.yaml', async () => {
  using place = createWorkplace();
  assert.match((await place.run(['config', 'check'])).stdout, /^ok\nserves https on port 8443/);
  place.write(
    'countersign.yaml',
    `port: 9000\ncarriers: { ${SMSC} }\nroutes: [{ channel: sms, carriers: [smsc] }]\n`,
  );
  const { status, stdout, stderr } = await place.run(['config', 'check'], {
    COUNTERSIGN_GUARD_COUNTRIES: 'DE,FR',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /port 9000,.*\nroutes:\n {2}sms everywhere: smsc\n$/s);
  const everywhere = await place.run(['config', 'check']);
  assert.equal(everywhere.status, 0);
  assert.match(
    everywhere.stderr,
    /^warning: carriers\.smsc\.source: Acme is a name, and a name is not delivered as a sender in AR, /,
  );
});

test('config check: a file that serves all countries gets a few lines, each with all countries of its kind', async () => {
  using place = createWorkplace();
  const messages = 'messages: { webOtpDomain: acme.example, templates: { en: { sms: "{{code}}" } } }';
  place.write(
    'countersign.yaml',
    `carriers: { ${SMSC.replace('Acme', 'Acme & Co.')} }\nroutes: [{ channel: sms, carriers: [smsc] }]\n${messages}\n`,
  );
  const { status, stderr } = await place.run(['config', 'check']);
  const lines = stderr.trimEnd().split('\n');
  assert.equal(status, 0);
  assert.deepEqual(
    lines.map((line) => line.split(': ').slice(0, 2).join(': ')),
    [
      'warning: carriers.smsc.source',
      'warning: carriers.smsc.source',
      'warning: carriers.smsc.source',
      'warning: messages.webOtpDomain',
      'warning: messages.templates.en.sms',
    ],
  );
  const [none = '', registered = '', form = '', links = '', brand = ''] = lines;
  assert.match(
    none,
    / a name is not delivered as a sender in AR, .*; may be replaced by a number in JP \(unsure\), MX/,
  );
  assert.match(registered, /arrives as Unverified in AU \(since 1 July 2026\)/);
  assert.match(
    registered,
    /is blocked in BD, ES \(since 15 September 2026\), .* IE \(since 3 October 2025\), /,
  );
  assert.match(registered, /arrives as Unknown or is blocked in FI \(since 4 May 2026, unsure\)/);
  assert.match(form, /only letters A to Z and digits in FR, PK; /);
  assert.match(links, /links are blocked in CN, JP \(unsure\), MY /);
  assert.match(brand, /networks in LK want one in each text/);
  for (const line of lines) assert.ok(line.length < 1_000, line);
});

test('config check: says where something other than the order decides', async () => {
  using place = createWorkplace();
  const carriers = 'carriers: [smsc, simulator]';
  place.write(
    'countersign.yaml',
    `carriers: { ${SMSC} }
routes:
  - { channel: sms, countries: [DE], ${carriers}, choose: quality }
  - { channel: sms, countries: [US], ${carriers}, weights: { smsc: 2, simulator: 1 } }
  - { channel: sms, ${carriers} }
`,
  );
  assert.match(
    (await place.run(['config', 'check'])).stdout,
    /sms DE: smsc, simulator by quality\n {2}sms US: smsc, simulator by weights\n {2}sms everywhere: smsc, then simulator\n$/,
  );
});

test('config check says by which channels a route goes on', async () => {
  using place = createWorkplace();
  const then = 'then: { channel: voice, carriers: [simulator], after: 20s, then: { channel: whatsapp } }';
  const routes = `[{ channel: sms, carriers: [simulator], ${then} }, { channel: whatsapp, carriers: [simulator] }]`;
  place.write('countersign.yaml', `routes: ${routes}\n`);
  assert.match(
    (await place.run(['config', 'check'])).stdout,
    /\n {2}sms everywhere: simulator; then voice after 20s: simulator; then whatsapp\n/,
  );
});

test('config check: each problem on one line of standard error, exit code 1', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', 'prot: 9000\ncode: { length: 99 }\n');
  const { status, stdout, stderr } = await place.run(['config', 'check'], { COUNTERSIGN_PROT: '1' });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^countersign: COUNTERSIGN_PROT: sets no option; .*\n/);
  assert.match(stderr, /\ncountersign: code\.length \(\.\/countersign\.yaml:2\): is 99; .*\n/);
  assert.match(stderr, /\ncountersign: prot \(\.\/countersign\.yaml:1\): .* did you mean port\?\n$/);
});

test('config check: what works but could be better is a warning', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', 'messages: { templates: { en: { sms: "Your code: {{code}}" } } }\n');
  const { status, stderr } = await place.run(['config', 'check']);
  assert.equal(status, 0);
  assert.match(stderr, /^warning: messages\.templates\.en\.sms: /m);
});

test('config check and doctor: a mounted secret that every user can read is a warning', async () => {
  using place = createWorkplace();
  place.write('secret', 'e81f5c0a97d3264bb0c2f7716d94a53e');
  const warnings = async (mode: number) => {
    chmodSync(join(place.folder, 'secret'), mode);
    const run = (...args: string[]) => place.run(args, { COUNTERSIGN_SECRET_FILE: 'secret' });
    const [checked, examined] = [await run('config', 'check'), await run('doctor')];
    assert.equal(checked.status, 0);
    const lines = `${checked.stderr}${examined.stdout}`.split('\n');
    return lines.filter((line) => /^warn/.test(line) && line.includes('secretFile'));
  };
  assert.deepEqual(await warnings(0o440), []);
  const [first = '', second = ''] = await warnings(0o444);
  assert.match(first, /^warning: secretFile: can be read by every user .* \(mode 444\), and is accepted/);
  assert.match(second, /^warn {2}secretFile: can be read by every user .* \(mode 444\), and is accepted/);
});

test('config show: the configuration in effect, readable again, without secrets', async () => {
  using place = createWorkplace();
  const proof = 'proof: { type: hmac, header: x, secret: hunter22-hunter22 }';
  const receipts = `receipts: { id: id, status: s, delivered: [a], undelivered: [b], ${proof} }`;
  const gateway = `gateway: { type: http, url: "https://h/?k=hunter22", json: { to: "{{to}}", code: "{{code}}" }, reference: id, ${receipts} }`;
  const routes = 'routes: [{ channel: sms, carriers: [smsc, gateway] }]';
  place.write('countersign.yaml', `carriers:\n  ${SMSC}\n  ${gateway}\n${routes}\n`);
  const variables = {
    COUNTERSIGN_PUBLIC_URL: 'https://verify.example.com',
    COUNTERSIGN_SECRET: 'hunter22-b7Rk2vQ9xT4mZc8LwHd5Yf1J',
    COUNTERSIGN_CODE_VALID_FOR: '90s',
  };
  const yaml = await place.run(['config', 'show'], variables);
  const json = await place.run(['config', 'show', '--json'], variables);
  assert.deepEqual([yaml.status, yaml.stderr, json.status], [0, '', 0]);
  assert.ok(!/hunter22/.test(yaml.stdout + json.stdout));
  const shown = JSON.parse(json.stdout);
  assert.deepEqual(parse(yaml.stdout), shown);
  assert.equal(shown.code.validFor, '90s');
  assert.deepEqual(shown.limits.sendsPerDestination, ['5/10m', '20/1d']);
  assert.equal(shown.carriers.smsc.password, '[secret]');
});

test('the version is that of the package', async () => {
  using place = createWorkplace();
  const { status, stdout, stderr } = await place.run(['--version']);
  assert.deepEqual([status, stdout, stderr], [0, `${project.version}\n`, '']);
});

test('config check --json: what is wrong and what is warned of, for programs', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', 'messages: { templates: { en: { sms: "Your code: {{code}}" } } }\n');
  const sound = await place.run(['config', 'check', '--json']);
  assert.deepEqual([sound.status, sound.stderr], [0, '']);
  const { ok, problems, warnings } = JSON.parse(sound.stdout);
  assert.deepEqual([ok, problems], [true, []]);
  assert.deepEqual(
    warnings.map(({ key }: { key: string }) => key),
    ['messages.templates.en.sms', 'routes[0]', 'routes[1]'],
  );

  place.write('countersign.yaml', 'code: { length: 99 }\n');
  const faulty = await place.run(['config', 'check', '--json']);
  assert.deepEqual([faulty.status, faulty.stderr], [1, '']);
  assert.partialDeepStrictEqual(JSON.parse(faulty.stdout), {
    ok: false,
    problems: [{ key: 'code.length (./countersign.yaml:1)', wrong: 'is 99' }],
    warnings: [],
  });
});

test('usage: help is not a failure, nonsense is exit code 2', async () => {
  using place = createWorkplace();
  const help = await place.run(['--help']);
  assert.deepEqual([help.status, help.stderr], [0, '']);
  for (const args of [
    [],
    ['nonsense'],
    ['config', 'show', '--nonsense'],
    ['keys', 'create'],
    ['keys', 'revoke'],
  ]) {
    const { status, stdout, stderr } = await place.run(args);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.notEqual(stderr, '');
  }
});

test('config check: languages that a voice carrier has no voice for, and what happens to calls in them', async () => {
  using place = createWorkplace();
  const voice = (english: boolean) =>
    `voice: { from: "+12025550123", applicationKey: a, applicationSecret: hunter22, englishFallback: ${english} }`;
  place.write(
    'countersign.yaml',
    `carriers:
  strict: { type: sinch, ${voice(false)} }
  lenient: { type: sinch, ${voice(true)} }
messages: { locales: { US: es, CH: km } }
routes:
  - { channel: voice, countries: [ET, DE, US, BG, CH], carriers: [strict] }
  - { channel: voice, countries: [BA, KH], prefixes: ["+387"], carriers: [lenient, strict] }
  - { channel: voice, countries: [BA, DE, BG], carriers: [lenient] }
  - { channel: voice, carriers: [simulator] }
`,
  );
  const { status, stderr } = await place.run(['config', 'check']);
  assert.equal(status, 0);
  const lines = stderr.trimEnd().split('\n');
  assert.deepEqual(
    lines.filter((line) => /voice for|speaks/.test(line)),
    [
      'warning: routes[0]: strict has no voice for am (ET), bg (BG), km (CH); it is skipped for these languages',
      'warning: routes[0]: none of its carriers speaks am (ET), bg (BG), km (CH); POST /verify is refused with 400 there, unless englishFallback is on',
      'warning: routes[1]: lenient has no voice for bs (BA), km (KH); calls in these languages are made in English',
      'warning: routes[1]: strict has no voice for bs (BA), km (KH); it is skipped for these languages',
      'warning: routes[2]: lenient has no voice for bs (BA); calls in these languages are made in English',
    ],
  );
});

test('config check: prices of a file, and the countries that routes reach without one', async () => {
  using place = createWorkplace();
  place.write(
    'countersign.yaml',
    `carriers: { ${SMSC} }
prices: { file: prices.csv }
currency: EUR
guard: { countries: [DE, FR] }
routes: [{ channel: sms, carriers: [smsc] }, { channel: voice, carriers: [simulator] }]
`,
  );
  place.write('prices.csv', 'carrier,to,price\nsmsc,DE,0.08\nsmsc,+4915,0.07\n');
  const { status, stdout, stderr } = await place.run(['config', 'check']);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\n2 prices in EUR from prices.csv\nroutes:\n/);
  assert.match(stderr, /^warning: routes\[0\]: smsc has no price for FR: /m);
  assert.doesNotMatch((await place.run(['config', 'show'])).stdout, /4915/, 'the file is not shown');

  place.write('prices.csv', 'carrier,to,price\nsmsc,UK,0.08\n');
  const faulty = await place.run(['config', 'check']);
  assert.equal(faulty.status, 1);
  assert.match(
    faulty.stderr,
    /^countersign: to \(prices.csv:2\): UK is not a country.* did you mean GB\?\n$/,
  );
});

test('config check: look-ups, what each can tell and costs, and what cannot be made', async () => {
  using place = createWorkplace();
  const lines = 'lines: { type: telnyx, apiKey: hunter22, price: 0.005, fail: closed }';
  const any = (url: string) =>
    `any: { type: http, url: "${url}", price: 0, for: [DE, FR], swapped: { path: s } }`;
  place.write('countersign.yaml', `lookups: { ${lines}, ${any('https://h.example/{{to}}')} }`);
  const { status, stdout } = await place.run(['config', 'check']);
  assert.equal(status, 0);
  assert.match(
    stdout,
    /\nlook-ups:\n {2}lines everywhere: tells lineType, ported; 0\.005 USD a question; nothing is sent without an answer\n {2}any DE, FR: tells swapped; 0 USD .*\n$/,
  );
  place.write('countersign.yaml', `lookups: { ${any('https://h.example/q')} }`);
  const wrong = await place.run(['config', 'check']);
  assert.equal(wrong.status, 1);
  assert.equal(
    wrong.stderr,
    'countersign: lookups.any.url (./countersign.yaml:1): nothing holds {{to}} or {{toDigits}}; add one\n',
  );
  const found = await place.run(['config', 'check', '--json']);
  assert.equal(found.status, 1);
  assert.deepEqual(JSON.parse(found.stdout), {
    ok: false,
    problems: [
      {
        key: 'lookups.any.url (./countersign.yaml:1)',
        wrong: 'nothing holds {{to}} or {{toDigits}}',
        fix: 'add one',
      },
    ],
    warnings: [],
  });
});
