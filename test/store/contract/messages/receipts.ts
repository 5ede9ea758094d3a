/** Receipts of carriers, matched with what was sent. The country identifies the messages of a test. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { ReceiptOutcome } from '../../../../src/core/sending/delivery.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  LEASE,
  type OpenedStore,
  type OpenStore,
  receipt,
  SECOND,
  SUBMITTED,
  settlement,
} from '../rig.ts';

export function describeReceipts(open: OpenStore): void {
  suite('receipts', () => {
    let opened: OpenedStore;
    let store: Store;
    const now = Date.now();
    /** Later than attempts take here. */
    const soon = now + 2 * SECOND;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    /** A message that the carrier took under this reference. */
    const submit = async (country: string, reference: string, recipientTag: string | null = 'tag') => {
      const v = await issueOne(store, { country, createdAt: now });
      await store.settle(settlement(v, FAILOVER, [{ reference, recipientTag }]));
      return v;
    };
    const countryOf = (outcome: ReceiptOutcome | undefined) =>
      outcome?.kind === 'applied' ? outcome.country : outcome?.kind;

    test('delivered is applied, timed from the request, and ends the delivery', async () => {
      const v = await issueOne(store, { country: 'JP', channel: 'voice', createdAt: now });
      await store.settle(settlement(v, FAILOVER, [{ carrier: 'asterisk', reference: 'r1' }]));
      const at = now + 4_321;
      assert.deepEqual(await store.receive(receipt(at, { carrier: 'asterisk', references: ['r1'] })), {
        kind: 'applied',
        status: 'delivered',
        channel: 'voice',
        country: 'JP',
        carrier: 'asterisk',
        latencyMs: 4_321,
        requeued: false,
      });
      assert.deepEqual(await store.claim(v.expiresAt - 1, v.expiresAt, 10), []);
      const confirmed = await store.confirm(guessAt(v, 'right'));
      assert.equal(confirmed.kind === 'confirmed' && confirmed.carrier, 'asterisk');
    });

    test('undelivered sends the message back for another carrier', async () => {
      const v = await submit('DE', 'r1');
      const at = now + 2 * SECOND;
      const outcome = await store.receive(receipt(at, { references: ['r1'], status: 'undelivered' }));
      assert.equal(outcome.kind === 'applied' && outcome.requeued, true);
      assert.equal(await store.depth(), 1);
      const [delivery] = await store.claim(at, at + LEASE, 10);
      assert.equal(delivery?.id, v.id);
      assert.equal(delivery.codeSealed, v.codeSealed);
      assert.deepEqual(delivery.spentCarriers, ['smsc']);
    });

    test('undelivered without another carrier is applied, and sends nothing', async () => {
      const v = await issueOne(store, { createdAt: now });
      await store.settle(settlement(v, SUBMITTED, [{ reference: 'r1' }]));
      const undelivered = receipt(now + SECOND, { references: ['r1'], status: 'undelivered' });
      const outcome = await store.receive(undelivered);
      assert.deepEqual(outcome.kind === 'applied' && [outcome.status, outcome.requeued], [
        'undelivered',
        false,
      ]);
      assert.equal(await store.depth(), 0);
    });

    test('undelivered does not change the lease of a node that is sending it again', async () => {
      const v = await issueOne(store, { createdAt: now });
      await store.settle(settlement(v, { kind: 'retry', dueAt: soon }, [{ reference: 'r1' }]));
      assert.equal((await store.claim(soon, soon + 15 * SECOND, 10)).length, 1);
      const late = receipt(soon + SECOND, { references: ['r1'], status: 'undelivered' });
      const outcome = await store.receive(late);
      assert.ok(outcome.kind === 'applied');
      assert.equal(outcome.requeued, false);
      assert.deepEqual(await store.claim(soon + 2 * SECOND, soon + 17 * SECOND, 10), []);
      await store.settle(settlement(v, SUBMITTED, [{ carrier: 'gateway' }], 1));
      const confirmed = await store.confirm(guessAt(v, 'right', soon + 3 * SECOND));
      assert.equal(confirmed.kind === 'confirmed' && confirmed.carrier, 'gateway', 'which took it last');
    });

    test('undelivered sends nothing once the code was confirmed or has expired', async () => {
      const confirmed = await submit('DE', 'r1');
      await store.confirm(guessAt(confirmed, 'right'));
      const expired = await submit('DE', 'r2');
      const receipts = [
        receipt(now + 2 * SECOND, { references: ['r1'], status: 'undelivered' }),
        receipt(expired.expiresAt, { references: ['r2'], status: 'undelivered' }),
      ];
      for (const each of receipts) {
        const outcome = await store.receive(each);
        assert.equal(outcome.kind === 'applied' && outcome.requeued, false);
      }
      assert.equal(await store.depth(), 0);
    });

    test('a second receipt of one attempt changes nothing, whatever it says', async () => {
      const v = await submit('DE', 'r1');
      await store.receive(receipt(now + SECOND, { references: ['r1'] }));
      for (const status of ['delivered', 'undelivered'] as const) {
        const again = receipt(now + 2 * SECOND, { references: ['r1'], status });
        assert.deepEqual(await store.receive(again), { kind: 'duplicate' });
      }
      assert.deepEqual(await store.claim(v.leaseUntil, v.expiresAt, 10), []);
    });

    test('delivered after undelivered changes nothing: another carrier may have been asked', async () => {
      const v = await submit('DE', 'r1');
      const told = (status: 'delivered' | 'undelivered', at: number) =>
        store.receive(receipt(at, { references: ['r1'], status }));
      const first = await told('undelivered', soon);
      assert.equal(first.kind === 'applied' && first.requeued, true);
      assert.deepEqual(await told('delivered', soon + 1), { kind: 'duplicate' });
      const claimed = await store.claim(soon + 2, v.expiresAt, 10);
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [v.id],
      );
      assert.deepEqual(await told('delivered', soon + 3), { kind: 'duplicate' });
    });

    test('of simultaneous receipts of one attempt one is applied', async () => {
      await submit('DE', 'r1');
      const copies = Array.from({ length: 20 }, () =>
        store.receive(receipt(now + SECOND, { references: ['r1'] })),
      );
      const kinds = (await Promise.all(copies)).map(({ kind }) => kind).sort();
      assert.deepEqual(kinds, ['applied', ...Array(19).fill('duplicate')]);
    });

    test('one that comes before the reference is written is applied when it is', async () => {
      const v = await issueOne(store, { createdAt: now, country: 'FR' });
      const early = receipt(now + 2 * SECOND, { references: ['r1'] });
      assert.deepEqual(await store.receive(early), { kind: 'early' });
      const written = await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }]));
      assert.deepEqual(written, [
        {
          kind: 'applied',
          status: 'delivered',
          channel: 'sms',
          country: 'FR',
          carrier: 'smsc',
          latencyMs: 2 * SECOND,
          requeued: false,
        },
      ]);
      assert.deepEqual(await store.claim(v.expiresAt - 1, v.expiresAt, 10), []);
      assert.deepEqual(await store.receive(early), { kind: 'duplicate' });
    });

    test('an early one is named as long as it waits for its message', async () => {
      const names = ['r1', 'r2', 'r\0'].map((reference) => ({ carrier: 'smsc', reference }));
      assert.deepEqual(await store.stillEarly(names), []);
      await store.receive(receipt(soon, { references: ['r1', 'r2'] }));
      await store.receive(receipt(soon, { references: ['r1'], carrier: 'gateway' }));
      assert.deepEqual(await store.stillEarly(names), names.slice(0, 2));
      await submit('KE', 'r2');
      assert.deepEqual(await store.stillEarly(names), []);
      const ofGateway = { carrier: 'gateway', reference: 'r1' };
      assert.deepEqual(await store.stillEarly([ofGateway, ofGateway]), [ofGateway, ofGateway]);
      assert.deepEqual(await store.stillEarly([]), []);
    });

    test('midnight between an early one and its reference makes no difference', async () => {
      const midnight = Math.ceil(now / DAY) * DAY;
      await store.receive(receipt(midnight - 1, { references: ['r1'] }));
      const v = await issueOne(store, { createdAt: midnight - SECOND });
      assert.equal((await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }]))).length, 1);
    });

    test('an early one survives a restart', async () => {
      await store.receive(receipt(soon, { references: ['r1'], status: 'undelivered' }));
      store = await opened.reopen();
      const v = await issueOne(store, { createdAt: now });
      const [outcome] = await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }]));
      assert.equal(outcome?.kind === 'applied' && outcome.requeued, true);
      assert.equal(await store.depth(), 1);
    });

    test('an early one is used up by the attempt it is matched with', async () => {
      await store.receive(receipt(soon, { references: ['r1'] }));
      const [first, second] = [
        await issueOne(store, { createdAt: now }),
        await issueOne(store, { createdAt: now }),
      ];
      assert.equal((await store.settle(settlement(first, FAILOVER, [{ reference: 'r1' }]))).length, 1);
      assert.deepEqual(await store.settle(settlement(second, FAILOVER, [{ reference: 'r1' }])), []);
    });

    test('an early one is used up with all its spellings', async () => {
      await store.receive(receipt(soon, { references: ['1a', '26'] }));
      const [first, second] = [
        await issueOne(store, { createdAt: now }),
        await issueOne(store, { createdAt: now }),
      ];
      assert.equal((await store.settle(settlement(first, FAILOVER, [{ reference: '1a' }]))).length, 1);
      assert.deepEqual(await store.settle(settlement(second, FAILOVER, [{ reference: '26' }])), []);
    });

    test('spellings are tried in their order', async () => {
      await submit('DE', '26');
      await submit('FR', '1a');
      const spelled = receipt(now + SECOND, { references: ['1a', '26'] });
      assert.equal(countryOf(await store.receive(spelled)), 'FR');
      await submit('IT', '37');
      const other = receipt(now + SECOND, { references: ['25', '37'] });
      assert.equal(countryOf(await store.receive(other)), 'IT');
      await submit('ES', '48');
      const later = await issueOne(store, { country: 'PT', createdAt: now });
      await store.settle(settlement(later, FAILOVER, [{ reference: '30', endedAt: soon }]));
      const older = receipt(soon, { references: ['48', '30'] });
      assert.equal(countryOf(await store.receive(older)), 'ES');
    });

    test('an early one is found by any of its spellings', async () => {
      await store.receive(receipt(soon, { references: ['1a', '26'] }));
      const v = await issueOne(store, { country: 'FR', createdAt: now });
      const [outcome] = await store.settle(settlement(v, FAILOVER, [{ reference: '26' }]));
      assert.equal(countryOf(outcome), 'FR');
    });

    test('a receipt that names its recipient is not given to a message to another', async () => {
      await submit('DE', '26', 'tag of DE');
      await submit('FR', '26', 'tag of FR');
      await submit('IT', '1a', 'tag of IT');
      const about = (recipientTags: string[]) =>
        store.receive(receipt(now + SECOND, { references: ['1a', '26'], recipientTags }));
      assert.equal(countryOf(await about(['tag of DE'])), 'DE');
      assert.equal(countryOf(await about(['tag under a new secret', 'tag of FR'])), 'FR');
      assert.deepEqual(await about(['tag of ES']), { kind: 'early' });
      assert.equal(countryOf(await about([])), 'IT', 'one that names none goes only by the reference');
    });

    test('a message of which nothing comes back, whose recipient is not kept, takes no receipt', async () => {
      await store.receive(receipt(soon, { references: ['r2'] }));
      const early = await issueOne(store, { createdAt: now });
      const silent = [{ reference: 'r2', recipientTag: null }];
      assert.deepEqual(await store.settle(settlement(early, FAILOVER, silent)), []);
      await submit('DE', 'r1', null);
      for (const recipientTags of [[], ['some tag']]) {
        const told = await store.receive(receipt(now + SECOND, { references: ['r1'], recipientTags }));
        assert.deepEqual(told, { kind: 'early' });
      }
    });

    test('an early one waits for its own recipient', async () => {
      await store.receive(receipt(soon, { references: ['26'], recipientTags: ['tag of FR'] }));
      const other = await issueOne(store, { country: 'DE', createdAt: now });
      const own = await issueOne(store, { country: 'FR', createdAt: now });
      const attempt = (recipientTag: string) => [{ reference: '26', recipientTag }];
      assert.deepEqual(await store.settle(settlement(other, FAILOVER, attempt('tag of DE'))), []);
      const [outcome] = await store.settle(settlement(own, FAILOVER, attempt('tag of FR')));
      assert.equal(countryOf(outcome), 'FR');
    });

    test('a reference that a carrier uses again is that of its newest message', async () => {
      await submit('DE', 'r1');
      const newer = await issueOne(store, { country: 'FR', createdAt: now });
      await store.settle(settlement(newer, FAILOVER, [{ reference: 'r1', endedAt: soon }]));
      assert.equal(countryOf(await store.receive(receipt(soon, { references: ['r1'] }))), 'FR');
    });

    test('a message is found for three days, and not much longer', async () => {
      await submit('DE', 'r1');
      await submit('FR', 'r2');
      const ended = now + SECOND + 20;
      const [inTime, late] = [ended + 3 * DAY - 1, ended + 4 * DAY];
      assert.equal(countryOf(await store.receive(receipt(inTime, { references: ['r1'] }))), 'DE');
      assert.equal((await store.receive(receipt(late, { references: ['r2'] }))).kind, 'early');
    });

    test('of several early ones the first is applied', async () => {
      await store.receive(receipt(soon, { references: ['r1', 'R1'], status: 'undelivered' }));
      await store.receive(receipt(soon + 1, { references: ['r1', 'R1'] }));
      const v = await issueOne(store, { createdAt: now });
      const outcomes = await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }]));
      const told = outcomes.map((outcome) => (outcome.kind === 'applied' ? outcome.status : outcome.kind));
      assert.deepEqual(told, ['undelivered', 'duplicate']);
    });

    test('an early one that names no recipient goes only by the reference', async () => {
      await store.receive(receipt(soon, { references: ['r2'] }));
      const v = await issueOne(store, { createdAt: now });
      const taken = [{ reference: 'r2', recipientTag: 'some tag' }];
      assert.equal((await store.settle(settlement(v, FAILOVER, taken))).length, 1);
    });

    test('delivered after all, a message that waits to be sent again is not', async () => {
      const v = await issueOne(store, { createdAt: now });
      await store.settle(settlement(v, { kind: 'retry', dueAt: soon }, [{ reference: 'r1' }]));
      await store.receive(receipt(now + SECOND, { references: ['r1'] }));
      assert.deepEqual(await store.claim(soon, soon + LEASE, 10), []);
    });

    test('references belong to a carrier', async () => {
      await submit('DE', 'r1');
      const strange = receipt(now + SECOND, { carrier: 'other', references: ['r1'] });
      assert.deepEqual(await store.receive(strange), { kind: 'early' });
    });

    test('an early one is not taken for that of another carrier', async () => {
      await store.receive(receipt(soon, { carrier: 'other', references: ['r1'] }));
      const v = await issueOne(store, { createdAt: now });
      assert.deepEqual(await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }])), []);
    });

    test('each attempt of a message has its own', async () => {
      const v = await issueOne(store, { createdAt: now });
      const dueAt = now + SECOND;
      await store.settle(settlement(v, { kind: 'retry', dueAt }, [{ carrier: 'first', reference: 'r1' }]));
      const [delivery] = await store.claim(dueAt, dueAt + LEASE, 10);
      await store.settle(settlement(v, FAILOVER, [{ carrier: 'second', reference: 'r2' }], delivery?.fence));
      const told = (carrier: string, reference: string) =>
        store.receive(receipt(soon, { carrier, references: [reference], status: 'undelivered' }));
      assert.equal((await told('first', 'r1')).kind, 'applied');
      assert.equal((await told('second', 'r2')).kind, 'applied');
    });

    test('a carrier that reported a message undelivered late is used up too', async () => {
      const v = await issueOne(store, { createdAt: now });
      const dueAt = now + SECOND;
      await store.settle(settlement(v, { kind: 'retry', dueAt }, [{ carrier: 'smsc', reference: 'r1' }]));
      await store.receive(receipt(now + 500, { references: ['r1'], status: 'undelivered' }));
      const [delivery] = await store.claim(dueAt, dueAt + LEASE, 10);
      assert.deepEqual(delivery?.spentCarriers, ['smsc']);
    });

    test('delivered after all takes the message out of the queue', async () => {
      const v = await submit('DE', 'r1');
      const at = now + SECOND;
      await store.receive(receipt(at, { references: ['r1'], status: 'undelivered' }));
      const [delivery] = await store.claim(at, at + LEASE, 10);
      assert.ok(delivery);
      const second = { carrier: 'gateway', reference: 'g1' };
      await store.settle(settlement(v, FAILOVER, [second], delivery.fence));
      const delivered = receipt(at, { carrier: 'gateway', references: ['g1'] });
      assert.equal(countryOf(await store.receive(delivered)), 'DE');
      assert.equal(await store.depth(), 0);
    });
  });
}
