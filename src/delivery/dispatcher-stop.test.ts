/** How the dispatcher stops: nothing is lost, and nothing new starts. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import type { Outcome } from '../core/sending/carrier.ts';
import type { Delivery, Settlement } from '../core/sending/delivery.ts';
import {
  ACCEPTED,
  claimedAgain,
  emptyQueue,
  hang,
  LEASE,
  messageWith,
  NO_FUNDS,
  openRig,
  PERMANENT,
  scriptedCarrier,
  settled,
  startDispatcher,
  TEMPORARY,
  until,
} from './fixture.ts';

const message = messageWith({ id: 'v1' });

suite('dispatcher: stop', () => {
  test('finishes what is under way', async () => {
    await using rig = await openRig();
    const answers: ((outcome: Outcome) => void)[] = [];
    const smsc = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
    const { dispatcher } = rig.dispatch([smsc]);
    await rig.send(dispatcher, message);
    await settled();
    const stopped = dispatcher.stop(60_000);
    answers[0]?.(ACCEPTED);
    await stopped;
    assert.equal(await rig.store.depth(), 0);
  });

  test('accepts nothing more', async () => {
    await using rig = await openRig();
    const smsc = scriptedCarrier('smsc', () => ACCEPTED);
    const { dispatcher } = rig.dispatch([smsc]);
    await dispatcher.stop(0);
    await rig.send(dispatcher, message, 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual(smsc.submitted, []);
  });

  test('waits for a claim that is under way, and for what it brings', async () => {
    const claim = Promise.withResolvers<Delivery[]>();
    const settlements: Settlement[] = [];
    let claims = 0;
    const queue = emptyQueue({
      claim: () => {
        claims++;
        return claim.promise;
      },
      settle: async (settlement) => {
        settlements.push(settlement);
        return [];
      },
    });
    const { dispatcher } = startDispatcher([scriptedCarrier('smsc', () => ACCEPTED)], { queue });
    await until(() => claims === 1);
    let hasStopped = false;
    const stopped = dispatcher.stop(60_000).then(() => {
      hasStopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(hasStopped, false);
    claim.resolve([claimedAgain(message)]);
    await stopped;
    assert.deepEqual(
      settlements.map(({ id }) => id),
      ['v1'],
    );
  });

  test('cuts off what does not end in time, and returns it to the queue at once', async () => {
    await using rig = await openRig();
    const { dispatcher } = rig.dispatch([scriptedCarrier('smsc', hang)]);
    await rig.send(dispatcher, message);
    await dispatcher.stop(0);
    const now = Date.now();
    const [delivery] = await rig.store.claim(now, now + LEASE, 10);
    assert.equal(delivery?.id, 'v1');
    assert.equal(delivery.rounds, 1);
  });

  test('does not wait for a store that is away', async () => {
    const away = new StoreUnavailable('the disk is full');
    const settlements: ((error: Error) => void)[] = [];
    const queue = emptyQueue({
      settle: () =>
        new Promise((_, reject) => {
          if (settlements.push(reject) > 1) reject(away);
        }),
    });
    const { dispatcher } = startDispatcher([scriptedCarrier('smsc', () => ACCEPTED)], { queue });
    // Until its code expires, a running dispatcher would settle it again and again.
    dispatcher.accept(
      messageWith({ expiresAt: Date.now() + 1_500 }),
      Date.now(),
      performance.now(),
      NO_FUNDS,
    );
    await until(() => settlements.length === 1);
    const stopped = dispatcher.stop(60_000);
    settlements[0]?.(away);
    await stopped;
    assert.equal(settlements.length, 1);
  });

  test('does not try another carrier after a cut-off', { timeout: 60_000 }, async () => {
    await using rig = await openRig();
    const second = scriptedCarrier('second', (_message, signal) => {
      return new Promise((resolve) => {
        const end = () => resolve(TEMPORARY);
        signal.addEventListener('abort', end);
        setTimeout(end, 1_000);
      });
    });
    const { dispatcher } = rig.dispatch([scriptedCarrier('first', hang), second]);
    await rig.send(dispatcher, message);
    await settled();
    await dispatcher.stop(0);
    assert.deepEqual(second.submitted, []);
  });

  test('what goes on by another channel keeps it', async () => {
    const settlements: Settlement[] = [];
    const answers: ((outcome: Outcome) => void)[] = [];
    const smsc = scriptedCarrier('smsc', () => new Promise((resolve) => answers.push(resolve)));
    const queue = emptyQueue({
      settle: async (settlement) => {
        settlements.push(settlement);
        return [];
      },
    });
    const nextFallbackStep = () => ({ leg: 1, after: undefined, patience: undefined });
    const { dispatcher } = startDispatcher([smsc], { queue, nextFallbackStep });
    dispatcher.accept(message, Date.now(), performance.now(), NO_FUNDS);
    await until(() => answers.length === 1);
    const stopped = dispatcher.stop(60_000);
    answers[0]?.(PERMANENT);
    await stopped;
    const [next] = settlements.map((settlement) => settlement.next);
    assert.equal(next?.kind === 'retry' && next.leg, 1);
  });
});
