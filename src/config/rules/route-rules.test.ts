import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Destination } from '../../core/destination/destination.ts';
import { compileRoutes, type Route } from '../../core/sending/routing.ts';
import { findProblem, findProblems, loadText } from '../fixture.ts';

const CARRIERS = `
carriers:
  smsc: { type: smpp, host: h, systemId: u, password: p, source: A }
  both: { type: http, url: "https://h/", json: { to: "{{to}}", code: "{{code}}" }, channels: [sms, voice] }
`;
const withRoutes = (...routes: string[]) =>
  `${CARRIERS}routes:\n${routes.map((route) => `  - ${route}`).join('\n')}`;

test('valid routes are accepted', () => {
  const { routes } = loadText(
    withRoutes(
      '{ channel: sms, countries: [DE], prefixes: ["+4915"], carriers: [smsc] }',
      '{ channel: sms, countries: [DE], carriers: [smsc, both] }',
      '{ channel: sms, carriers: [both, simulator] }',
      '{ channel: voice, countries: [ZZ, US], carriers: [both] }',
    ),
  );
  assert.equal(routes.length, 4);
});

test('a carrier that no route names is refused', () => {
  assert.match(
    findProblem(withRoutes('{ channel: sms, carriers: [smsc] }')),
    /^carriers.both: is in no route.*channel: sms, carriers: \[both\]/,
  );
  assert.deepEqual(
    findProblems(CARRIERS).map(({ key }) => key),
    ['carriers.smsc', 'carriers.both'],
  );
});

test('a route names existing carriers that can do its channel, each once', () => {
  const problem = (carriers: string, channel = 'sms') =>
    findProblem(
      withRoutes(
        `{ channel: ${channel}, countries: [US], carriers: [${carriers}] }`,
        '{ channel: sms, carriers: [smsc, both] }',
      ),
    );
  assert.match(problem('smcs'), /^routes\[0\].carriers\[0\]: smcs is not a carrier; did you mean smsc\?/);
  assert.match(problem('__proto__'), /^routes\[0\].carriers\[0\]: __proto__ is not a carrier/);
  assert.match(problem('both, smsc', 'voice'), /^routes\[0\].carriers\[1\]: smsc cannot do voice/);
  assert.match(problem('smsc, both, smsc'), /^routes\[0\].carriers\[2\]: smsc is listed twice/);
});

test('a carrier that could send none of the codes is refused', () => {
  const telegram = (code: string) =>
    `code: { ${code} }
carriers: { telegram: { type: telegram, token: some-token-of-telegram } }
routes: [{ channel: telegram, carriers: [telegram] }]`;
  assert.equal(loadText(telegram('length: 8')).routes.length, 1);
  for (const code of ['length: 9', 'alphabet: letters']) {
    assert.match(
      findProblem(telegram(code)),
      /^carriers\.telegram\.type: takes only codes of 4 to 8 digits, and code\.length and code\.alphabet ask for others/,
    );
  }
});

test('countries are those with telephone numbers', () => {
  const problem = (country: string) =>
    findProblem(withRoutes(`{ channel: sms, countries: [${country}], carriers: [smsc, both] }`));
  assert.match(problem('UK'), /^routes\[0\].countries\[0\]: UK is not a country.*did you mean GB\?/);
  assert.match(findProblem('guard: { countries: [DE, UK] }'), /^guard\.countries\[1\]: UK is not a country/);
  assert.match(problem('XX'), /^routes\[0\].countries\[0\]: XX is not a country/);
  assert.match(problem('de'), /^routes\[0\].countries\[0\]: is "de"/);
  assert.match(
    findProblem(withRoutes('{ channel: sms, prefixes: [+49], carriers: [smsc, both] }')),
    /^routes\[0\].prefixes\[0\]: is 49/,
  );
});

test('a route after a wider one is refused', () => {
  const last = (...routes: string[]) =>
    findProblem(withRoutes('{ channel: voice, carriers: [both] }', ...routes));
  const unreachable = /^routes\[2\]: is never reached: routes\[1\] takes all/;
  const narrow = '{ channel: sms, countries: [DE], carriers: [smsc] }';
  assert.match(last('{ channel: sms, carriers: [smsc] }', narrow), unreachable);
  assert.match(last('{ channel: sms, countries: [US, DE], carriers: [smsc] }', narrow), unreachable);
  assert.match(last('{ channel: sms, carriers: [smsc] }', '{ channel: sms, carriers: [both] }'), unreachable);
  assert.match(
    last(
      '{ channel: sms, prefixes: ["+49"], carriers: [smsc] }',
      '{ channel: sms, prefixes: ["+4915"], countries: [DE], carriers: [both] }',
    ),
    unreachable,
  );
});

test('a route is refused as unreachable only if no destination reaches it', () => {
  const country = fc.constantFrom('DE', 'US', 'ZZ');
  const prefix = fc.constantFrom('+4', '+49', '+491', '+1');
  const route: fc.Arbitrary<Route> = fc.record(
    {
      channel: fc.constant('sms' as const),
      countries: fc.array(country, { minLength: 1 }),
      prefixes: fc.array(prefix, { minLength: 1 }),
      carriers: fc.constant(['simulator'] as const),
    },
    { requiredKeys: ['channel', 'carriers'] },
  );
  const destination: fc.Arbitrary<Destination> = fc.record({
    address: fc.constantFrom('+4', '+49', '+491', '+4915', '+1', '+12', '+3'),
    kind: fc.constant('e164' as const),
    country,
  });
  fc.assert(
    fc.property(fc.array(route, { minLength: 2, maxLength: 4 }), destination, (routes, to) => {
      const refused = findProblems(JSON.stringify({ routes })).map(({ key }) => key);
      const named = routes.map((each, index) => ({ ...each, carriers: [String(index)] as const }));
      const found = compileRoutes(named)('sms', to);
      if (found.ok) assert.ok(!refused.includes(`routes[${found.route.carriers[0]}]`));
    }),
    { numRuns: 300 },
  );
});

