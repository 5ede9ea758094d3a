import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mintKey } from '../../core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { findProblem, findProblems, loadText } from '../fixture.ts';

const SECRET = 'b7Rk2vQ9xT4mZc8LwHd5Yf1JnPs6Ga3E';

test('the plain port must be a different port', () => {
  assert.match(findProblem('plain: { port: 8443 }'), /^plain.port: is 8443, the same as port/);
  loadText('port: 0\nplain: { port: 0 }');
});

test('proxies are addresses or networks', () => {
  const { trustProxy } = loadText('trustProxy: [127.0.0.1, 10.0.0.0/8, "::1", "fd00::/8"]');
  assert.equal(trustProxy.length, 4);
  for (const wrong of [
    'proxy',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '"::/129"',
    '10.0.0/8',
    '10.0.0.0/8/8',
    '10.0.0.0/',
  ]) {
    assert.match(findProblem(`trustProxy: [${wrong}]`), /^trustProxy\[0\]: is /, wrong);
  }
});

test('a certificate together with a proxy that ends TLS is a contradiction', () => {
  assert.match(
    findProblem('trustProxy: ["::1"]\ntls: { cert: a, key: b }'),
    /^tls: is set together with trustProxy/,
  );
});

test('the previous secret needs a new and different one', () => {
  assert.match(findProblem(`previousSecret: ${SECRET}`), /^previousSecret: is set without secret/);
  assert.match(findProblem(`secret: ${SECRET}\npreviousSecret: ${SECRET}`), /^previousSecret: is the same/);
  loadText(`secret: ${SECRET}\npreviousSecret: ${SECRET}y`);
});

test('verifications are kept at least as long as the limits look back', () => {
  const yaml = 'retention: { verifications: 6d }\nlimits: { sendsPerDestination: [9/1s, 50/7d] }';
  assert.match(findProblem(yaml), /^retention.verifications: is 6d, shorter than the longest window/);
  loadText(yaml.replace('6d', '7d'));
});

test('countries of the guard exist, and a range is either allowed or added', () => {
  const { guard } = loadText(
    'guard: { countries: [DE, ZZ], neverSend: { allow: ["+88216"], add: ["+4470"] } }',
  );
  const neverSend = { allow: ['+88216'], add: ['+4470'] };
  assert.deepEqual(guard, { mode: 'enforce', countries: ['DE', 'ZZ'], neverSend });
  assert.equal(loadText('guard: { mode: observe }').guard.mode, 'observe');
  assert.deepEqual(loadText('', { GUARD_COUNTRIES: 'DE,AT' }).guard.countries, ['DE', 'AT']);
  const problem = (options: string) => findProblem(`guard: { ${options} }`);
  assert.match(problem('countries: [UK]'), /^guard.countries\[0\]: UK is not a country.*did you mean GB\?/);
  assert.match(problem('countries: [de]'), /^guard.countries\[0\]: is "de"/);
  assert.match(problem('neverSend: { add: [4470] }'), /^guard.neverSend.add\[0\]: is 4470/);
  assert.match(
    problem('neverSend: { allow: ["+44", "+4470"], add: ["+4470"] }'),
    /^guard.neverSend.allow\[1\]: \+4470 is in add, too/,
  );
});

test('texts that cannot be used are refused under their own key', () => {
  const yaml = 'messages: { templates: { en: { sms: "no code here" } } }';
  assert.match(findProblem(yaml), /^messages\.templates\.en\.sms: cannot be used/);
});

test('the name simulator is reserved', () => {
  const carrier = '{ type: http, url: "https://h/", json: { to: "{{to}}", code: "{{code}}" } }';
  const yaml = `carriers: { simulator: ${carrier} }\nroutes: [{ channel: sms, carriers: [simulator] }]`;
  assert.match(findProblem(yaml), /^carriers.simulator.type: is http/);
});

test('options of a carrier that do not fit each other are refused under their own key', () => {
  const yaml = (body: string) =>
    `carriers: { g: { type: http, url: "https://h/", ${body} } }\nroutes: [{ channel: sms, carriers: [g] }]`;
  loadText(yaml('json: { to: "{{to}}", code: "{{code}}" }'));
  assert.match(
    findProblem(yaml('json: { to: "{{to}}", code: "{{code}}", id: "{{ids}}" }')),
    /^carriers.g.json: unknown placeholder {{ids}}/,
  );
});

test('private networks of webhooks are networks', () => {
  assert.equal(
    loadText('webhooks: { privateNetworks: [10.0.0.0/8, "fd00::/8"] }').webhooks.privateNetworks.length,
    2,
  );
  assert.match(
    findProblem('webhooks: { privateNetworks: [inner] }'),
    /^webhooks\.privateNetworks\[0\]: is "inner"/,
  );
});

