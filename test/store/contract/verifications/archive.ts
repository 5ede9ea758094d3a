/** Past verifications as their account sees them: the result of each. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  MINUTE,
  type OpenStore,
  receipt,
  SECOND,
  SUBMITTED,
  seenByPeople,
  settlement,
  unique,
} from '../rig.ts';
import { Archive, FAILED, NOON } from './archive-rig.ts';

export function describeArchive(open: OpenStore): void {
  suite('archive', () => {
    const archive = new Archive(open);

    test('a verification is shown as it was requested', async () => {
      const v = await issueOne(archive.store, {
        ...{ createdAt: NOON, test: true, brought: true, channel: 'voice', country: 'JP' },
      });
      const { id, accountId, keyId, destinationSealed, createdAt, expiresAt } = v;
      assert.deepEqual(await archive.look(v), {
        verification: {
          ...{ id, accountId, keyId, destinationSealed, createdAt, expiresAt },
          ...{ test: true, brought: true },
          channel: 'voice',
          country: 'JP',
          status: 'pending',
          carrier: null,
          asked: [],
          guessesLeft: 5,
          endedAt: null,
          confirmedAt: null,
        },
        attempts: [],
        ...{ inQueue: true, detailsSealed: null, signals: null, verdict: null },
      });
    });

    test('its attempts are shown in order, with reason, cost and result', async () => {
      const v = await issueOne(archive.store, { createdAt: NOON });
      const reference = unique('ref');
      await archive.store.settle(
        settlement(v, FAILOVER, [
          { carrier: 'a', outcome: 'temporary', reason: 'throttled', choice: '1st of 2 in order' },
          { carrier: 'b', reference, choice: '2nd of 2 in order', cost: 7_500 },
        ]),
      );
      const { attempts, verification, inQueue } = await archive.look(v);
      assert.equal(verification.carrier, 'b');
      assert.ok(inQueue, 'another carrier may still send it');
      const made = {
        channel: 'sms' as const,
        startedAt: NOON + SECOND,
        endedAt: NOON + SECOND + 20,
        receipt: null,
      };
      assert.deepEqual(attempts, [
        {
          ...made,
          carrier: 'a',
          choice: '1st of 2 in order',
          outcome: 'temporary',
          reference: null,
          reason: 'throttled',
          cost: 0,
        },
        {
          ...made,
          carrier: 'b',
          choice: '2nd of 2 in order',
          outcome: 'accepted',
          reference,
          reason: null,
          cost: 7_500,
        },
      ]);
    });

    test('a confirmed verification stays confirmed; others expire', async () => {
      const v = await issueOne(archive.store, { createdAt: NOON });
      await archive.store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }]));
      assert.equal(await archive.statusOf(v), 'pending');
      assert.equal(await archive.statusOf(v, v.expiresAt - 1), 'pending');
      assert.equal(await archive.statusOf(v, v.expiresAt), 'expired');
      await archive.store.confirm(guessAt(v, 'wrong'));
      await archive.store.confirm(guessAt(v, 'right', NOON + MINUTE));
      const { verification } = await archive.look(v, v.expiresAt);
      assert.equal(verification.status, 'confirmed');
      assert.equal(verification.confirmedAt, NOON + MINUTE);
      assert.equal(verification.guessesLeft, 3);
      assert.equal((await archive.look(v)).inQueue, false);
    });

    test('it is locked when the guesses are used up', async () => {
      const v = await issueOne(archive.store, { createdAt: NOON, guesses: 1 });
      await archive.store.confirm(guessAt(v, 'wrong'));
      assert.equal(await archive.statusOf(v), 'locked');
      assert.equal(await archive.statusOf(v, v.expiresAt), 'locked');
    });

    test('it has failed when every carrier refused it', async () => {
      const v = await issueOne(archive.store, { createdAt: NOON });
      await archive.store.settle(
        settlement(v, FAILED, [{ outcome: 'permanent', reason: 'unknown subscriber' }]),
      );
      assert.equal(await archive.statusOf(v), 'failed');
      const { verification, inQueue } = await archive.look(v);
      assert.deepEqual([verification.carrier, inQueue], [null, false]);
    });

    test('it has failed when no carrier took it in time, and is pending until then', async () => {
      const v = await issueOne(archive.store, { createdAt: NOON });
      const retry = { kind: 'retry', dueAt: NOON + MINUTE } as const;
      await archive.store.settle(settlement(v, retry, [{ outcome: 'temporary', reason: 'busy' }]));
      assert.equal(await archive.statusOf(v), 'pending');
      assert.equal(await archive.statusOf(v, v.expiresAt), 'failed');
      await archive.store.claim(v.expiresAt, v.expiresAt + SECOND, 100);
      assert.equal(await archive.statusOf(v, v.expiresAt), 'failed', 'also when the queue has dropped it');
    });

    test('it is undelivered when a carrier says so and nothing is left to try', async () => {
      const v = await issueOne(archive.store, { createdAt: NOON });
      const reference = unique('ref');
      await archive.store.settle(settlement(v, SUBMITTED, [{ reference }]));
      assert.equal(await archive.statusOf(v), 'pending');
      const at = NOON + 5 * SECOND;
      await archive.store.receive(
        receipt(at, { references: [reference], status: 'undelivered', reason: 'absent' }),
      );
      assert.equal(await archive.statusOf(v), 'undelivered');
      const unstated = { price: null, currency: null, network: null };
      const expected = { status: 'undelivered', reason: 'absent', at, ...unstated };
      assert.deepEqual((await archive.look(v)).attempts[0]?.receipt, expected);
    });

    test('undelivered by one carrier, it is pending while another can send it, and delivered once that does', async () => {
      const v = await issueOne(archive.store, { createdAt: NOON });
      const [first, second] = [unique('ref'), unique('ref')];
      await archive.store.settle(settlement(v, FAILOVER, [{ carrier: 'a', reference: first }]));
      const at = NOON + 5 * SECOND;
      await archive.store.receive(receipt(at, { carrier: 'a', references: [first], status: 'undelivered' }));
      assert.equal(await archive.statusOf(v, at), 'pending');
      assert.equal(await archive.statusOf(v, v.expiresAt), 'undelivered');
      const leased = (await archive.store.claim(at, at + MINUTE, 100)).find(({ id }) => id === v.id);
      await archive.store.settle(
        settlement(v, SUBMITTED, [{ carrier: 'b', reference: second }], leased?.fence),
      );
      await archive.store.receive(receipt(at + SECOND, { carrier: 'b', references: [second] }));
      const { verification, attempts } = await archive.look(v, v.expiresAt);
      assert.deepEqual([verification.status, verification.carrier], ['expired', 'b']);
      assert.deepEqual(
        attempts.map(({ carrier, receipt }) => [carrier, receipt?.status]),
        [
          ['a', 'undelivered'],
          ['b', 'delivered'],
        ],
      );
    });

    test('another account’s verification is not found', async () => {
      const destinationHash = unique('hash');
      const v = await issueOne(archive.store, { createdAt: NOON, destinationHash });
      const stranger = unique('acc');
      assert.equal(await archive.store.findArchived(seenByPeople(stranger), v.id, NOON), undefined);
      assert.deepEqual(await archive.found(stranger, {}), []);
      assert.deepEqual(await archive.found(stranger, { destinationHashes: [destinationHash] }), []);
      assert.deepEqual(await archive.found(stranger, { keyId: v.keyId }), []);
    });

    test('an id that never existed or is malformed is not found', async () => {
      const { accountId } = await issueOne(archive.store, { createdAt: NOON });
      for (const id of [`ver_${'0'.repeat(32)}`, 'ver_1', '', "'", 'a'.repeat(64)]) {
        assert.equal(await archive.store.findArchived(seenByPeople(accountId), id, NOON), undefined);
      }
    });
  });
}
