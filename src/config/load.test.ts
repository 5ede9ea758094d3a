import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { findProblem, findProblems, loadConfig, loadText } from './fixture.ts';
import { ConfigError } from './problem.ts';

const SECRET = 'e81f5c0a97d3264bb0c2f7716d94a53e';
const OTHER = '5b0d9e3f61a8c7240fe97b12d6a4c835';

const EXAMPLE = `
code: { length: 6, alphabet: digits, validFor: 10m, guesses: 5 }     # validFor down to 1s for tests
limits:
  sendsPerDestination: [5/10m, 20/1d]
  failedGuessesPerDestination: [50/1d]
  requestsPerKey: [1000/1s]
carriers:
  smsc: { type: smpp, host: 127.0.0.1, port: 2775, systemId: u, password: p, source: Acme }
  gateway:
    type: http
    url: http://127.0.0.1:9190/sms
    json: { to: "{{to}}", text: "{{text}}", code: "{{code}}" }        # or form: {...}
    reference: id                                                     # where the answer holds the message reference
routes:
  - { channel: sms, countries: [US, DE], carriers: [smsc, gateway] }
  - { channel: sms, carriers: [gateway] }
`;

test('the documented example loads', () => {
  const config = loadText(EXAMPLE);
  assert.deepEqual(config.code, {
    ...{ length: 6, alphabet: 'digits', validFor: 600_000, guesses: 5 },
    endingLength: 4,
  });
  assert.deepEqual(config.limits.sendsPerDestination, [
    { max: 5, windowMs: 600_000 },
    { max: 20, windowMs: 86_400_000 },
  ]);
  assert.deepEqual(Object.keys(config.carriers), ['simulator', 'smsc', 'gateway']);
  const { smsc, gateway } = config.carriers;
  assert.partialDeepStrictEqual(smsc, { type: 'smpp', password: 'p' });
  assert.partialDeepStrictEqual(gateway, { type: 'http', method: 'POST' });
  assert.equal(gateway?.timeout, 10_000);
  assert.deepEqual(gateway?.breaker, { failures: 5, resetAfter: 10_000 });
  assert.deepEqual(config.routes[0], {
    channel: 'sms',
    countries: ['US', 'DE'],
    carriers: ['smsc', 'gateway'],
  });
});

test('nothing set: all defaults, and both channels go to the simulator', () => {
  const config = loadText('');
  assert.equal(config.port, 8443);
  assert.equal(config.host, '::');
  assert.equal(config.dataDir, './data');
  assert.equal(config.secret, undefined);
  assert.equal(config.tls, undefined);
  assert.equal(config.plain, undefined);
  assert.equal(config.retention.verifications, 30 * 86_400_000);
  assert.deepEqual(config.routes, [
    { channel: 'sms', carriers: ['simulator'] },
    { channel: 'voice', carriers: ['simulator'] },
  ]);
});

test('without a file, nothing of one load reaches the next', () => {
  assert.equal(loadConfig({ COUNTERSIGN_PORT: '1234' }).port, 1234);
  assert.equal(loadConfig({}).port, 8443);
});

test('an empty section means the same as a missing one', () => {
  const optionsOf = (yaml: string) => ({ ...loadText(yaml), given: undefined });
  const empty = 'code:\nlimits:\n  requestsPerKey:\ncarriers:\nroutes:\ntls:\n';
  assert.deepEqual(optionsOf(empty), optionsOf(''));
  assert.deepEqual(loadText(empty).given.options, []);
});

test('an empty list of request limits is allowed, but not of the others', () => {
  assert.deepEqual(loadText('limits: { requestsPerKey: [] }').limits.requestsPerKey, []);
  assert.match(findProblem('limits: { sendsPerDestination: [] }'), /^limits.sendsPerDestination: is \[\]/);
  assert.match(findProblem('limits: { failedGuessesPerDestination: [] }'), /^limits.failedGuesses/);
});

test('the configuration is deeply frozen', () => {
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  assert.ok(isFrozen(loadText(EXAMPLE)));
});

test('the environment wins over the file', () => {
  const config = loadText('port: 1\ncode: { length: 4, guesses: 2 }', {
    PORT: '8000',
    CODE_LENGTH: '8',
    LIMITS_REQUESTS_PER_KEY: '5/1s, 9/1h',
    PLAIN_PORT: '8080',
    PLAIN_REVOKE_KEYS: 'false',
    TRUST_PROXY: '',
  });
  assert.equal(config.port, 8000);
  assert.deepEqual([config.code.length, config.code.guesses], [8, 2]);
  assert.deepEqual(
    config.limits.requestsPerKey.map(({ max }) => max),
    [5, 9],
  );
  assert.deepEqual(config.plain, { port: 8080, revokeKeys: false });
  assert.deepEqual(config.trustProxy, []);
});

