import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { carriersTo, routesTo } from './reach.ts';
import { compileRoutes, type Route, THEN } from './routing.ts';

const route = (name: string, more: Partial<Route> = {}): Route => ({
  channel: 'sms',
  carriers: [name],
  ...more,
});

test('routes up to the first that takes all messages to the country', () => {
  const routes = [
    route('other channel', { channel: 'voice' }),
    route('elsewhere', { countries: ['DE'] }),
    route('a part', { countries: ['IN'], prefixes: ['+9198'] }),
    route('prefix only', { prefixes: ['+91'] }),
    route('all', { countries: ['IN', 'US'] }),
    route('never reached'),
  ];
  const names = (code?: string) => routesTo(routes, 'sms', 'IN', code).map(({ carriers: [name] }) => name);
  assert.deepEqual(names('+91'), ['a part', 'prefix only', 'all']);
  assert.deepEqual(names('+49'), ['a part', 'all']);
  assert.deepEqual(names(), ['a part', 'all']);
});

test('no message takes a route that is not among them', () => {
  const prefixes = fc.uniqueArray(fc.constantFrom('+9', '+91', '+919', '+9198', '+1', '+49'), {
    minLength: 1,
  });
  const countries = fc.uniqueArray(fc.constantFrom('IN', 'DE', 'US'), { minLength: 1 });
  const routes = fc.array(
    fc
      .record({ countries, prefixes }, { requiredKeys: [], noNullPrototype: true })
      .map((more) => route('c', more)),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(routes, fc.stringMatching(/^[6-9]\d{9}$/), (all, national) => {
      const found = compileRoutes(all)('sms', { address: `+91${national}`, kind: 'e164', country: 'IN' });
      if (found.ok) assert.ok(routesTo(all, 'sms', 'IN', '+91').includes(found.route));
    }),
  );
});

test('carriers that messages go on by are reached where their route serves', () => {
  const routes: Route[] = [
    {
      channel: 'voice',
      countries: ['DE'],
      carriers: ['pbx'],
      [THEN]: { channel: 'sms', carriers: ['late'] },
    },
    { channel: 'sms', carriers: ['smsc'], [THEN]: { channel: 'voice' } },
  ];
  assert.deepEqual([...carriersTo(routes, 'sms', 'DE')].sort(), ['late', 'smsc']);
  assert.deepEqual([...carriersTo(routes, 'sms', 'FR')], ['smsc']);
  assert.deepEqual([...carriersTo(routes, 'voice', 'DE')], ['pbx']);
});
