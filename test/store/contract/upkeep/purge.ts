import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { auditStep } from '../../../../src/accounts/audit.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { COMMAND_LINE, THE_SERVICE } from '../../../../src/core/accounts/actor.ts';
import { createManualClock } from '../../../../src/core/seams/clock-fixture.ts';
import { query } from '../../../../src/core/sql/records.ts';
import { Aging } from '../../../../src/store/aging.ts';
import type { Store } from '../../../../src/store/port.ts';
import { newAccount, newEndpoint, toldTo } from '../events/rig.ts';
import {
  DAY,
  FAILOVER,
  guessAt,
  HOUR,
  issueOne,
  kindsOf,
  LAX,
  LEASE,
  MINUTE,
  mismatch,
  newVerification,
  type OpenStore,
  openFor,
  receipt,
  SECOND,
  seenByPeople,
  settlement,
  someAtATime,
  tally,
  unique,
  withLimits,
} from '../rig.ts';

const RETENTION = 30 * DAY;

async function purgeAll(store: Store, now: number): Promise<number> {
  let batches = 1;
  while (await store.purge(now)) batches++;
  return batches;
}

export function describePurge(open: OpenStore): void {
  suite('purge', () => {
    test('an empty store has nothing to purge', async (t) => {
      const { store } = await openFor(t, open);
      assert.equal(await store.purge(Date.now()), false);
    });

    test('verifications are deleted when their retention is over, and not before', async (t) => {
      const { store } = await openFor(t, open);
      const now = Date.now();
      const old = await issueOne(store, { createdAt: now - RETENTION });
      const young = await issueOne(store, { createdAt: now - RETENTION + SECOND });
      const fresh = await issueOne(store, { createdAt: now });
      await purgeAll(store, now);
      assert.equal((await store.confirm(guessAt(old, 'right', now))).kind, 'unknown');
      assert.equal((await store.confirm(guessAt(young, 'right', now))).kind, 'expired');
      assert.equal((await store.confirm(guessAt(fresh, 'right', now))).kind, 'confirmed');
    });

    test('while a clock is doubted nothing is older by it, and there is room for what is dated by it', async (t) => {
      const { store } = await openFor(t, open, withLimits({ requestsPerKey: [] }));
      const now = Date.now();
      const ahead = now + 40 * DAY;
      const idempotency = { keyHash: unique('key'), bodyHash: 'body' };
      const first = await issueOne(store, { createdAt: now, idempotency });
      const guessed = await issueOne(store, { createdAt: now });
      await store.confirm(guessAt(guessed, 'wrong', now));
      while (await store.purge(ahead, now + MINUTE));
      assert.equal((await store.issue(newVerification({ createdAt: ahead }))).kind, 'issued');
      await store.clampFutureTimes(now, LEASE);
      const again = {
        ...newVerification({ createdAt: now + MINUTE, idempotency }),
        accountId: first.accountId,
      };
      assert.equal((await store.issue(again)).kind, 'replayed');
      for (const v of [first, guessed])
        assert.equal((await store.confirm(guessAt(v, 'right', now + 2 * MINUTE))).kind, 'confirmed');
      while (await store.purge(ahead));
      assert.equal((await store.confirm(guessAt(first, 'right', now + 3 * MINUTE))).kind, 'unknown');
    });

    test('by which time rows are old at a start follows from the newest of them', async (t) => {
      const { store } = await openFor(t, open);
      const clock = createManualClock(Date.now());
      const agedBy = () => new Aging(clock, store).now();
      assert.equal(await agedBy(), clock.now(), 'nothing can be lost');
      await issueOne(store, { createdAt: clock.now() - 40 * DAY });
      await issueOne(store, { createdAt: clock.now() - 39 * DAY });
      assert.equal(await agedBy(), clock.now() - 39 * DAY);
      const accountId = await newAccount(store);
      await issueOne(store, { createdAt: clock.now() - HOUR + MINUTE });
      assert.equal(await agedBy(), clock.now() - 39 * DAY, 'what is later may have come by a wrong clock');
      for (const at of [clock.now() - DAY, clock.now() + DAY])
        await store.transact([
          auditStep(store, {
            accountId,
            by: THE_SERVICE,
            action: 'key.revoked',
            subject: 'x',
            detail: '',
            at,
          }),
        ]);
      assert.equal(await agedBy(), clock.now() - DAY);
    });

    test('what the limits of a key remember is deleted after the key has ended', async (t) => {
      const { store } = await openFor(t, open, withLimits({ requestsPerKey: [{ max: 1, windowMs: DAY }] }));
      const keys = createKeys(store);
      const now = Date.now();
      const made = ['good', 'revoked', 'expired', 'still good'].map((name) => {
        const [id, prefix, hash] = [unique('key'), unique('csk_live'), unique('hash')];
        return { id, prefix, hash, name, test: false, createdAt: now };
      });
      for (const key of made) {
        await keys.createKey('Acme', key, COMMAND_LINE);
        await issueOne(store, { keyId: key.id, createdAt: now });
      }
      await keys.revokeKey(made[1]?.id ?? '', now, COMMAND_LINE);
      const expire = (id = '', at = 0) =>
        store.transact([{ sql: 'UPDATE api_key SET expires_at = $2 WHERE id = $1', args: [id, at] }]);
      await expire(made[2]?.id, now + 1);
      await expire(made[3]?.id, now + 2);
      await purgeAll(store, now + 1);
      const kinds = made.map(({ id }) => store.issue(newVerification({ keyId: id, createdAt: now + 2 })));
      assert.deepEqual(kindsOf(await Promise.all(kinds)), ['limited', 'issued', 'issued', 'limited']);
    });

    test('a confirmed one is deleted too', async (t) => {
      const { store } = await openFor(t, open);
      const v = await issueOne(store);
      await store.confirm(guessAt(v, 'right'));
      await purgeAll(store, v.createdAt + RETENTION + DAY);
      assert.equal((await store.confirm(guessAt(v, 'right'))).kind, 'unknown');
    });

    test('a batch reports whether there is more', async (t) => {
      const { store } = await openFor(t, open);
      const now = Date.now();
      const make = (count: number, createdAt: number) =>
        someAtATime(Array<number>(count).fill(createdAt), (at) => issueOne(store, { createdAt: at }));
      const old = await make(2_500, now - RETENTION - HOUR);
      const young = await make(50, now - RETENTION + HOUR);
      assert.equal(await store.purge(now), true, 'a batch is small');
      await purgeAll(store, now);
      assert.equal(await store.purge(now), false);
      const ask = (v: (typeof old)[number]) => store.confirm(guessAt(v, 'right', now));
      assert.deepEqual(tally(await someAtATime(old, ask)), { unknown: 2_500 });
      assert.deepEqual(tally(await Promise.all(young.map(ask))), { expired: 50 });
    });

    test('the queue still works', async (t) => {
      const { store } = await openFor(t, open);
      const now = Date.now();
      const old = await issueOne(store, { createdAt: now - RETENTION });
      await store.settle(settlement(old, FAILOVER, [{ reference: 'r1' }]));
      const left = await issueOne(store, { createdAt: now - RETENTION });
      const fresh = await issueOne(store, { createdAt: now, leaseUntil: now });
      await purgeAll(store, now);
      const claimed = await store.claim(now, now + MINUTE, 10);
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [fresh.id],
      );
      assert.equal(await store.depth(), 1);
      await store.settle(settlement(left, { kind: 'failed' }));
      assert.equal((await store.receive(receipt(now, { references: ['r1'] }))).kind, 'early');
      await purgeAll(store, now + RETENTION + 2 * DAY);
      const attempts = await query(store, 'SELECT count(*) AS left FROM attempt');
      assert.equal(Number(attempts[0]?.left), 0);
      // A shared store keeps what counts of a destination beside its verifications.
      const counting = store.database === undefined ? 'verification' : 'destination';
      const destinations = await query(store, `SELECT count(*) AS left FROM ${counting}`);
      assert.equal(Number(destinations[0]?.left), 0);
    });

    test('failed guesses are kept as long as they count', async (t) => {
      const failedGuessesPerDestination = [{ max: 3, windowMs: 2 * DAY }];
      const { store } = await openFor(t, open, withLimits({ failedGuessesPerDestination }));
      const start = Date.now();
      const v = await issueOne(store, { createdAt: start, expiresAt: start + 5 * DAY, guesses: 100 });
      const guess = (now: number) => store.confirm(guessAt(v, 'wrong', now));
      for (let i = 0; i < 3; i++) await guess(start);
      await purgeAll(store, start + 2 * DAY - 1);
      assert.equal((await guess(start + 2 * DAY - 1)).kind, 'attempts-exhausted');
      await purgeAll(store, start + 2 * DAY);
      assert.deepEqual(await guess(start + 2 * DAY), mismatch(2));
    });

    test('sends are kept as long as they count', async (t) => {
      const { store } = await openFor(
        t,
        open,
        withLimits({ sendsPerDestination: [{ max: 1, windowMs: DAY }] }),
      );
      const v = await issueOne(store);
      await purgeAll(store, v.createdAt + DAY - 1);
      const { destinationHash } = v;
      await assert.rejects(issueOne(store, { destinationHash, createdAt: v.createdAt + DAY - 1 }), /limited/);
      await issueOne(store, { destinationHash, createdAt: v.createdAt + DAY });
    });

    test('a later send and a later wrong guess keep their destination for as long as they count', async (t) => {
      const limits = [{ max: 1, windowMs: DAY }];
      const rules = withLimits({ sendsPerDestination: limits, failedGuessesPerDestination: limits });
      const { store } = await openFor(t, open, rules);
      const noon = Date.now() - (Date.now() % DAY) + DAY / 2;
      const later = noon + DAY + 11 * HOUR;
      const sent = await issueOne(store, { createdAt: noon });
      const guessed = await issueOne(store, { createdAt: noon, expiresAt: noon + 5 * DAY });
      const { destinationHash } = sent;
      await issueOne(store, { destinationHash, createdAt: later });
      await store.confirm(guessAt(guessed, 'wrong', later));
      const now = later + 23 * HOUR;
      await purgeAll(store, now);
      assert.equal((await store.issue(newVerification({ destinationHash, createdAt: now }))).kind, 'limited');
      assert.equal((await store.confirm(guessAt(guessed, 'right', now))).kind, 'attempts-exhausted');
    });

    test('idempotency keys are kept for their day', async (t) => {
      const { store } = await openFor(t, open, LAX);
      const accountId = unique('acc');
      const idempotency = { keyHash: unique('idem'), bodyHash: 'sms x' };
      const first = await issueOne(store, { accountId, idempotency });
      const lastMoment = first.createdAt + DAY - SECOND;
      await purgeAll(store, lastMoment);
      await assert.rejects(issueOne(store, { accountId, idempotency, createdAt: lastMoment }), /replayed/);
      await purgeAll(store, first.createdAt + DAY + SECOND);
      await issueOne(store, { accountId, idempotency, createdAt: first.createdAt + DAY + SECOND });
    });

    test('an early receipt waits for a day and no longer', async (t) => {
      const { store } = await openFor(t, open);
      const now = Date.now();
      const early = { old: now - DAY - SECOND, young: now - DAY + MINUTE };
      for (const [reference, at] of Object.entries(early)) {
        await store.receive(receipt(at, { references: [reference] }));
      }
      await purgeAll(store, now);
      const matches = async (reference: 'old' | 'young') => {
        const v = await issueOne(store, { createdAt: early[reference] - 2 * SECOND });
        return (await store.settle(settlement(v, FAILOVER, [{ reference }]))).length;
      };
      assert.equal(await matches('old'), 0);
      assert.equal(await matches('young'), 1);
    });

    test('a code is found by its number as long as it is valid, whatever a clock ahead purged, and a day later nothing is kept for that', async (t) => {
      const { store } = await openFor(t, open);
      const v = await issueOne(store, { byNumber: true });
      const { accountId, destinationHash, expiresAt } = v;
      const number = { accountId, test: v.test, destinationHash, earlierDestinationHashes: [] };
      await purgeAll(store, expiresAt + DAY - 1);
      assert.deepEqual(await store.findLive({ ...number, now: expiresAt - 1 }), [
        { id: v.id, channel: v.channel },
      ]);
      await purgeAll(store, expiresAt + DAY);
      // The embedded store finds it by what the limits of sends count.
      if (!store.isShared) return;
      assert.deepEqual(await query(store, 'SELECT verification_id FROM code_by_number'), []);
    });

    test('the end of a code waits for a day to be told, and no longer', async (t) => {
      const { store } = await openFor(t, open);
      const accountId = await newAccount(store);
      const hook = await newEndpoint(store, accountId, ['verification.expired']);
      const told = await issueOne(store, { accountId });
      await purgeAll(store, told.expiresAt + DAY - 1);
      assert.equal(await store.tellExpired(told.expiresAt, 10), 1);
      assert.deepEqual(await toldTo(store, hook), [`verification.expired ${told.id}`]);
      const late = await issueOne(store, { accountId });
      await purgeAll(store, late.expiresAt + DAY);
      assert.equal(await store.tellExpired(late.expiresAt, 10), 0);
    });

    test('messages of the inbox are deleted some time after their retention, and not before', async (t) => {
      const { store } = await openFor(t, open, {
        ...LAX,
        retention: { ...LAX.retention, simulatorMessages: 5 * DAY },
      });
      const now = Date.now();
      const accountId = unique('acc');
      const keep = async (createdAt: number, of = accountId) => {
        const v = await issueOne(store, { accountId: of, createdAt });
        await store.settle(settlement(v, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
        return v.id;
      };
      await someAtATime(Array<number>(1_500).fill(now - 7 * DAY), (at) => keep(at));
      const kept = await keep(now - 5 * DAY + MINUTE);
      const young = await keep(now - 4 * DAY);
      const others = [unique('acc'), unique('acc')];
      for (const other of others) await keep(now - 7 * DAY, other);
      await purgeAll(store, now);
      const list = async (of = accountId) =>
        (await store.list(seenByPeople(of), null, 10, now)).map(({ id }) => id);
      assert.deepEqual(await list(), [young, kept]);
      for (const other of others) assert.deepEqual(await list(other), []);
      await purgeAll(store, now + 7 * DAY);
      assert.deepEqual(await list(), []);
    });
  });
}