test('the environment reaches the carriers of the file', () => {
  const { smsc, gateway } = loadText(EXAMPLE, {
    CARRIERS_SMSC_PASSWORD: '123456',
    CARRIERS_SMSC_LINKS: '3',
    CARRIERS_SMSC_TLS_CA: 'ca.pem',
    CARRIERS_GATEWAY_METHOD: 'PUT',
    CARRIERS_GATEWAY_ACCEPTED: '202,2xx',
    CARRIERS_GATEWAY_BREAKER_RESET_AFTER: '3s',
  }).carriers;
  assert.partialDeepStrictEqual(smsc, { type: 'smpp', password: '123456', links: 3 });
  assert.match(JSON.stringify(smsc), /"tls":\{"ca":"ca.pem","rejectUnauthorized":true\}/);
  assert.partialDeepStrictEqual(gateway, { type: 'http', method: 'PUT' });
  assert.match(JSON.stringify(gateway), /"accepted":\[202,"2xx"\]/);
  assert.equal(gateway?.breaker.resetAfter, 3_000);
});

test('secrets may be in files, named in the file or in the environment', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secret');
  writeFileSync(file, `${SECRET}\n`, { mode: 0o600 });
  assert.equal(loadText(`secretFile: ${file}`).secret, SECRET);
  assert.equal(loadText('', { SECRET_FILE: file }).secret, SECRET);
  assert.equal(loadText(`secret: ${OTHER}`, { SECRET_FILE: file }).secret, SECRET);
  assert.equal(loadText(`secretFile: ${file}`, { SECRET: OTHER }).secret, OTHER);
  assert.match(
    findProblem(`secretFile: ${file}\nsecret: ${SECRET}`),
    /^secretFile: is set together with secret;/,
  );
  assert.match(findProblem('', { SECRET_FILE: file, SECRET }), /^secretFile: is set together with secret;/);
  const both = `lookups:
  one: { type: http, url: 'https://h/{{to}}', price: 0, portedAt: p, basic: { user: u, password: p },
    bearerFile: ${file} }`;
  assert.throws(
    () => loadText(both),
    /^ConfigError: lookups\.one\.bearer \(\S+yaml:3\): is set together with basic/,
  );
  assert.match(findProblem(`secretFile: ${join(folder, 'none')}`), /^secretFile: cannot be read \(ENOENT\)/);
});

test('all problems are listed, each with its key, its place and a fix', () => {
  const yaml =
    'prot: 1\ncode:\n  lenght: 6\n  validFor: 11m\nlimits: { requestsPerKey: [7/0s] }\ntls: { cert: a }';
  assert.throws(
    () => loadText(yaml, { LOG_LEVEL: 'loud' }),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      const lines = error.message.split('\n').map((line) => line.replace(/\(\/.*yaml:/, '(yaml:'));
      assert.deepEqual(
        lines.map((line) => line.replace(/one of [^;]*/, 'one of ...')),
        [
          'code.validFor (yaml:4): is "11m"; expected a duration such as 90s, 10m or 1d, from 1s to 10m; correct it or remove it for the default, "10m"',
          'code.lenght (yaml:3): is not an option; expected one of ...; did you mean length?',
          'limits.requestsPerKey[0] (yaml:5): is "7/0s"; expected a rate such as 5/10m, from 1 to 1000000 in a window from 1ms to 3650d (all that counts is remembered for the window); correct it',
          'log.level (COUNTERSIGN_LOG_LEVEL): is "loud"; expected trace, debug, info, warn, error, fatal or silent; correct it or remove it for the default, "info"',
          'prot (yaml:1): is not an option; expected one of ...; did you mean port?',
          'tls.key: is missing, but tls.cert is set; expected the PEM file with the private key; add it, or remove tls.cert for a certificate that the service makes',
        ],
      );
      return true;
    },
  );
});