test('a rule runs only if its parts could be read; the others run', () => {
  const keysOf = (yaml: string) => findProblems(yaml).map(({ key }) => key);
  assert.deepEqual(keysOf('retention: { verifications: x }\ntrustProxy: [proxy]'), [
    'retention.verifications',
    'trustProxy[0]',
  ]);
  assert.deepEqual(keysOf('limits: { requestsPerKey: [x] }'), ['limits.requestsPerKey[0]']);
  assert.deepEqual(keysOf(`secretFile: /nowhere\npreviousSecret: ${SECRET}`), ['secretFile']);
  assert.deepEqual(keysOf('carriers: { a: 1 }\nroutes: [{ channel: sms, carriers: [b] }]'), ['carriers.a']);
});

test('a preset key is one of ours, and random', () => {
  const { key } = mintKey(SYSTEM_RANDOM, true);
  assert.equal(loadText(`bootstrap: { key: ${key} }`).bootstrap.key, key);
  assert.equal(
    loadText('', { BOOTSTRAP_KEY: mintKey(SYSTEM_RANDOM, false).key }).bootstrap.key?.slice(0, 9),
    'csk_live_',
  );
  const flawed = [key.slice(0, -1), `${key}0`, key.replace('test', 'best'), key.toLowerCase(), 'hunter2'];
  // With their checksums: the CRC-32 of what is before, in base 62.
  const weak = [
    'csk_live_0000000000000000000000000000000BDqcl',
    'csk_test_abcdefghijklmnopqrstuvwxyzABCD1wsLok',
    'csk_test_k7Qx2mVb9zk7Qx2mVb9zk7Qx2mVb9z09WoSa',
  ];
  for (const value of [...flawed, ...weak]) {
    const [problem, ...others] = findProblems('', { BOOTSTRAP_KEY: value });
    assert.deepEqual([problem?.key, others], ['bootstrap.key', []], value);
    assert.match(problem?.fix ?? '', /^make one with `countersign keys generate --test`/);
    assert.ok(!JSON.stringify(problem).includes(value.slice(-20)), 'the value is not shown');
  }
  const wrongs = weak.map((value) => findProblems('', { BOOTSTRAP_KEY: value })[0]?.wrong);
  assert.deepEqual(wrongs, [
    'has too few different characters',
    'is a sequence of consecutive characters',
    'repeats itself',
  ]);
});

test('a shared store needs a shared secret and a usable address', () => {
  const url = 'postgres://me:hunter2@localhost/codes';
  assert.match(findProblem(`store: { url: "${url}" }`), /^secret: is not set, but store.url is/);
  const wrong = findProblem(`secret: ${SECRET}\nstore: { url: "${url}?sslmode=require" }`);
  assert.match(wrong, /^store.url: has sslmode=require; add sslmode=verify-full/);
  assert.ok(!wrong.includes('hunter2'));
  const pasted = findProblem(`secret: ${SECRET}\nstore: { url: "${url.replace('hunter2', '50%off')}" }`);
  assert.match(pasted, /^store.url: has a % in its password that begins no escape; write %25/);
  loadText(`secret: ${SECRET}\nstore: { url: "${url}" }`);
});

