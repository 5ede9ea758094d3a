/** What is said about a proposal is what the command says once it is in the file. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { mock, suite, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { CARRIER_TYPES } from '../carriers/registry.ts';
import { findProblems, loadText } from '../config/fixture.ts';
import { checkProposal } from './check.ts';
import { makeKey } from './stand-ins.ts';
import { listWarnings } from './warnings.ts';

const KEY = await makeKey();
const check = (text: string, inEffect = '') => checkProposal(text, loadText(inEffect), CARRIER_TYPES, KEY);

const ACME = 'acme: { type: smpp, host: h, systemId: u, source: Acme, passwordFile: /nowhere/acme }';
const SMSC = 'smsc: { type: smpp, host: h, systemId: u, source: Acme, password: hunter22 }';
const ROUTE = 'routes: [{ channel: sms, carriers: [acme] }]';
const variablesFor = (text: string): Record<string, string> => {
  if (text.includes('telegram')) return { CARRIERS_ACME_TOKEN: 'hunter22' };
  if (text.includes('plivo')) return { CARRIERS_ACME_AUTH_TOKEN: 'hunter22' };
  return /acme: \{ type: smpp/.test(text) ? { CARRIERS_ACME_PASSWORD: 'hunter22' } : {};
};
/** In the place that the check names. */
function paste(text: string, inEffect: string, before: number): string {
  const [added, there] = [parse(text), parse(inEffect) ?? {}];
  const carriers = { ...there.carriers, ...added.carriers };
  const routes = [
    ...(there.routes ?? []).slice(0, before),
    ...(added.routes ?? []),
    ...(there.routes ?? []).slice(before),
  ];
  return stringify({
    ...there,
    ...(Object.keys(carriers).length > 0 && { carriers }),
    ...(routes.length > 0 && { routes }),
  });
}

