import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OutgoingMessage } from '../core/sending/carrier.ts';
import { compileRoutes, type Route } from '../core/sending/routing.ts';
import { createChooser } from './chooser.ts';

const ROUTES: readonly Route[] = [
  { channel: 'sms', countries: ['DE'], carriers: ['smsc', 'gateway'] },
  { channel: 'sms', countries: ['US'], carriers: ['simulator'] },
  { channel: 'voice', carriers: ['mute', 'pbx'] },
];

function chooserOf() {
  const simulated: string[] = [];
  const choose = createChooser({
    findRoute: compileRoutes(ROUTES),
    findLeg: () => undefined,
    router: { order: ({ carriers }) => carriers.map((carrier) => ({ carrier, why: 'in order' })) },
    speakers: { keepAble: (ranked) => ranked.filter(({ carrier }) => carrier !== 'mute') },
    simulatedRoutes: new Set(ROUTES.filter(({ carriers }) => carriers.includes('simulator'))),
    onLiveSimulated: (channel) => simulated.push(channel),
  });
  const chosenFor = (wanted: Partial<OutgoingMessage>, country = 'DE') =>
    choose({
      id: 'ver_1',
      accountId: 'acc_1',
      test: false,
      channel: 'sms',
      destination: { address: '+4915112345678', kind: 'e164', country },
      code: '482913',
      text: '482913 is your code',
      locale: 'en',
      expiresAt: 0,
      ...wanted,
    }).map(({ carrier }) => carrier);
  return { chosenFor, simulated };
}

suite('chooser', () => {
  test('a message goes over its route, in the order of the router', () => {
    const { chosenFor, simulated } = chooserOf();
    assert.deepEqual(chosenFor({}), ['smsc', 'gateway']);
    assert.deepEqual(simulated, []);
  });

  test('a test key reaches only the simulator, whatever the routes', () => {
    const { chosenFor, simulated } = chooserOf();
    assert.deepEqual(chosenFor({ test: true }), ['simulator']);
    assert.deepEqual(chosenFor({ test: true }, 'US'), ['simulator']);
    assert.deepEqual(simulated, []);
  });

  test('no carrier is asked if no route matches', () => {
    assert.deepEqual(chooserOf().chosenFor({}, 'FR'), []);
  });

  test('messages of a live key that reach no telephone are reported', () => {
    const { chosenFor, simulated } = chooserOf();
    assert.deepEqual(chosenFor({}, 'US'), ['simulator']);
    assert.deepEqual(simulated, ['sms']);
  });

  test('a call goes to the carriers that would speak', () => {
    assert.deepEqual(chooserOf().chosenFor({ channel: 'voice' }), ['pbx']);
  });
});