test('a call must have time to ring and to talk, and is only for voice', () => {
  const calls = (options: string, channel = 'voice') =>
    `carriers: { calls: { type: asterisk, url: "https://h:8088", user: u, password: p, trunk: t${options} } }
routes: [{ channel: ${channel}, carriers: [calls] }]`;
  assert.match(
    findProblem(calls(', timeout: 40s')),
    /^carriers.calls.timeout: leaves less than 15s to talk after ringTimeout/,
  );
  assert.match(findProblem(calls('', 'sms')), /calls cannot do sms/);
  assert.deepEqual(findProblems(calls(', timeout: 45s')), []);
  const { carriers } = loadText(calls(', speech: { folder: /var/lib/sounds }'));
  const { calls: loaded } = carriers;
  assert.partialDeepStrictEqual(loaded, { type: 'asterisk', timeout: 120_000 });
  assert.match(JSON.stringify(loaded), /"command":\["espeak-ng",/);
});

test('the number format, the trunk and the address of Asterisk must be safe to dial', () => {
  const problem = (option: string) =>
    findProblem(`carriers: { c: { type: asterisk, url: "https://h:8088", user: u, password: p, trunk: t, ${option} } }
routes: [{ channel: voice, carriers: [c] }]`);
  assert.match(problem('number: "{{toDigits}}@other"'), /^carriers.c.number: is/);
  assert.match(problem('number: "+4915112345678"'), /^carriers.c.number/);
  assert.match(problem('sipTrunk: "a&b"'), /^carriers.c.sipTrunk: is/);
  assert.match(problem('sipTrunk: "a/b"'), /^carriers.c.sipTrunk/);
});

const TWILIO = `type: twilio, accountSid: AC${'0'.repeat(32)}, authToken: t`;

test('unencrypted to another machine only if the configuration allows it', () => {
  const http = (url: string, more = '') =>
    `carriers: { g: { type: http, url: "${url}", json: { to: "{{to}}", code: "{{code}}" }${more} } }
routes: [{ channel: sms, carriers: [g] }]`;
  const ari = (url: string, more = '') =>
    `carriers: { g: { type: asterisk, url: "${url}", user: u, password: p, trunk: t${more} } }
routes: [{ channel: voice, carriers: [g] }]`;
  for (const carrier of [http, ari]) {
    for (const host of ['gateway.example.com:8088', '10.0.0.7', '[2001:db8::1]', '127.0.0.1.example.com']) {
      const problem = findProblem(carrier(`http://${host}`));
      assert.match(
        problem,
        /^carriers\.g\.url: is http to another machine: .* use https, or set carriers\.g\.insecure: true/,
      );
      loadText(carrier(`http://${host}`, ', insecure: true'));
      loadText(carrier(`https://${host}`));
    }
    for (const host of ['127.0.0.1:8088', 'localhost', '[::1]:8088', '127.8.0.1'])
      loadText(carrier(`http://${host}`));
  }
  assert.match(
    findProblem(http('http://g.example.com/{{to}}?key=hunter22')),
    /^carriers\.g\.url: is http to another machine/,
  );
  assert.doesNotMatch(findProblem(http('http://g.example.com/{{to}}?key=hunter22')), /hunter22/);
});

test('a carrier that cannot send anything is refused', () => {
  assert.match(
    findProblem(`carriers: { t: { ${TWILIO} } }\nroutes: [{ channel: sms, carriers: [t] }]`),
    /^carriers\.t: has neither sms nor voice/,
  );
  loadText(`carriers: { t: { ${TWILIO}, sms: { from: Acme } } }\nroutes: [{ channel: sms, carriers: [t] }]`);
});

test('a carrier is routed over the channels that it is set up for', () => {
  assert.match(
    findProblem(
      `carriers: { t: { ${TWILIO}, sms: { from: Acme } } }\nroutes: [{ channel: voice, carriers: [t] }]`,
    ),
    /^routes\[0\]\.carriers\[0\]: t cannot do voice/,
  );
});

test('an invalid private key is refused, and not shown', () => {
  const voice = `voice: { from: "+12025550199", applicationId: 01234567-89ab-cdef-0123-456789abcdef, privateKey: "-----BEGIN hush" }`;
  const problem = findProblem(
    `carriers: { v: { type: vonage, apiKey: abcd1234, apiSecret: s, ${voice} } }\nroutes: [{ channel: voice, carriers: [v] }]`,
  );
  assert.match(problem, /^carriers\.v\.voice\.privateKey: not an RSA private key/);
  assert.doesNotMatch(problem, /hush/);
});

test('an address that is no URL is refused by its key, whatever its pattern says', () => {
  for (const url of ['https://h:99999', 'https://1.2.3.999']) {
    assert.match(findProblem(`publicUrl: "${url}"`), /^publicUrl: is "/, url);
    const problems = findProblems(`carriers:
  t: { ${TWILIO}, sms: { from: Acme }, url: "${url}" }
  a: { type: asterisk, user: u, password: p, trunk: t, url: "${url}" }
routes: [{ channel: sms, carriers: [t] }, { channel: voice, carriers: [a] }]`);
    assert.deepEqual(
      problems.map(({ key }) => key),
      ['carriers.t.url', 'carriers.a.url'],
    );
  }
});

test('the public address must be https, and an invalid sender is refused', () => {
  for (const url of ['https://verify.example.com', 'https://h:8443/', 'https://h/verify'])
    loadText(`publicUrl: ${url}`);
  for (const url of ['http://h', 'https://u:p@h', 'https://h/?a', 'h']) {
    assert.match(findProblem(`publicUrl: "${url}"`), /^publicUrl: is /, url);
  }
  assert.match(
    findProblem(
      `carriers: { t: { ${TWILIO}, sms: { from: A }, url: "http://api.example.com" } }\nroutes: [{ channel: sms, carriers: [t] }]`,
    ),
    /^carriers\.t\.url: is "http:/,
  );
});
