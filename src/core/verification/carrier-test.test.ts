import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Destination } from '../destination/destination.ts';
import type { RouteFinder } from '../sending/routing.ts';
import { NO_KEY, routesOver } from './carrier-test.ts';
import { createVerifierRig, LIVE, NUMBER } from './fixture.ts';

const CALLER = { ...LIVE, keyId: NO_KEY };
const TEST = { id: `ver_${'0'.repeat(32)}`, carrier: 'other' };
const SMS = { destination: NUMBER, channel: 'sms' } as const;

suite('a test of a carrier', () => {
  test('is a message of its own: for this carrier only, in no queue, with no guess', async () => {
    const rig = createVerifierRig();
    assert.deepEqual(await rig.verifier.test(CALLER, SMS, TEST), { kind: 'issued', id: TEST.id, ...SMS });
    const [written] = rig.issued;
    assert.ok(written);
    const { id, keyId, guesses, leaseUntil, brought, idempotency } = written;
    assert.deepEqual(
      { id, keyId, guesses, leaseUntil, brought, idempotency },
      { id: TEST.id, keyId: NO_KEY, guesses: 0, leaseUntil: null, brought: true, idempotency: null },
    );
    const [handed] = rig.handedOver;
    assert.deepEqual([handed?.message.only, handed?.message.id], ['other', TEST.id]);
    assert.deepEqual(rig.told, [], 'nobody asked for a code');
  });

  test('a message that is none names no carrier', async () => {
    const rig = createVerifierRig();
    await rig.ask();
    assert.equal(rig.handedOver[0]?.message.only, undefined);
    assert.equal(rig.issued[0]?.guesses, 5);
  });

  test('counts for the budgets of the route that the number has, at the price of the carrier', async () => {
    const rig = createVerifierRig();
    const asked: object[] = [];
    rig.findRoute = () => ({
      ok: true,
      route: {
        channel: 'sms',
        countries: ['DE'],
        carriers: ['smsc', 'more'],
        dailyCap: 5,
        choose: 'quality',
      },
    });
    rig.findBudgets = ({ route }) => {
      asked.push(route);
      return undefined;
    };
    await rig.verifier.test(CALLER, SMS, TEST);
    assert.deepEqual(asked, [{ channel: 'sms', countries: ['DE'], carriers: ['other'] }]);
  });

  test('is refused as a request is, and then nothing is written', async () => {
    const rig = createVerifierRig({ countries: ['FR'] });
    const kindsOf = async (destination: string) => {
      const answer = await rig.verifier.test(CALLER, { ...SMS, destination }, TEST);
      return answer.kind === 'invalid' ? answer.code : answer.kind;
    };
    assert.equal(await kindsOf(NUMBER), 'country_not_allowed');
    assert.equal(await kindsOf('112'), 'not_e164');
    assert.equal(await kindsOf('+4911'), 'not_e164');
    rig.guardPort = {
      ...rig.guardPort,
      judge: () => ({ passes: false, refused: () => {} }),
    };
    assert.equal(await kindsOf('+33612345678'), 'guarded');
    assert.deepEqual([rig.issued, rig.handedOver], [[], []]);
  });

  test('goes where a route leads; a SIP address only over a carrier of that route', () => {
    const toSip: Destination = { address: 'sip:alice@example.com', kind: 'sip', country: 'ZZ' };
    const toNumber: Destination = { address: NUMBER, kind: 'e164', country: 'DE' };
    const found: RouteFinder = () => ({ ok: true, route: { channel: 'voice', carriers: ['smsc'] } });
    const none: RouteFinder = () => ({ ok: false, field: 'destination', code: 'no_route', detail: 'None.' });
    const goes = (carrier: string, findRoute: RouteFinder, destination: Destination) =>
      routesOver(carrier, findRoute)('voice', destination).ok;
    assert.deepEqual(
      [goes('smsc', found, toSip), goes('other', found, toSip), goes('other', found, toNumber)],
      [true, false, true],
    );
    assert.deepEqual([goes('smsc', none, toSip), goes('smsc', none, toNumber)], [false, false]);
  });
});
