/** What happens to a delivery after a round of attempts, and whose settlement counts. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { NextStep } from '../../../../src/core/sending/delivery.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  LEASE,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  receipt,
  SECOND,
  SUBMITTED,
  settlement,
} from '../rig.ts';

export function describeSettlements(open: OpenStore): void {
  suite('settlements', () => {
    let opened: OpenedStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    const claim = (now: number) => store.claim(now, now + LEASE, 100);

    test('a retry comes back when it is due, one round older', async () => {
      const v = await issueOne(store);
      const dueAt = v.createdAt + 2 * SECOND;
      assert.deepEqual(await store.settle(settlement(v, { kind: 'retry', dueAt })), []);
      assert.deepEqual(await claim(dueAt - 1), []);
      const [delivery] = await claim(dueAt);
      assert.equal(delivery?.rounds, 1);
      await store.settle(settlement(v, { kind: 'retry', dueAt: dueAt + SECOND }, [], delivery.fence));
      const [again] = await claim(dueAt + SECOND);
      assert.equal(again?.rounds, 2);
    });

    test('a retry may be due at once', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, { kind: 'retry', dueAt: v.createdAt }));
      assert.equal((await claim(v.createdAt + 1)).length, 1);
    });

    test('a retry past the end of the code is never sent', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, { kind: 'retry', dueAt: v.expiresAt + MINUTE }));
      assert.deepEqual(await claim(v.expiresAt - 1), []);
      assert.deepEqual(await claim(v.expiresAt + MINUTE), []);
      assert.equal(await store.depth(), 0);
    });

    for (const next of [SUBMITTED, DELIVERED, { kind: 'failed' }] satisfies NextStep[]) {
      test(`${next.kind} ends the delivery`, async () => {
        const v = await issueOne(store);
        await store.settle(settlement(v, next, [{}]));
        assert.equal(await store.depth(), 0);
        assert.deepEqual(await claim(v.leaseUntil), []);
        assert.deepEqual(await claim(v.expiresAt - 1), []);
        assert.equal((await store.confirm(guessAt(v, 'right'))).kind, 'confirmed', 'the code stays good');
      });
    }

    test('submitted with a failover waits for its receipt, not in the queue', async () => {
      const v = await issueOne(store);
      await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }]));
      assert.equal(await store.depth(), 0);
      assert.deepEqual(await claim(v.leaseUntil), []);
      assert.deepEqual(await claim(v.expiresAt - 1), []);
      assert.deepEqual(await claim(v.expiresAt), []);
    });

    test('carriers that refused permanently are used up, those that may still take it are not', async () => {
      const v = await issueOne(store);
      const attempts = [
        { carrier: 'refusing', outcome: 'permanent', reason: 'refused' },
        { carrier: 'busy', outcome: 'temporary', reason: 'busy' },
        { carrier: 'refusing', outcome: 'permanent', reason: 'refused' },
      ] as const;
      const retry = { kind: 'retry', dueAt: v.createdAt + SECOND } as const;
      await store.settle(settlement(v, retry, attempts));
      const refusing = [{ carrier: 'refusing another', outcome: 'permanent' }] as const;
      await store.settle(settlement(await issueOne(store), FAILOVER, refusing));
      const [delivery] = await claim(v.createdAt + SECOND);
      assert.deepEqual(delivery?.spentCarriers, ['refusing']);
    });

    const steps: readonly NextStep[] = [
      SUBMITTED,
      FAILOVER,
      DELIVERED,
      { kind: 'failed' },
      { kind: 'retry', dueAt: 0 },
    ];
    for (const next of steps) {
      const name = next === FAILOVER ? 'submitted with a failover' : next.kind;
      test(`${name}, reported under an old fence, leaves the queue as it is and keeps the attempt`, async () => {
        const v = await issueOne(store);
        const now = v.leaseUntil;
        const [taken] = await claim(now);
        assert.ok(taken);
        await store.settle(settlement(v, next, [{ reference: 'late' }]));
        assert.equal(await store.depth(), 1);
        assert.deepEqual(await claim(now + LEASE - 1), [], 'the taker still holds it');
        const applied = await store.receive(receipt(now, { references: ['late'], status: 'undelivered' }));
        assert.equal(applied.kind, 'applied', 'the attempt was kept');
        assert.equal(applied.kind === 'applied' && applied.requeued, false, 'the taker is sending it');
        const [again] = await claim(now + LEASE);
        assert.equal(again?.rounds, 0);
        assert.equal(again?.codeSealed, v.codeSealed);
      });
    }

    test('what was given up elsewhere and taken after all names its carrier', async () => {
      const v = await issueOne(store);
      const [taken] = await claim(v.leaseUntil);
      assert.ok(taken);
      await store.settle(settlement(v, { kind: 'failed' }, [], taken.fence));
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'late' }]));
      const outcome = await store.confirm(guessAt(v, 'right'));
      assert.equal(outcome.kind === 'confirmed' && outcome.carrier, 'late');
    });

    test('a confirmation names the carrier that delivered it, whoever else took it before or after', async () => {
      const v = await issueOne(store);
      await claim(v.leaseUntil);
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'delivering', reference: 'r1' }]));
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'second', reference: 'r2' }], 1));
      const at = v.leaseUntil;
      await store.receive(receipt(at, { carrier: 'delivering', references: ['r1'] }));
      await store.receive(receipt(at, { carrier: 'second', references: ['r2'], status: 'undelivered' }));
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'late' }], 2));
      const outcome = await store.confirm(guessAt(v, 'right'));
      assert.equal(outcome.kind === 'confirmed' && outcome.carrier, 'delivering');
    });

    test('of two that took a message, a confirmation names the holder of the lease, whichever settled last', async () => {
      const v = await issueOne(store);
      await claim(v.leaseUntil);
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'holding' }], 1));
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'late' }]));
      const outcome = await store.confirm(guessAt(v, 'right'));
      assert.equal(outcome.kind === 'confirmed' && outcome.carrier, 'holding');
    });

    for (const order of ['before', 'after']) {
      test(`of two that took a message, a confirmation names none that reported it undelivered ${order} the other settled`, async () => {
        const v = await issueOne(store);
        const at = v.leaseUntil;
        await claim(at);
        await store.settle(settlement(v, SUBMITTED, [{ carrier: 'losing', reference: 'r1' }], 1));
        const report = receipt(at, { carrier: 'losing', references: ['r1'], status: 'undelivered' });
        if (order === 'before') await store.receive(report);
        await store.settle(settlement(v, SUBMITTED, [{ carrier: 'late' }]));
        if (order === 'after') await store.receive(report);
        const outcome = await store.confirm(guessAt(v, 'right'));
        assert.equal(outcome.kind === 'confirmed' && outcome.carrier, 'late');
      });
    }

    for (const [first, second] of [
      ['r1', 'r2'],
      ['r2', 'r1'],
    ] as const) {
      test(`of two that both reported a message undelivered, a confirmation names the later one (${first} first)`, async () => {
        const v = await issueOne(store);
        const at = v.leaseUntil;
        await store.settle(settlement(v, FAILOVER, [{ carrier: 'carrier of r1', reference: 'r1' }]));
        await claim(at);
        await store.settle(settlement(v, SUBMITTED, [{ carrier: 'carrier of r2', reference: 'r2' }], 1));
        for (const name of [first, second]) {
          const report = {
            carrier: `carrier of ${name}`,
            references: [name],
            status: 'undelivered',
          } as const;
          await store.receive(receipt(at, report));
        }
        const outcome = await store.confirm(guessAt(v, 'right'));
        assert.equal(outcome.kind === 'confirmed' && outcome.carrier, 'carrier of r2');
      });
    }

    test('a confirmation names who delivered a message at once before one that only took it', async () => {
      const v = await issueOne(store);
      await claim(v.leaseUntil);
      await store.settle(settlement(v, DELIVERED, [{ carrier: 'delivering', outcome: 'delivered' }]));
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'taking' }], 1));
      const outcome = await store.confirm(guessAt(v, 'right'));
      assert.equal(outcome.kind === 'confirmed' && outcome.carrier, 'delivering');
    });

    test('a confirmation names no carrier that failed, and none of another message', async () => {
      const v = await issueOne(store);
      const at = v.createdAt + 2 * SECOND;
      await store.settle(settlement(v, FAILOVER, [{ carrier: 'taking', reference: 'r1' }]));
      await store.receive(receipt(at, { carrier: 'taking', references: ['r1'], status: 'undelivered' }));
      await claim(at);
      const failed = [{ carrier: 'failing', outcome: 'temporary' }] as const;
      await store.settle(settlement(v, { kind: 'retry', dueAt: at + MINUTE }, failed, 1));
      const other = await issueOne(store);
      await claim(other.leaseUntil);
      await store.settle(settlement(other, DELIVERED, [{ carrier: 'other', outcome: 'delivered' }], 1));
      const outcome = await store.confirm(guessAt(v, 'right'));
      assert.equal(outcome.kind === 'confirmed' && outcome.carrier, 'taking');
    });

    test('what a carrier wrote holds up no settlement, whatever it holds', async () => {
      const v = await issueOne(store);
      const unkept = 'a NUL \0 and half a pair \ud83d';
      const written = { outcome: 'temporary', reason: unkept, choice: unkept } as const;
      await store.settle(settlement(v, SUBMITTED, [written, { reference: unkept }]));
      assert.equal(await store.depth(), 0);
    });

    test('a settlement after the confirmation is kept, and brings nothing back', async () => {
      const v = await issueOne(store);
      await store.confirm(guessAt(v, 'right'));
      const dueAt = v.createdAt + SECOND;
      await store.settle(settlement(v, { kind: 'retry', dueAt }, [{ reference: 'r1' }]));
      assert.deepEqual(await claim(dueAt), []);
      assert.equal((await store.receive(receipt(dueAt, { references: ['r1'] }))).kind, 'applied');
    });

    test('attempts of several rounds are all kept', async () => {
      const v = await issueOne(store);
      const dueAt = v.createdAt + SECOND;
      await store.settle(settlement(v, { kind: 'retry', dueAt }, [{ carrier: 'a', outcome: 'temporary' }]));
      const [delivery] = await claim(dueAt);
      assert.ok(delivery);
      const more = [{ carrier: 'b', reference: 'rb' }, { carrier: 'a', outcome: 'temporary' } as const];
      await store.settle(settlement(v, FAILOVER, more, delivery.fence));
      const outcome = await store.receive(receipt(dueAt, { carrier: 'b', references: ['rb'] }));
      assert.equal(outcome.kind, 'applied');
    });
  });
}
