import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Destination } from '../destination/destination.ts';
import { compileRoutes, findMisfits, nameRoute, type RouteFinder } from './routing.ts';

const berlin: Destination = { address: '+4930123456', kind: 'e164', country: 'DE' };
const mobile: Destination = { address: '+4915123456789', kind: 'e164', country: 'DE' };
const boston: Destination = { address: '+16175550123', kind: 'e164', country: 'US' };
const desk: Destination = { address: 'tel:+16175550123;ext=12', kind: 'extension', country: 'US' };
const sip: Destination = { address: 'sip:alice@example.com', kind: 'sip', country: 'ZZ' };

const carriersOf = (answer: ReturnType<RouteFinder>) => (answer.ok ? answer.route.carriers : undefined);

test('the first route that matches wins', () => {
  const find = compileRoutes([
    { channel: 'sms', countries: ['US'], carriers: ['a', 'b'] },
    { channel: 'sms', carriers: ['c'] },
    { channel: 'sms', countries: ['DE'], carriers: ['never'] },
  ]);
  assert.deepEqual(carriersOf(find('sms', boston)), ['a', 'b']);
  assert.deepEqual(carriersOf(find('sms', mobile)), ['c']);
});

test('a channel without any route is the field at fault', () => {
  const answer = compileRoutes([{ channel: 'sms', carriers: ['a'] }])('voice', mobile);
  assert.deepEqual(!answer.ok && [answer.field, answer.code], ['channel', 'no_route']);
});

test('a destination that no route of its channel serves is the field at fault, and is not repeated', () => {
  const find = compileRoutes([
    { channel: 'sms', countries: ['US'], carriers: ['a'] },
    { channel: 'voice', carriers: ['b'] },
  ]);
  const answer = find('sms', mobile);
  assert.deepEqual(!answer.ok && [answer.field, answer.code], ['destination', 'no_route']);
  assert.ok(!answer.ok && !answer.detail.includes('4915'));
});

test('no routes at all serve no channel', () => {
  const answer = compileRoutes([])('sms', mobile);
  assert.equal(!answer.ok && answer.field, 'channel');
});

test('a prefix is matched at the beginning of the number', () => {
  const find = compileRoutes([{ channel: 'sms', prefixes: ['+4915', '+4916'], carriers: ['a'] }]);
  assert.equal(find('sms', mobile).ok, true);
  assert.equal(find('sms', berlin).ok, false);
});

test('countries and prefixes must both match', () => {
  const find = compileRoutes([
    { channel: 'voice', countries: ['DE'], prefixes: ['+49', '+1'], carriers: ['a'] },
  ]);
  assert.equal(find('voice', berlin).ok, true);
  assert.equal(find('voice', boston).ok, false);
  const contradictory = compileRoutes([
    { channel: 'voice', countries: ['DE'], prefixes: ['+1'], carriers: ['a'] },
  ]);
  assert.equal(contradictory('voice', berlin).ok, false);
});

test('a number with an extension goes by its number', () => {
  const find = compileRoutes([{ channel: 'voice', prefixes: ['+1617'], carriers: ['a'] }]);
  assert.equal(find('voice', desk).ok, true);
});

test('a SIP URI has no prefix, and the country ZZ', () => {
  const byPrefix = compileRoutes([{ channel: 'voice', prefixes: ['+', 's'], carriers: ['a'] }]);
  const byCountry = compileRoutes([{ channel: 'voice', countries: ['ZZ'], carriers: ['a'] }]);
  assert.equal(byPrefix('voice', sip).ok, false);
  assert.equal(byCountry('voice', sip).ok, true);
});

test('what does not fit of each route is told', () => {
  const misfits = findMisfits(
    [
      { channel: 'voice', carriers: ['a'] },
      { channel: 'sms', countries: ['US'], carriers: ['a'] },
      { channel: 'sms', prefixes: ['+4916'], carriers: ['a'] },
      { channel: 'sms', countries: ['DE'], prefixes: ['+4915'], carriers: ['a'] },
    ],
    'sms',
    mobile,
  );
  assert.deepEqual(misfits, ['channel', 'country', 'prefix', undefined]);
});

test('a route is named by what it serves, in whatever order that is written', () => {
  const carriers = ['a'] as const;
  assert.equal(nameRoute({ channel: 'sms', carriers }), 'route sms everywhere');
  assert.equal(
    nameRoute({ channel: 'sms', countries: ['US', 'DE'], prefixes: ['+4915'], carriers }),
    nameRoute({ channel: 'sms', countries: ['DE', 'US'], prefixes: ['+4915'], carriers: ['b'] }),
  );
  const named = (...prefixes: readonly string[]) => nameRoute({ channel: 'sms', prefixes, carriers });
  assert.equal(named('+49', '+43'), named('+43', '+49'));
  assert.notEqual(named('+49'), named('+43'));
  assert.notEqual(
    nameRoute({ channel: 'sms', countries: ['DE'], carriers }),
    nameRoute({ channel: 'voice', countries: ['DE'], carriers }),
  );
});