test('weights are shares of the carriers of their route, and exclude other ways of choosing', () => {
  const problem = (choosing: string) =>
    findProblem(withRoutes(`{ channel: sms, carriers: [smsc, both], ${choosing} }`));
  const { routes } = loadText(
    withRoutes('{ channel: sms, carriers: [smsc, both], weights: { both: 3 }, dailyCap: 1000 }'),
  );
  assert.deepEqual(routes[0]?.weights, { both: 3 });
  assert.equal(routes[0]?.dailyCap, 1_000);
  assert.match(
    problem('weights: { smcs: 1 }'),
    /^routes\[0\].weights.smcs: smcs is not a carrier of this route; did you mean smsc\?/,
  );
  assert.match(problem('weights: { smsc: 0 }'), /^routes\[0\].weights.smsc: is 0/);
  assert.match(
    problem('weights: { smsc: 1 }, choose: quality'),
    /^routes\[0\].weights: is set together with choose/,
  );
  assert.match(problem('choose: price'), /^routes\[0\].choose: is "price"/);
  assert.match(problem('dailyCap: 0'), /^routes\[0\].dailyCap: is 0/);
});

test('prices are numbers by country, in an existing currency', () => {
  const priced = (prices: string, rest = '') =>
    `carriers: { s: { type: smpp, host: h, systemId: u, password: p, source: A, prices: ${prices} } }
routes: [{ channel: sms, carriers: [s] }]
${rest}`;
  const config = loadText(priced('{ default: 0.05, DE: 0.0079 }', 'currency: EUR'));
  assert.deepEqual([config.carriers.s?.prices, config.currency], [{ default: 0.05, DE: 0.0079 }, 'EUR']);
  assert.equal(loadText('').currency, 'USD');
  assert.match(
    findProblem(priced('{ UK: 1 }')),
    /^carriers.s.prices.UK: UK is not a country.*did you mean GB\?/,
  );
  assert.match(findProblem(priced('{ de: 1 }')), /^carriers.s.prices.de: is not a valid name/);
  assert.match(findProblem(priced('{ DE: -1 }')), /^carriers.s.prices.DE: is -1/);
  assert.deepEqual(loadText(priced('{ "+4915": 0.06 }')).carriers.s?.prices, { '+4915': 0.06 });
  assert.match(findProblem(priced('{ "4915": 1 }')), /^carriers.s.prices.4915: is not a valid name/);
  assert.match(findProblem(priced('{}', 'currency: UDS')), /^currency: UDS is not a currency/);
  assert.match(findProblem(priced('{}', 'currency: euro')), /^currency: is "euro"/);
});

test('prices of a carrier come from the file or from its options', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'prices.csv');
  const yaml = (prices: string) =>
    `carriers: { s: { type: smpp, host: h, systemId: u, password: p, source: A${prices} } }
routes: [{ channel: sms, carriers: [s] }]`;
  assert.match(findProblem(yaml(''), { PRICES_FILE: file }), /^prices.file: cannot be read \(ENOENT\)/);
  writeFileSync(file, 'carrier,to,price\ns,DE,0.08\n');
  const { priceRows } = loadText(yaml(''), { PRICES_FILE: file });
  assert.deepEqual(priceRows, [{ carrier: 's', channel: undefined, to: 'DE', price: 0.08 }]);
  assert.match(
    findProblem(yaml(', prices: { default: 1 }'), { PRICES_FILE: file }),
    /^carriers.s.prices: is set, and .*prices.csv has prices of s, too;/,
  );
  assert.deepEqual(loadText(yaml('')).priceRows, []);
});

test('numbers of missed calls are whole blocks with an end for each code, and a carrier without them calls none', () => {
  const calls = (flashcall: string, more = '') => `${more}
carriers:
  calls: { type: asterisk, url: "http://127.0.0.1:8088", user: u, password: p, trunk: t, ${flashcall} }
routes: [{ channel: flashcall, carriers: [calls] }]`;
  const withNumbers = (numbers: string, more?: string) => calls(`flashcall: { numbers: [${numbers}] }`, more);
  assert.equal(loadText(withNumbers('"+4930123xxxx", "+4930124xxxx"')).code.endingLength, 4);
  for (const [text, problem] of [
    [
      withNumbers('"+49301234xxx"'),
      /^carriers\.calls\.flashcall\.numbers\[0\]: has 3 free digits, and the code/,
    ],
    [
      withNumbers('"+4930123xxxx"', 'code: { endingLength: 6 }'),
      /^carriers\.calls\.flashcall\.numbers\[0\]: has 4 free digits, and the code of a missed call 6 \(code\.endingLength\)/,
    ],
    [
      withNumbers('"+4930123xxxx", "+493012xxxxx"'),
      /numbers\[1\]: has numbers of block 0 as well; name each number once/,
    ],
    [withNumbers('"030123xxxx"'), /^carriers\.calls\.flashcall\.numbers\[0\]: is "030123xxxx"/],
    [withNumbers('"+4930123xx0x"'), /^carriers\.calls\.flashcall\.numbers\[0\]/],
    [withNumbers(''), /^carriers\.calls\.flashcall\.numbers/],
    [calls('callerId: "1"'), /^routes\[0\]\.carriers\[0\]: calls cannot do flashcall/],
    ['code: { endingLength: 3 }', /^code\.endingLength/],
  ] as const)
    assert.match(findProblem(text), problem);
});