test('a rate out of bounds is refused with the bounds and the reason for them', () => {
  for (const yaml of [
    'limits: { sendsPerDestination: [1000000000000/1d] }',
    'limits: { requestsPerKey: [5/0s] }',
    'limits: { failedGuessesPerDestination: [5/4000d] }',
    'carriers: { smsc: { type: smpp, host: h, systemId: u, password: p, source: A, rate: 1000001/1s } }',
  ]) {
    const [problem] = findProblems(yaml);
    assert.match(problem?.key ?? '', /^limits\.|^carriers\.smsc\.rate/);
    assert.match(
      problem?.expected ?? '',
      /from 1 to 1000000 in a window from 1ms to 3650d \(all that counts is remembered/,
    );
  }
});

test('types are not coerced', () => {
  assert.match(findProblem('port: "8443"'), /^port: is "8443"/);
  assert.match(findProblem('plain: { port: 1, revokeKeys: "no" }'), /^plain.revokeKeys: is "no"/);
  assert.match(
    findProblem('guard: { neverSend: { add: ["+882\u200b16"] } }'),
    /^guard.neverSend.add\[0\]: is "\+882\\u\{200b\}16"/,
  );
  assert.match(findProblem('port: 1.5'), /^port: is 1.5/);
  assert.match(findProblem('', { PORT: '0x10' }), /^port: is "0x10"/);
  assert.match(findProblem('', { PORT: '', CODE_LENGTH: 'six' }), /^code.length: is "six"/);
  assert.match(findProblem('routes: { channel: sms }'), /^routes: is a group of options/);
});

test('a misspelt variable is refused; those of other programs are ignored', () => {
  assert.match(
    findProblem('', { PROT: '1' }),
    /^COUNTERSIGN_PROT: sets no option; did you mean COUNTERSIGN_PORT\?/,
  );
  assert.match(
    findProblem('', { CARRIERS_SMSC_PASSWORD: 'x' }),
    /^COUNTERSIGN_CARRIERS_SMSC_PASSWORD: sets no/,
  );
  const foreign = { TEST_SMSC: 'x', SERVICE_HOST: '10.0.0.1', SERVICE_PORT_HTTPS: '8443' };
  const links = {
    PORT: 'tcp://10.0.0.1:8443',
    PORT_8443_TCP_ADDR: '10.0.0.1',
    PORT_8443_TCP: 'tcp://10.0.0.1:8443',
  };
  assert.equal(loadText('', { ...foreign, ...links }).port, 8443);
});

test('a named file must exist', () => {
  assert.throws(() => loadConfig({ COUNTERSIGN_CONFIG: '/nowhere/x.yaml' }), /cannot be read \(ENOENT\)/);
});

test('a YAML error is reported with line and column', () => {
  const [fault] = findProblems('port: 1\ncode: { length: 4\n');
  assert.match(fault?.key ?? '', /yaml:3:1$/);
  assert.match(findProblem('- port: 1'), /holds no options/);
  assert.match(
    findProblem('port: 1\nport: 2'),
    /yaml:2:1: is not valid YAML \(duplicate key port\); join the two, or remove one$/,
  );
});

test('anchors are followed', () => {
  const config = loadText('limits: { sendsPerDestination: &few [1/1s], requestsPerKey: *few }');
  assert.deepEqual(config.limits.requestsPerKey, [{ max: 1, windowMs: 1_000 }]);
});

test('a carrier without a valid type or name is refused in one line', () => {
  assert.match(
    findProblem('carriers: { a: { type: smtp } }'),
    /^carriers.a.type: is "smtp"; did you mean smpp\?/,
  );
  assert.match(findProblem('carriers: { a: {} }'), /^carriers.a.type: is missing/);
  assert.match(findProblem('carriers: { "A B": { type: simulator } }'), /^carriers.A B: is not a valid name/);
});

test('no secret appears in an error, wherever it was written', () => {
  const places = [
    (s: string) => `secret: ${s.slice(0, 20)}`,
    (s: string) => `secret: [${s}]`,
    (s: string) => `secret: { value: ${s} }`,
    (s: string) => `secret: *${s}`,
    (s: string) => `secret: !${s} x`,
    (s: string) => `secret: "${s}\nport: 1`,
    (s: string) => `metrics: ${s}`,
    (s: string) => `metrics: [${s}]`,
    (s: string) => `metrics: { token: [${s}] }`,
    (s: string) => `carriers: { g: { type: http, url: "${s}", headers: { authorization: [${s}] } } }`,
    (s: string) =>
      `carriers: { g: { type: http, url: "ftp://${s}", headers: ${s}, bearer: 1, json: "{{${s}" } }`,
    (s: string) => `carriers: [{ type: smpp, password: ${s} }]`,
    (s: string) => `carriers: { g: [{ password: ${s} }] }`,
    (s: string) =>
      `carriers: { s: { type: smpp, host: h, systemId: u, source: A, password: "\\u00e9${s}" } }`,
  ];
  const secrets = fc.stringMatching(/^[a-z]{30}$/);
  fc.assert(
    fc.property(secrets, fc.constantFrom(...places), (secret, place) => {
      const problems = JSON.stringify(findProblems(place(secret)));
      assert.notEqual(problems, '[]', `refuses ${place(secret)}`);
      assert.ok(!problems.includes(secret.slice(0, 20)), problems);
    }),
    { numRuns: 200 },
  );
});
