import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from './fixture.ts';
import { warnOfUnbudgeted, warnOfUnpriced } from './unpriced.ts';

const warned = (prices: string, routes: string, rest = '') =>
  warnOfUnpriced(
    loadText(`carriers:
  a: { type: smpp, host: h, systemId: u, password: p, source: A${prices && `, prices: ${prices}`} }
routes: [${routes}, { channel: voice, carriers: [simulator] }]
${rest}`),
  ).map(({ key, detail }) => `${key}: ${detail.split(':')[0]}`);
const route = (where: string) => `{ channel: sms, ${where}, carriers: [a, simulator] }`;

test('the countries that a route reaches without a price are named', () => {
  assert.deepEqual(warned('', route('countries: [DE, FR]')), [], 'without any price nobody wants them');
  assert.deepEqual(warned('{ default: 1 }', '{ channel: sms, carriers: [a] }'), []);
  assert.deepEqual(warned('{ DE: 1 }', route('countries: [DE, FR, IT, ZZ]')), [
    'routes[0]: a has no price for FR, IT, ZZ',
  ]);
  const [everywhere = '', ...others] = warned('{ DE: 1 }', '{ channel: sms, carriers: [a] }');
  assert.match(everywhere, /^routes\[0\]: a has no price for (\w\w, ){11}\w\w and 2\d\d more$/);
  assert.deepEqual(others, []);
});

test('a country has a price if a prefix covers all of it', () => {
  const countries = route('countries: [DE, GB, US, BS]');
  assert.deepEqual(warned('{ "+49": 1, "+4477": 1, "+1242": 1, US: 1 }', countries), [
    'routes[0]: a has no price for GB',
  ]);
  assert.deepEqual(warned('{ "+44": 1, DE: 1, "+1": 1 }', countries), []);
  const jamaica = route('countries: [JM]');
  assert.deepEqual(
    warned('{ "+1876": 1 }', jamaica),
    ['routes[0]: a has no price for JM'],
    'it has +1658, too',
  );
  assert.deepEqual(warned('{ "+1876": 1, "+1658": 1 }', jamaica), []);
});

test('a prefix of a route has one if the list covers it', () => {
  const prefixes = route('prefixes: ["+4915", "+4477", "+3367", "+88216"]');
  assert.deepEqual(warned('{ "+491": 1, GB: 1, "+33670": 1 }', prefixes), [
    'routes[0]: a has no price for +3367',
  ]);
});

test('what an earlier route takes or the guard keeps out is not reached', () => {
  const routes = `${route('countries: [FR, ES]')}, { channel: sms, carriers: [a] }`;
  assert.deepEqual(warned('{ DE: 1 }', routes, 'guard: { countries: [DE, FR, IT] }'), [
    'routes[0]: a has no price for FR',
    'routes[1]: a has no price for IT',
  ]);
});

test('a budget of money needs prices, and says what happens without', () => {
  const warnedOf = (budgets: string, prices = '') => {
    const carrier = `{ type: smpp, host: h, systemId: u, password: p, source: A${prices} }`;
    const routes = '[{ channel: sms, countries: [DE, FR], carriers: [a, simulator] }]';
    const config = loadText(`carriers: { a: ${carrier} }\nroutes: ${routes}\nbudgets: [${budgets}]`);
    const details = warnOfUnpriced(config).map(({ key, detail }) => `${key}: ${detail}`);
    assert.equal(warnOfUnbudgeted(config).length, budgets.includes('money') ? details.length : 0);
    return details;
  };
  assert.deepEqual(warnedOf('{ of: account, per: day, messages: 5 }'), []);
  assert.deepEqual(warnedOf('{ of: account, per: day, money: 5 }', ', prices: { default: 1 }'), []);
  const [refused = ''] = warnedOf('{ of: account, per: day, money: 5 }', ', prices: { DE: 1 }');
  assert.match(refused, /^routes\[0\]: a has no price for FR: .* messages are refused; add prices/);
  const [counted = ''] = warnedOf('{ of: account, per: day, money: 5, worstPrice: 0.3 }');
  assert.match(counted, /no price for DE, FR: .* counted at its worstPrice/);
});

test('the channels that a message goes on by need prices, too, where their route serves', () => {
  const then = 'then: { channel: voice, carriers: [b] }';
  const config = loadText(`carriers:
  a: { type: smpp, host: h, systemId: u, password: p, source: A, prices: { default: 1 } }
  b: { type: http, url: "https://h/", json: { to: "{{to}}", code: "{{code}}" }, channels: [voice], prices: { DE: 1 } }
routes: [{ channel: sms, countries: [DE, FR], carriers: [a], ${then} }]`);
  assert.deepEqual(
    warnOfUnpriced(config).map(({ key, detail }) => `${key}: ${detail.split(':')[0]}`),
    ['routes[0].then: b has no price for FR'],
  );
});
