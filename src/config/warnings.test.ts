import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from './fixture.ts';
import { warnOfPrices, warnOfProxies, warnOfSimulated } from './warnings.ts';

const SMSC = 'smsc: { type: smpp, host: h, systemId: u, password: p, source: A }';

test('routes that lead only to the simulator are named', () => {
  const keys = (yaml: string) => warnOfSimulated(loadText(yaml)).map(({ key }) => key);
  assert.deepEqual(keys(''), ['routes[0]', 'routes[1]'], 'without carriers and routes all do');
  const routes = `routes:
  - { channel: sms, countries: [DE], carriers: [simulator] }
  - { channel: sms, countries: [US], carriers: [fake, simulator] }
  - { channel: sms, carriers: [smsc, simulator] }`;
  const yaml = `carriers: { fake: { type: simulator }, ${SMSC} }\n${routes}`;
  assert.deepEqual(keys(yaml), ['routes[0]', 'routes[1]']);
  assert.match(warnOfSimulated(loadText(yaml))[0]?.detail ?? '', /^sms to DE goes only to the simulator/);
  assert.deepEqual(keys(`carriers: { ${SMSC} }\nroutes: [{ channel: sms, carriers: [smsc] }]`), []);
});

test('a network far too large for proxies is named', () => {
  const wide = (network: string) => warnOfProxies(loadText(`trustProxy: ["${network}"]`)).length === 1;
  for (const network of [
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1',
    '128.0.0.0/1',
    '64.0.0.0/7',
    '2000::/3',
    '2a00::/12',
    'f000::/4',
  ]) {
    assert.ok(wide(network), network);
  }
  for (const network of [
    '10.0.0.0/8',
    '192.0.2.1',
    '172.16.0.0/12',
    '::1',
    'fd00::/8',
    'fc00::/7',
    '2001:db8::/32',
  ]) {
    assert.ok(!wide(network), network);
  }
  const [warning] = warnOfProxies(loadText('trustProxy: [10.0.0.1, 0.0.0.0/0]'));
  assert.equal(warning?.key, 'trustProxy[1]');
  assert.match(warning?.detail ?? '', /trusts everybody.*list only the addresses of your proxies/);
});

test('countries without a price are named while a budget of money applies', () => {
  const carriers = (prices: string) => `carriers: { ${SMSC.replace(' }', `${prices} }`)} }`;
  const details = (prices: string, route: string, budget: string) =>
    warnOfPrices(
      loadText(
        `${carriers(prices)}\nroutes: [{ channel: sms, carriers: [smsc, simulator]${route} }]\nbudgets: [${budget}]`,
      ),
    ).map(({ key, detail }) => `${key}: ${detail}`);
  const day = '{ of: account, per: day, money: 50 }';
  assert.deepEqual(details('', '', ''), []);
  assert.deepEqual(details('', '', '{ of: account, per: day, messages: 50 }'), []);
  assert.deepEqual(details(', prices: { default: 0.1 }', '', day), []);
  assert.deepEqual(details(', prices: { DE: 0.1 }', ', countries: [DE]', day), []);
  const [partly = ''] = details(', prices: { DE: 0.1 }', ', countries: [DE, FR, IT]', day);
  assert.match(partly, /^routes\[0\]: smsc has no price for FR, IT, .* are refused;/);
  const [all = ''] = details(', prices: { DE: 0.1 }', '', day);
  assert.match(all, /no price for all countries but DE,/);
  const [worst = ''] = details('', '', '{ of: account, per: day, money: 50, worstPrice: 0.3 }');
  assert.match(worst, /no price for all countries, .* at the worstPrice of a budget/);
});
