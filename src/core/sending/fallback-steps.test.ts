import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Destination } from '../destination/destination.ts';
import { carrierOn, isLater } from './carrier-on.ts';
import { compileFallbackSteps, nextStepAfter } from './fallback-steps.ts';
import { compileRoutes, type Route, THEN } from './routing.ts';

const MOBILE: Destination = { address: '+4915112345678', kind: 'e164', country: 'DE' };
const LANDLINE: Destination = { address: '+493012345678', kind: 'e164', country: 'DE' };
const EXTENSION: Destination = { address: 'tel:+493012345678;ext=12', kind: 'extension', country: 'DE' };

const TEXTS: Route = { channel: 'sms', countries: ['DE'], carriers: ['smsc'] };
const CALLS: Route = { channel: 'voice', carriers: ['pbx'], [THEN]: { channel: 'sms', after: 20_000 } };
const BOTH: Route = {
  channel: 'sms',
  carriers: ['gateway'],
  [THEN]: { channel: 'voice', carriers: ['caller'] },
};
const ROUTES = [TEXTS, CALLS, BOTH];

const findSteps = compileFallbackSteps(ROUTES, compileRoutes(ROUTES));

suite('legs', () => {
  test('a route without another channel has none', () => {
    assert.deepEqual(findSteps(TEXTS, MOBILE), []);
  });

  test('with carriers of its own a channel goes by these, without by the route of the destination', () => {
    assert.deepEqual(findSteps(BOTH, MOBILE), [
      { route: { channel: 'voice', carriers: ['caller'] }, after: undefined },
    ]);
    assert.deepEqual(findSteps(CALLS, MOBILE), [{ route: TEXTS, after: 20_000 }]);
  });

  test('a channel that cannot reach the destination is left out', () => {
    assert.deepEqual(findSteps(CALLS, LANDLINE), []);
    assert.deepEqual(findSteps(CALLS, EXTENSION), []);
  });

  test('a channel is next after those before it, and they share the patience from the request', () => {
    const steps = [
      { route: TEXTS, after: 20_000 },
      { route: CALLS, after: 30_000 },
      { route: BOTH, after: undefined },
    ];
    assert.deepEqual(nextStepAfter(steps, 0), { leg: 1, after: 20_000, patience: 20_000 });
    assert.deepEqual(nextStepAfter(steps, 1), { leg: 2, after: 30_000, patience: 50_000 });
    assert.deepEqual(nextStepAfter(steps, 2), { leg: 3, after: undefined, patience: undefined });
    assert.equal(nextStepAfter(steps, 3), undefined);
  });

  test('a carrier on a channel after the first is another one', () => {
    assert.equal(carrierOn('aws', null), 'aws');
    assert.equal(carrierOn('aws', 'voice'), 'aws voice');
    assert.deepEqual([isLater('aws'), isLater('aws voice')], [false, true]);
  });
});
