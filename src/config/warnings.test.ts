import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from './fixture.ts';
import { warnOfCountries, warnOfEverywhere, warnOfProxies, warnOfSimulated } from './warnings.ts';

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

test('countries of routes that the guard does not allow are named', () => {
  const warned = (guard: string) =>
    warnOfCountries(
      loadText(`guard: { countries: ${guard} }
routes:
  - { channel: sms, countries: [DE, FR, ZZ], carriers: [simulator] }
  - { channel: sms, carriers: [simulator] }`),
    );
  assert.deepEqual(warned('[]'), []);
  assert.deepEqual(warned('[DE, FR, ZZ, US]'), []);
  const [warning, ...others] = warned('[DE]');
  assert.deepEqual([warning?.key, others], ['routes[0].countries', []]);
  assert.match(warning?.detail ?? '', /^guard.countries does not name FR, ZZ:/);
});

test('a guard without countries is named where a route spends money everywhere', () => {
  const warned = (route: string, guard = '') =>
    warnOfEverywhere(
      loadText(`carriers: { ${SMSC} }
routes: [{ channel: sms, ${route} }, { channel: voice, carriers: [simulator] }]
${guard}`),
    ).map(({ key }) => key);
  const everywhere = 'carriers: [smsc]';
  assert.deepEqual(warned(everywhere), ['guard.countries']);
  assert.deepEqual(warned(everywhere, 'guard: { countries: [DE] }'), []);
  assert.deepEqual(warned('countries: [DE], carriers: [smsc]'), []);
  assert.deepEqual(warned('prefixes: ["+49"], carriers: [smsc]'), []);
  assert.deepEqual(warnOfEverywhere(loadText('')), [], 'the simulator costs nothing');
});