suite('a proposal', () => {
  const inEffect = `
currency: EUR
guard: { countries: [DE, FR] }
carriers:
  ${SMSC}
  sinch: { type: sinch, voice: { from: "+12025550123", applicationKey: a, applicationSecret: b, englishFallback: false } }
routes:
  - { channel: sms, countries: [DE], carriers: [smsc] }
  - { channel: voice, carriers: [sinch] }
  - { channel: sms, carriers: [smsc] }
`;
  const plain = (name: string, rest = '') => `carriers: { ${name}: { type: simulator${rest} } }\n`;
  const cases: readonly (readonly [what: string, text: string, inEffect?: string])[] = [
    ['is taken', `carriers: { ${ACME.replace('passwordFile: /nowhere/acme', 'port: 2776')} }\n${ROUTE}`],
    ['is in no route', `carriers: { ${ACME.replace(', passwordFile: /nowhere/acme', '')} }`],
    ['has an option that there is not', `${plain('acme', ', hots: x')}${ROUTE}`],
    ['is of a type that there is not', `carriers: { acme: { type: smp } }\n${ROUTE}`],
    ['has a route to nobody', 'routes: [{ channel: sms, carriers: [smcs] }]', inEffect],
    [
      'has a route to a carrier that cannot do it',
      'routes: [{ channel: voice, carriers: [smsc] }]',
      inEffect,
    ],
    ['has a route that is never reached', 'routes: [{ channel: voice, carriers: [sinch] }]', inEffect],
    [
      'has a route that goes before another',
      'routes: [{ channel: sms, countries: [FR], carriers: [smsc] }]',
      inEffect,
    ],
    [
      'has a country that there is not',
      `${plain('acme')}routes: [{ channel: sms, countries: [UK], carriers: [acme] }]`,
    ],
    [
      'has shares of another',
      'routes: [{ channel: sms, countries: [FR], carriers: [smsc], weights: { sinch: 1 } }]',
      inEffect,
    ],
    ['has prices of a country that there is not', `${plain('acme', ', prices: { UK: 0.1 }')}${ROUTE}`],
    [
      'has prices in some countries',
      `${plain('acme', ', prices: { DE: 0.1 }')}${ROUTE.replace('sms,', 'sms, countries: [DE, FR],')}`,
      inEffect,
    ],
    [
      'goes where the guard lets nothing',
      'routes: [{ channel: sms, countries: [US], carriers: [smsc] }]',
      inEffect,
    ],
    [
      'has no voice for a language',
      'routes: [{ channel: voice, countries: [ET], carriers: [sinch] }]',
      inEffect,
    ],
    [
      'is only the simulator',
      `${plain('acme')}routes: [{ channel: sms, carriers: [acme] }, { channel: voice, carriers: [acme] }]`,
    ],
    [
      'speaks http to another machine',
      `carriers: { acme: { type: http, url: "http://gw.example/{{to}}/{{code}}", method: GET } }\n${ROUTE}`,
    ],
    [
      'could send none of the codes',
      'carriers: { acme: { type: telegram } }\nroutes: [{ channel: telegram, carriers: [acme] }]',
      'code: { alphabet: letters }',
    ],
    ['has neither channel', `carriers: { acme: { type: plivo, authId: MAXXXXXXXXXXXXXXXXXX } }\n${ROUTE}`],
  ];
  for (const [what, text, there = ''] of cases) {
    test(`that ${what} is judged as by the command`, async () => {
      const { problems, warnings, routesBefore } = await check(text, there);
      const whole = paste(text, there, routesBefore);
      const variables = variablesFor(text);
      const said = findProblems(whole, variables);
      assert.deepEqual(
        problems
          .filter(({ wrong }) => wrong !== 'is a secret, written out')
          .map(({ key, wrong, expected, fix }) => ({ key, wrong, expected, fix })),
        said,
      );
      if (said.length > 0) return;
      // Without routes in the file, those that are there go.
      const before = there === '' ? [] : await listWarnings(loadText(there));
      const known = new Set(before.map(({ detail }) => detail));
      const told = (await listWarnings(loadText(whole, variables))).filter(
        ({ detail }) => !known.has(detail),
      );
      assert.deepEqual(
        warnings.filter(({ key }) => key !== 'guard.countries'),
        told,
      );
    });
  }

  test('that is fine has no problem, and its routes come as late as they can', async () => {
    const fine = await check(`carriers: { ${ACME} }\n${ROUTE}`);
    assert.deepEqual(fine.problems, []);
    const route = 'routes: [{ channel: sms, countries: [FR], carriers: [smsc] }]';
    assert.equal((await check(route, inEffect)).routesBefore, 2);
    assert.equal(
      (
        await check(
          'routes: [{ channel: sms, countries: [FR], prefixes: ["+336"], carriers: [smsc] }]',
          inEffect,
        )
      ).routesBefore,
      2,
    );
    assert.equal(
      (
        await check(
          route.replace('[FR]', '[ZZ]').replace('sms,', 'voice,').replace('smsc', 'sinch'),
          inEffect,
        )
      ).routesBefore,
      1,
    );
  });

  test('says the line and the option, and what is wrong with one in effect has neither', async () => {
    const { problems } = await check(
      `carriers:\n  acme:\n    type: smpp\n    host: h\n    prot: 1\n${ROUTE}\n`,
    );
    assert.deepEqual(
      problems.map(({ key, option, line }) => [key, option, line]),
      [
        ['carriers.acme.systemId', 'carriers.acme.systemId', 3],
        ['carriers.acme.prot', 'carriers.acme.prot', 5],
      ],
    );
    const everywhere = await check('routes:\n  - channel: voice\n    carriers: [sinch]\n', inEffect);
    assert.deepEqual(
      everywhere.problems.map(({ key, option, line }) => [key, option, line]),
      [['routes[3]', 'routes.0', 2]],
    );
  });

  test('takes no name that is there, and the simulator’s only for it', async () => {
    const [taken] = (await check(`carriers: { ${SMSC.replace(', password: hunter22', '')} }`, inEffect))
      .problems;
    assert.deepEqual(
      [taken?.key, taken?.fix],
      ['carriers.smsc', 'choose another, or change that carrier where it is'],
    );
    assert.deepEqual((await check('carriers: { simulator: { type: simulator } }')).problems, []);
  });

  test('names only carriers and routes', async () => {
    const { problems } = await check('port: 1\nsecret: hunter22-b7Rk2vQ9xT4mZc8LwHd5Yf1J\n');
    assert.deepEqual(
      problems.map(({ key, wrong }) => [key, wrong]),
      [
        ['port', 'is not an option'],
        ['secret', 'is not an option'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(problems), /hunter22/);
  });

  test('with a secret written out is refused, and the secret is not repeated', async () => {
    const { problems } = await check(`carriers: { ${SMSC} }\nroutes: [{ channel: sms, carriers: [smsc] }]`);
    assert.deepEqual(
      problems.map(({ option, wrong }) => [option, wrong]),
      [['carriers.smsc.password', 'is a secret, written out']],
    );
    assert.match(problems[0]?.expected ?? '', /COUNTERSIGN_CARRIERS_SMSC_PASSWORD/);
    assert.doesNotMatch(JSON.stringify(problems), /hunter22/);
  });
});

suite('a text from a browser', () => {
  const wrongWith = async (text: string) => (await check(text)).problems.map(({ wrong }) => wrong);

  test('cannot stand for more than it is', async () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let level = 0; level < 9; level++)
      bomb.push(`b${level}: &b${level} [${Array(9).fill(level === 0 ? '*a' : `*b${level - 1}`)}]`);
    const wrong = await wrongWith(bomb.join('\n'));
    assert.equal(new Set(wrong).size, 1);
    assert.match(wrong[0] ?? '', /aliases are not taken here/);
    const nested = (levels: number) => `a: ${'['.repeat(levels)}${']'.repeat(levels)}`;
    assert.deepEqual(await wrongWith(nested(2_900)), ['is not valid YAML (resource exhaustion)']);
    assert.deepEqual(await wrongWith(nested(40)), ['is nested too deeply']);
    assert.deepEqual(await wrongWith('x'.repeat(6_001)), ['is too long']);
    assert.deepEqual(await wrongWith(`routes: [${'1,'.repeat(500)}]`), ['has too many values']);
    for (const odd of [
      '',
      '- 1',
      'carriers: 1\nroutes: 2',
      'carriers: [',
      '__proto__: { a: 1 }',
      'carriers: { __proto__: { type: smpp } }',
      'carriers: { constructor: { type: smpp } }',
    ]) {
      await check(odd);
    }
  });

  test('has no file opened, and nobody connected to', async () => {
    const secrets = ['/etc/hostname', '/etc/passwd'];
    const text = `
carriers:
  one: { type: smpp, host: 127.0.0.1, systemId: u, source: Acme, passwordFile: ${secrets[1]}, tls: { ca: ${secrets[0]} } }
  two: { type: http, url: "http://127.0.0.1:1/", json: { to: "{{to}}", code: "{{code}}" }, ca: ${secrets[0]}, bearerFile: ${secrets[1]} }
  three: { type: asterisk, url: "http://127.0.0.1:8088", user: u, passwordFile: ${secrets[1]}, trunk: t, speech: { folder: /etc } }
  four: { type: vonage, apiKey: abcd1234, apiSecretFile: ${secrets[1]}, voice: { from: "+12025550123", applicationId: 00000000-0000-0000-0000-000000000000, privateKeyFile: ${secrets[1]} } }
routes:
  - { channel: sms, carriers: [one, two] }
  - { channel: voice, carriers: [three, four] }
`;
    const inEffect = loadText('');
    await checkProposal(text, inEffect, CARRIER_TYPES, KEY);
    const touched: unknown[] = [];
    const note = (...seen: unknown[]) => {
      touched.push(seen[0]);
      throw new Error('touched');
    };
    for (const name of ['readFileSync', 'openSync', 'statSync', 'existsSync', 'readFile', 'open'] as const) {
      mock.method(fs, name, note);
    }
    mock.method(fs.promises, 'readFile', note);
    mock.method(net.Socket.prototype, 'connect', note);
    syncBuiltinESMExports();
    try {
      const { problems, files } = await checkProposal(text, inEffect, CARRIER_TYPES, KEY);
      assert.deepEqual([problems, touched], [[], []]);
      assert.deepEqual(files, ['carriers.one.tls.ca', 'carriers.two.ca']);
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
  });
});
