/** A clock that was ahead and has been corrected: the times it wrote delay nobody longer than they should. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LONGEST_RETRY_PAUSE_MS } from '../../../../src/core/events/schedule.ts';
import { query } from '../../../../src/core/sql/records.ts';
import { formatDuration } from '../../../../src/core/verification/limits.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import { dueOf, newAccount, newEndpoint } from '../events/rig.ts';
import {
  DAY,
  FAILOVER,
  guessAt,
  HOUR,
  issueOne,
  LEASE,
  MINUTE,
  newVerification,
  type OpenStore,
  openFor,
  receipt,
  SECOND,
  SUBMITTED,
  seenByPeople,
  settlement,
  unique,
  VALID_FOR,
  withLimits,
} from '../rig.ts';

const WINDOW = 10 * MINUTE;
const LIMIT = { max: 2, windowMs: WINDOW };
/** Other nodes write while a store is being corrected, and what they write is not dated ahead. */
const SLACK = 10 * SECOND;
const AHEAD = [90 * SECOND, HOUR, DAY, 400 * DAY];

export function describeClock(open: OpenStore): void {
  suite('a clock that was ahead', () => {
    // The evening: an hour ahead is tomorrow.
    const now = Math.floor(Date.now() / DAY) * DAY + 23 * HOUR + 30 * MINUTE;

    test('the store tells the time', async (t) => {
      const { store } = await openFor(t, open);
      assert.ok(Math.abs(store.clock.now() - Date.now()) < 5 * SECOND);
      assert.ok(Math.abs(store.clockOffset) < 5 * SECOND);
      assert.ok(Number.isInteger(store.clock.now()));
    });

    for (const ahead of AHEAD) {
      const by = formatDuration(ahead);

      test(`by ${by}: limits of requests, sends and guesses come back within their window`, async (t) => {
        const rules = withLimits({
          requestsPerKey: [LIMIT],
          sendsPerDestination: [LIMIT],
          failedGuessesPerDestination: [LIMIT],
        });
        const { store } = await openFor(t, open, rules);
        const [keyId, destinationHash, guessed] = [unique('key'), unique('hash'), unique('hash')];
        const byKey = (at: number) => store.issue(newVerification({ keyId, createdAt: at }));
        const toDestination = (at: number) =>
          store.issue(newVerification({ destinationHash, createdAt: at }));
        for (let i = 0; i < 2; i++) {
          assert.equal((await byKey(now + ahead)).kind, 'issued');
          assert.equal((await toDestination(now + ahead)).kind, 'issued');
        }
        const first = await issueOne(store, { destinationHash: guessed, createdAt: now + ahead });
        for (let i = 0; i < 2; i++) {
          const guess = guessAt(first, 'wrong', now + ahead);
          assert.equal((await store.confirm(guess)).kind, 'mismatch');
        }

        await store.clampFutureTimes(now, LEASE);
        for (const ask of [byKey, toDestination]) {
          const refused = await ask(now + SECOND);
          assert.ok(refused.kind === 'limited');
          assert.equal(refused.retryAfterMs, WINDOW - SECOND);
          assert.equal((await ask(now + WINDOW)).kind, 'issued');
        }
        const second = await issueOne(store, { destinationHash: guessed, createdAt: now + MINUTE });
        const judge = async (v: NewVerification, at: number) =>
          (await store.confirm(guessAt(v, 'right', at))).kind;
        assert.equal(await judge(second, now + 2 * MINUTE), 'attempts-exhausted');
        assert.equal(await judge(second, now + WINDOW), 'confirmed');
      });

      test(`by ${by}: what was sent is not counted again when that day comes`, async (t) => {
        const { store } = await openFor(
          t,
          open,
          withLimits({ sendsPerDestination: [LIMIT], requestsPerKey: [LIMIT] }),
        );
        const [keyId, destinationHash] = [unique('key'), unique('hash')];
        const issue = (createdAt: number) =>
          store.issue(newVerification({ keyId, destinationHash, createdAt }));
        for (let i = 0; i < 2; i++) assert.equal((await issue(now + ahead)).kind, 'issued');
        await store.clampFutureTimes(now, LEASE);
        if (ahead < WINDOW) return;
        assert.equal((await issue(now + ahead)).kind, 'issued');
      });

      test(`by ${by}: a code is valid for its time from now on, and no longer`, async (t) => {
        const { store } = await openFor(t, open);
        const [good, over] = [
          await issueOne(store, { createdAt: now + ahead }),
          await issueOne(store, { createdAt: now + ahead }),
        ];
        await store.clampFutureTimes(now, LEASE);
        assert.equal((await store.confirm(guessAt(good, 'right', now + VALID_FOR - 1))).kind, 'confirmed');
        assert.equal((await store.confirm(guessAt(over, 'right', now + VALID_FOR))).kind, 'expired');
      });

      test(`by ${by}: a code is found by its number while it is valid, and no longer`, async (t) => {
        const { store } = await openFor(t, open);
        const v = await issueOne(store, { createdAt: now + ahead, byNumber: true });
        await store.clampFutureTimes(now, LEASE);
        const foundAt = async (at: number) => (await store.findLive({ ...v, now: at })).length;
        assert.deepEqual([await foundAt(now + VALID_FOR - 1), await foundAt(now + VALID_FOR)], [1, 0]);
      });

      test(`by ${by}: what waits to be sent, or for a receipt, is due on time`, async (t) => {
        const { store } = await openFor(t, open);
        const retried = await issueOne(store, { createdAt: now - MINUTE });
        const waiting = await issueOne(store, { createdAt: now + ahead });
        const submitted = await issueOne(store, { createdAt: now + ahead });
        await store.settle(settlement(submitted, FAILOVER, [{}]));
        await store.settle(settlement(retried, { kind: 'retry', dueAt: now + ahead }));
        await store.clampFutureTimes(now, LEASE);
        const claim = async (at: number) =>
          (await store.claim(at, at + LEASE, 10)).map(({ id }) => id).sort();
        assert.deepEqual(await claim(now + LEASE - 1), [], 'who leased it may be sending it');
        assert.deepEqual(
          await claim(now + LEASE + SLACK),
          ahead < VALID_FOR ? [waiting.id, retried.id].sort() : [waiting.id],
        );
        assert.equal((await claim(now + VALID_FOR + 1)).length, 0);
        assert.equal(await store.depth(), 0, 'all have expired');
      });

      test(`by ${by}: an idempotency key is free after a day`, async (t) => {
        const { store } = await openFor(t, open);
        const first = { accountId: unique('acc'), idempotency: { keyHash: unique('k'), bodyHash: 'b' } };
        await issueOne(store, { ...first, createdAt: now + ahead });
        await store.clampFutureTimes(now, LEASE);
        const again = (at: number) => store.issue(newVerification({ ...first, createdAt: at }));
        assert.equal((await again(now + HOUR)).kind, 'replayed');
        assert.equal((await again(now + DAY)).kind, 'issued');
      });

      test(`by ${by}: receipts find their message, and who answers is told from who was accepted last`, async (t) => {
        const { store } = await openFor(t, open);
        const [one, other, tag, reference] = [unique('acc'), unique('acc'), unique('tag'), unique('ref')];
        const send = async (accountId: string, at: number, name: string) => {
          const v = await issueOne(store, { accountId, createdAt: at });
          const accepted = { reference: name, recipientTag: tag, startedAt: at, endedAt: at + SECOND };
          await store.settle(settlement(v, SUBMITTED, [accepted]));
        };
        const sender = () => store.findSender({ carrier: 'smsc', recipientTags: [tag], now: now + HOUR });
        await send(one, now + ahead, reference);

        await store.clampFutureTimes(now, LEASE);
        assert.equal(await sender(), one);
        assert.equal(
          (await store.receive(receipt(now + MINUTE, { references: [reference] }))).kind,
          'applied',
        );
        await send(other, now + MINUTE, unique('ref'));
        assert.equal(await sender(), other, 'though the first was dated later');
      });

      test(`by ${by}: the purge goes on`, async (t) => {
        const { store } = await openFor(t, open, withLimits({ requestsPerKey: [] }));
        // More than one batch of the purge, before those that were dated correctly.
        const wrong = await Promise.all(
          Array.from({ length: 600 }, () => issueOne(store, { createdAt: now + ahead })),
        );
        const right = await issueOne(store, { createdAt: now });
        await store.clampFutureTimes(now, LEASE);
        const late = now + 30 * DAY;
        while (await store.purge(late));
        for (const v of [right, wrong[0], wrong.at(-1)]) {
          assert.ok(v !== undefined);
          assert.equal((await store.confirm(guessAt(v, 'right', late))).kind, 'unknown');
        }
      });
    }

    test('what was sent under the cap of a future day counts for today', async (t) => {
      const { store } = await openFor(t, open);
      const today = Math.floor(now / DAY);
      assert.equal(await store.takeQuota('smsc', today, 10, 3), 3);
      assert.equal(await store.takeQuota('smsc', today + 1, 10, 4), 4);
      assert.equal(await store.takeQuota('smsc', today + 2, 10, 2), 2);
      assert.equal(await store.takeQuota('other', today + 1, 10, 8), 8);
      await store.clampFutureTimes(now, LEASE);
      assert.equal(await store.takeQuota('smsc', today, 10, 10), 1);
      assert.equal(await store.takeQuota('other', today, 10, 10), 2);
      assert.equal(await store.takeQuota('smsc', today + 1, 10, 10), 10);
    });

    test('failed guesses at an earlier code come back within their window', async (t) => {
      const { store } = await openFor(t, open, withLimits({ failedGuessesPerDestination: [LIMIT] }));
      const destinationHash = unique('hash');
      const first = await issueOne(store, { destinationHash, createdAt: now - MINUTE });
      for (let i = 0; i < 2; i++) await store.confirm(guessAt(first, 'wrong', now + 5 * MINUTE));
      await store.clampFutureTimes(now, LEASE);
      const second = await issueOne(store, { destinationHash, createdAt: now + MINUTE });
      const judge = async (at: number) => (await store.confirm(guessAt(second, 'right', at))).kind;
      assert.equal(await judge(now + WINDOW - 1), 'attempts-exhausted');
      assert.equal(await judge(now + WINDOW), 'confirmed');
    });

    test('a message of the inbox is dated now', async (t) => {
      const { store } = await openFor(t, open);
      const accountId = unique('acc');
      const v = await issueOne(store, { accountId, createdAt: now + HOUR });
      await store.settle(settlement(v, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
      await store.clampFutureTimes(now, LEASE);
      const listed = await store.list(seenByPeople(accountId), null, 10, now);
      assert.deepEqual(
        listed.map(({ id, at }) => ({ id, at })),
        [{ id: v.id, at: now }],
      );
    });

    test('an early receipt waits for a day from now, and no longer', async (t) => {
      const { store } = await openFor(t, open);
      const early = receipt(now + DAY, { references: ['r1'] });
      assert.deepEqual(await store.receive(early), { kind: 'early' });
      await store.clampFutureTimes(now, LEASE);
      const late = now + DAY + SECOND;
      while (await store.purge(late));
      const v = await issueOne(store, { createdAt: late });
      assert.deepEqual(await store.settle(settlement(v, FAILOVER, [{ reference: 'r1' }])), []);
    });

    test('messages of webhooks are sent as soon as ever, and ends of codes told when they come', async (t) => {
      const { store } = await openFor(t, open);
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['verification.requested', 'verification.expired']);
      const v = await issueOne(store, { accountId, createdAt: now + 10 * DAY });
      for (let i = 0; i < 2; i++) await issueOne(store, { accountId, createdAt: now });
      const [ahead, far, near] = await dueOf(store, hook);
      assert.ok(ahead !== undefined && far !== undefined && near !== undefined);
      const postpone = (seq: number, dueAt: number) =>
        store.transact([
          { sql: 'UPDATE webhook_message SET due_at = $2 WHERE seq = $1', args: [seq, dueAt] },
        ]);
      await postpone(far.seq, now + 10 * DAY);
      await postpone(near.seq, now + LONGEST_RETRY_PAUSE_MS);
      await store.clampFutureTimes(now, LEASE);
      const due = await dueOf(store, hook, now);
      assert.deepEqual(
        due.map(({ seq, at }) => [seq, at]),
        [
          [ahead.seq, now],
          [far.seq, now],
        ],
      );
      const ends = async (at: number) => {
        while ((await store.tellExpired(at, 100)) > 0);
        const told = await dueOf(store, hook);
        return told.filter((each) => each.type === 'verification.expired' && each.verificationId === v.id);
      };
      assert.deepEqual(await ends(now + VALID_FOR - 1), []);
      assert.equal((await ends(now + VALID_FOR)).length, 1);
    });

    test('a receipt finds a message that was sent while the clock was ahead, though it was asked for before', async (t) => {
      const { store } = await openFor(t, open);
      const v = await issueOne(store, { createdAt: now });
      const sent = { reference: 'r1', startedAt: now + 2 * DAY, endedAt: now + 2 * DAY };
      await store.settle(settlement(v, FAILOVER, [sent]));
      await store.clampFutureTimes(now, LEASE);
      const told = await store.receive(receipt(now + SECOND, { references: ['r1'] }));
      assert.equal(told.kind, 'applied');
    });

    test('what was confirmed while the clock was ahead was confirmed now, though it was asked for before', async (t) => {
      const { store } = await openFor(t, open);
      const confirmed = async (createdAt: number, at: number) => {
        const v = await issueOne(store, { createdAt });
        assert.equal((await store.confirm(guessAt(v, 'right', at))).kind, 'confirmed');
        return v;
      };
      const before = await confirmed(now - 9 * MINUTE, now - 8 * MINUTE);
      const ahead = await confirmed(now - 4 * MINUTE, now + 5 * MINUTE);
      const later = await confirmed(now - SECOND, now);
      await store.clampFutureTimes(now, LEASE);
      const at = async ({ accountId, id }: NewVerification) =>
        (await store.findArchived(seenByPeople(accountId), id, now))?.verification.confirmedAt;
      assert.deepEqual(await Promise.all([before, ahead, later].map(at)), [now - 8 * MINUTE, now, now]);
    });

    test('an error of a carrier is dated now, and others stay as they are', async (t) => {
      const { store } = await openFor(t, open);
      const word = { node: 'n1', breaker: 'closed', at: now } as const;
      const states = [
        { ...word, carrier: 'ahead', lastError: { reason: 'r', at: now + HOUR } },
        { ...word, carrier: 'right', lastError: { reason: 'r', at: now - HOUR } },
        { ...word, carrier: 'well', lastError: null },
      ];
      await store.noteCarrierStates(states);
      await store.clampFutureTimes(now, LEASE);
      const seen = await store.carrierStates(now);
      assert.deepEqual(seen.map(({ carrier, lastError }) => [carrier, lastError?.at]).sort(), [
        ['ahead', now],
        ['right', now - HOUR],
        ['well', undefined],
      ]);
    });

    test('what an account said on a day that has not come counts for today', async (t) => {
      const { store } = await openFor(t, open);
      const today = Math.floor(now / DAY);
      const say = (subject: string, day: number, counted: number) => ({
        sql: `INSERT INTO verdict_count (subject, verdict, day, counted) VALUES ($1, 'fraud', $2, $3)`,
        args: [subject, day, counted],
      });
      await store.transact([
        say('a', today, 1),
        say('a', today + 1, 2),
        say('a', today + 2, 4),
        say('b', today + 1, 8),
      ]);
      await store.clampFutureTimes(now, LEASE);
      const rows = await query(store, 'SELECT subject, day, counted FROM verdict_count ORDER BY subject');
      assert.deepEqual(
        rows.map(({ subject, day, counted }) => [subject, day, counted]),
        [
          ['a', today, 7],
          ['b', today, 8],
        ],
      );
    });

    test('a lease that is as long as its code is still held after the clock was ahead', async (t) => {
      const { store } = await openFor(t, open);
      const ahead = now + HOUR;
      const v = await issueOne(store, { createdAt: ahead, expiresAt: ahead + LEASE });
      const held = [{ id: v.id, fence: 0 }];
      assert.deepEqual(await store.renew(held, ahead + LEASE), new Set([v.id]));
      await store.clampFutureTimes(now, LEASE);
      assert.equal(await store.depth(), 1);
      assert.deepEqual(await store.renew(held, now + LEASE), new Set([v.id]));
    });

    test('a carrier’s state is followed by the next', async (t) => {
      const { store } = await openFor(t, open);
      const word = { node: 'n1', carrier: 'smsc', lastError: null } as const;
      await store.noteCarrierStates([{ ...word, breaker: 'open', at: now + HOUR }]);
      await store.clampFutureTimes(now, LEASE);
      const next = { ...word, breaker: 'closed', at: now + SECOND } as const;
      await store.noteCarrierStates([next]);
      assert.deepEqual(await store.carrierStates(now + SECOND), [next]);
    });

    test('a carrier’s schedule that is far ahead begins again, others continue', async (t) => {
      const { store } = await openFor(t, open);
      const { budget } = store;
      if (budget === undefined) return t.skip('one node keeps its rates itself');
      await budget.reserve('far', HOUR, 1);
      await budget.reserve('near', 50 * SECOND, 1);
      await store.clampFutureTimes(store.clock.now(), LEASE);
      assert.equal(await budget.reserve('far', SECOND, 1), 0);
      assert.ok((await budget.reserve('near', SECOND, 1)) > SECOND);
    });

    test('what others write in the meantime is left as it is', async (t) => {
      const { store } = await openFor(t, open);
      if (!store.isShared) return t.skip('one node does one thing after another');
      const v = await issueOne(store, { createdAt: now + SLACK });
      await store.takeQuota('smsc', Math.floor(now / DAY), 10, 3);
      assert.equal(await store.clampFutureTimes(now, LEASE), 0);
      assert.deepEqual(await store.claim(now + SLACK + LEASE - 1, now + DAY, 10), [], 'still leased');
      assert.equal((await store.confirm(guessAt(v, 'right', now + SLACK + VALID_FOR - 1))).kind, 'confirmed');
    });

    test('what is dated correctly is left as it is', async (t) => {
      const { store } = await openFor(t, open);
      const v = await issueOne(store, {
        createdAt: now,
        idempotency: { keyHash: unique('k'), bodyHash: 'b' },
      });
      await store.confirm(guessAt(v, 'wrong', now));
      await store.takeQuota('smsc', Math.floor(now / DAY), 10, 3);
      assert.equal(await store.clampFutureTimes(now, LEASE), 0);
      assert.deepEqual(await store.claim(now + LEASE - 1, now + 2 * LEASE, 10), [], 'still leased');
    });
  });
}
