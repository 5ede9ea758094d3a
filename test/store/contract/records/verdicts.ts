/** What accounts say of their verifications: one verdict each, as many as count in a day, and gone with the verification. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import {
  countVerdicts,
  createFeedback,
  type FeedbackDeps,
} from '../../../../src/accounts/guarding/feedback.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import type { Member } from '../../../../src/accounts/standing.ts';
import {
  type FraudVerdict,
  type GivenVerdict,
  MOST_COUNTED,
  MOST_SAID,
  VERDICT_MS,
} from '../../../../src/core/guarding/verdict.ts';
import { createManualClock } from '../../../../src/core/seams/clock-fixture.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import { sweep } from '../../../../src/portal/sweep.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  issueOne,
  LAX,
  type OpenedStore,
  type OpenStore,
  seenByPeople,
  unique,
  withLimits,
} from '../rig.ts';

const ADA = { name: 'Ada', address: '192.0.2.1' };

export function describeVerdicts(open: OpenStore): void {
  suite('verdicts', () => {
    let opened: OpenedStore;
    let stores: readonly [Store, Store];

    before(async () => {
      opened = await open(LAX);
      stores = [opened.store, (await opened.second?.()) ?? opened.store];
    });
    after(() => opened.dispose());

    /** An account with a key, and what its guard was told. */
    async function createRig(store = opened.store, weigh: FeedbackDeps['guardPort']['weigh'] = () => 1) {
      const keys = createKeys(store);
      const account = unique('account');
      const addKey = async () => {
        const key = {
          prefix: unique('csk_live'),
          hash: unique('hash'),
          name: 'web',
          test: false,
          createdAt: 1,
        };
        const id = unique('key');
        return keys.createKey(account, { id, ...key }, ADA);
      };
      const key = await addKey();
      const told: (readonly [GivenVerdict | null, GivenVerdict | null])[] = [];
      const clock = createManualClock(Date.now());
      const feedbackOf = (at: FeedbackDeps['store']) =>
        createFeedback({
          ...{ clock, store: at },
          guardPort: { weigh, judged: (_code, before, given) => told.push([before, given]) },
        });
      const caller = { keyId: key.id, accountId: key.accountId, test: false };
      const say = (id: string, verdict: FraudVerdict | null, by = caller, at = store) =>
        feedbackOf(at)
          .byKey(by, id, verdict)
          .then(({ kind }) => kind);
      const found = async (id: string) =>
        (await store.findArchived(seenByPeople(key.accountId), id, clock.now()))?.verdict;
      const issue = (wanted = {}) =>
        issueOne(store, { accountId: key.accountId, keyId: key.id, createdAt: clock.now(), ...wanted });
      const entries = async () =>
        (await readAuditLog(store, key.accountId)).entries
          .filter(({ action }) => action === 'verification.judged')
          .map(({ who, subject, detail }) => ({ who, subject, detail }));
      const confirms = async (v: NewVerification) =>
        assert.equal((await store.confirm(guessAt(v, 'right', clock.now()))).kind, 'confirmed');
      return { key, addKey, told, clock, caller, feedbackOf, say, found, issue, entries, confirms };
    }

    test('is written with who said it, and the same again is nothing new', async () => {
      const { key, told, clock, say, found, issue, entries } = await createRig();
      const { id } = await issue();
      assert.equal(await found(id), null);
      const at = clock.now();
      for (let times = 0; times < 3; times++) assert.equal(await say(id, 'fraud'), 'given');
      assert.deepEqual(await found(id), { verdict: 'fraud', weight: 1, at });
      assert.deepEqual(told, [[null, { verdict: 'fraud', weight: 1, at }]]);
      assert.deepEqual(await entries(), [{ who: `web (${key.prefix})`, subject: id, detail: 'fraud' }]);
    });

    test('that was said before the code was confirmed is weighed once more when it is said again', async () => {
      for (const [verdict, before, then] of [
        ['fraud', 0, 1],
        ['good', -1, 0],
      ] as const) {
        const { told, clock, say, found, issue, entries, caller, confirms, key } = await createRig(
          opened.store,
          ({ isConfirmed }) => (isConfirmed ? then : before),
        );
        const v = await issue();
        const at = clock.now();
        for (let times = 0; times < 2; times++) assert.equal(await say(v.id, verdict), 'given');
        assert.deepEqual(await found(v.id), { verdict, weight: before, at });
        await confirms(v);
        await Promise.all(Array.from({ length: 20 }, (_, n) => say(v.id, verdict, caller, stores[n % 2])));
        assert.deepEqual(await found(v.id), { verdict, weight: then, at });
        const [early, late] = [
          { verdict, weight: before, at },
          { verdict, weight: then, at },
        ];
        assert.deepEqual(told, [
          [null, early],
          [early, late],
        ]);
        assert.deepEqual(
          (await entries()).map(({ detail }) => detail),
          [verdict, verdict],
        );
        const counted = await countVerdicts(opened.store, key.accountId, at);
        assert.deepEqual(counted, { fraud: 0, good: 0, [verdict]: 1 });
      }
    });

    test('that came while its code was confirmed is weighed as of a confirmed one', async () => {
      const rig = await createRig(opened.store, ({ isConfirmed }) => (isConfirmed ? 1 : 0));
      const v = await rig.issue();
      const { store } = opened;
      let isConfirmed = false;
      const slow: FeedbackDeps['store'] = {
        random: store.random,
        findArchived: (...which) => store.findArchived(...which),
        takeRequest: (...which) => store.takeRequest(...which),
        keysRevision: () => store.keysRevision(),
        transact: async (...steps) => {
          if (!isConfirmed) await rig.confirms(v);
          isConfirmed = true;
          return store.transact(...steps);
        },
      };
      await rig.feedbackOf(slow).byKey(rig.caller, v.id, 'fraud');
      assert.equal((await rig.found(v.id))?.weight, 1);
    });

    test('is weighed by no place that the day has not: the same again is nothing new', async () => {
      const { told, clock, say, found, issue, entries, confirms, key } = await createRig(
        opened.store,
        ({ isConfirmed }) => (isConfirmed ? 1 : 0),
      );
      const v = await issue();
      assert.equal(await say(v.id, 'fraud'), 'given');
      const day = Math.floor(clock.now() / DAY);
      const sql = "INSERT INTO verdict_count (subject, verdict, day, counted) VALUES ($1, 'fraud', $2, $3)";
      await opened.store.transact([{ sql, args: [`key ${key.id}`, day, MOST_COUNTED.fraud.speaker] }]);
      await confirms(v);
      for (let times = 0; times < 3; times++) assert.equal(await say(v.id, 'fraud'), 'given');
      assert.deepEqual([(await found(v.id))?.weight, told.length, (await entries()).length], [0, 1, 1]);
      clock.pass(DAY);
      assert.equal(await say(v.id, 'fraud'), 'given');
      assert.deepEqual([(await found(v.id))?.weight, told.length, (await entries()).length], [1, 2, 2]);
    });

    test('is a person’s in the portal, too: of either kind of key, in their name, and as many in a day', async () => {
      const { key, told, clock, feedbackOf, found, issue, entries } = await createRig();
      const by: Member = {
        ...{ ...ADA, personId: unique('per'), accountId: key.accountId },
        role: 'developer',
        records: opened.store,
      };
      const most = MOST_COUNTED.good.speaker;
      const issued = await Promise.all(
        Array.from({ length: most + 2 }, (_, n) => issue({ test: n % 2 === 1 })),
      );
      for (const { id } of issued)
        assert.deepEqual(await feedbackOf(opened.store).byMember(by, id, 'good'), { kind: 'given', id });
      assert.equal(told.filter(([, given]) => given?.weight === 1).length, most);
      const last = issued.at(-1)?.id ?? '';
      assert.deepEqual(await found(last), { verdict: 'good', weight: 0, at: clock.now() });
      assert.deepEqual((await entries())[0], { who: 'Ada', subject: last, detail: 'good' });
      assert.equal((await feedbackOf(opened.store).byMember(by, last, null)).kind, 'given');
      assert.equal(await found(last), null);
      const stranger = { ...by, accountId: (await createRig()).key.accountId };
      assert.equal((await feedbackOf(opened.store).byMember(stranger, last, 'good')).kind, 'unknown');
    });

    test('is replaced by a later one, and taken back, and the guard is told what was there', async () => {
      const { told, clock, say, found, issue, entries } = await createRig();
      const { id } = await issue();
      const at = clock.now();
      for (const verdict of ['fraud', 'good', null] as const) assert.equal(await say(id, verdict), 'given');
      assert.equal(await found(id), null);
      const [fraud, good] = [
        { verdict: 'fraud', weight: 1, at },
        { verdict: 'good', weight: 1, at },
      ];
      assert.deepEqual(told, [
        [null, fraud],
        [fraud, good],
        [good, null],
      ]);
      assert.deepEqual((await entries()).map(({ detail }) => detail).reverse(), [
        'fraud',
        'good',
        'withdrawn',
      ]);
    });

    test('of many at once each replaces the one before: what the guard is told adds up', async () => {
      const { told, say, found, issue, caller } = await createRig();
      const { id } = await issue();
      const verdicts = ['fraud', 'good', null] as const;
      await Promise.all(
        Array.from({ length: 30 }, (_, n) => say(id, verdicts[n % 3] ?? null, caller, stores[n % 2])),
      );
      const sum = told.reduce((all, [was, is]) => all - (was?.weight ?? 0) + (is?.weight ?? 0), 0);
      assert.equal(sum, (await found(id))?.weight ?? 0);
      assert.equal(
        told.filter(([was]) => was === null).length - told.filter(([, is]) => is === null).length,
        sum,
      );
    });

    test('is unknown of what is not the caller’s, of the other kind of key, erased or too old', async () => {
      const { told, clock, caller, say, issue } = await createRig();
      const other = await createRig();
      const { id, destinationHash } = await issue();
      assert.equal(await other.say(id, 'fraud'), 'unknown');
      assert.equal(await say(id, 'fraud', { ...caller, test: true }), 'unknown');
      assert.equal(await say(`ver_${'0'.repeat(32)}`, 'fraud'), 'unknown');
      assert.equal(await say('ver_1', 'fraud'), 'unknown');
      const erase = { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now: clock.now() };
      await opened.store.transact([{ erase }]);
      assert.equal(await say(id, 'fraud'), 'unknown');
      const old = await issue();
      clock.pass(VERDICT_MS - 1);
      assert.equal(await say(old.id, 'fraud'), 'given');
      clock.pass(1);
      assert.equal(await say(old.id, 'good'), 'unknown');
      assert.equal(told.length, 1);
    });

    test('counts so often in a day for a key and for its account, however many come at once, and is written past that', async () => {
      const { key, addKey, told, clock, caller, say, found, issue } = await createRig();
      const [issued, second] = [await Promise.all(Array.from({ length: 30 }, () => issue())), await addKey()];
      const third = await addKey();
      const { speaker: ofKey, account } = MOST_COUNTED.good;
      const counted = () => told.filter(([, given]) => given?.weight === 1).length;
      const sayAll = (keyId: string, predecessors?: readonly string[]) => {
        const by = { ...caller, keyId, predecessors };
        return Promise.all(issued.slice(0, ofKey + 3).map(({ id }, n) => say(id, 'good', by, stores[n % 2])));
      };
      await sayAll(key.id);
      assert.equal(counted(), ofKey);
      for (const { id } of issued) await say(id, null);
      await sayAll('key_rotated', [key.id]);
      assert.equal(counted(), ofKey, 'a key that was rotated does not begin anew');
      assert.equal((await found(issued[0]?.id ?? ''))?.verdict, 'good');
      for (const { id } of issued) await say(id, null);
      for (const { id: keyId } of [second, third]) {
        await sayAll(keyId);
        for (const { id } of issued) await say(id, null);
      }
      assert.equal(counted(), account);
      assert.deepEqual(await countVerdicts(opened.store, key.accountId, clock.now()), {
        fraud: 0,
        good: account,
      });
      clock.pass(DAY);
      await sayAll(third.id);
      assert.equal(counted(), account + ofKey);
      await sweep(opened.store, LAX.retention, clock.now() + 4 * DAY);
      assert.deepEqual(await countVerdicts(opened.store, key.accountId, clock.now()), { fraud: 0, good: 0 });
    });

    test('is changed so often in a day for all keys and people of an account, and past that nothing is written', async () => {
      const { key, addKey, told, clock, caller, feedbackOf, say, found, issue, entries } = await createRig();
      const [{ id }, { id: other }, second] = [await issue(), await issue(), await addKey()];
      clock.pass(DAY - (clock.now() % DAY));
      const day = Math.floor(clock.now() / DAY);
      const sql = "INSERT INTO verdict_count (subject, verdict, day, counted) VALUES ($1, 'change', $2, $3)";
      await opened.store.transact([{ sql, args: [`account ${key.accountId}`, day, MOST_SAID - 5] }]);
      const ids = await Promise.all(Array.from({ length: 12 }, async () => (await issue()).id));
      const kinds = await Promise.all(
        ids.map((each, n) =>
          say(each, 'fraud', n % 2 === 0 ? caller : { ...caller, keyId: second.id }, stores[n % 2]),
        ),
      );
      assert.equal(kinds.filter((kind) => kind === 'given').length, 5);
      assert.equal(kinds.filter((kind) => kind === 'limited').length, 7);
      assert.deepEqual([told.length, (await entries()).length], [5, 5]);
      clock.pass(DAY / 4);
      const limited = {
        ...{ kind: 'limited', scope: 'account', retryAfterMs: (DAY * 3) / 4 },
        limit: { max: MOST_SAID, windowMs: DAY },
      };
      const by: Member = {
        ...{ ...ADA, personId: unique('per'), accountId: key.accountId },
        role: 'developer',
        records: opened.store,
      };
      assert.deepEqual(await feedbackOf(opened.store).byKey(caller, id, 'good'), limited);
      assert.deepEqual(await feedbackOf(opened.store).byMember(by, id, 'good'), limited);
      assert.equal(await found(id), null);
      // Neither what is said already, nor another account.
      assert.equal(await say(ids[kinds.indexOf('given')] ?? '', 'fraud'), 'given');
      assert.equal(await say(ids[kinds.indexOf('given')] ?? '', null), 'limited');
      const stranger = await createRig();
      assert.equal(await stranger.say((await stranger.issue()).id, 'good'), 'given');
      clock.pass((DAY * 3) / 4);
      assert.equal(await say(other, 'good'), 'given');
      assert.equal((await entries()).length, 6);
    });

    test('of test codes takes no place of the day of live ones, nor the other way round', async () => {
      const { key, clock, caller, say, issue } = await createRig();
      const day = Math.floor(clock.now() / DAY);
      const tester = { ...caller, test: true };
      const sql = `INSERT INTO verdict_count (subject, verdict, day, counted) VALUES ($1, 'change', $2, ${MOST_SAID - 1})`;
      const all = [`account ${key.accountId}`, `tests ${key.accountId}`];
      await opened.store.transact(all.map((subject) => ({ sql, args: [subject, day] })));
      const [live, other] = [await issue(), await issue()];
      const [tried, again] = [await issue({ test: true }), await issue({ test: true })];
      assert.deepEqual(
        [await say(tried.id, 'good', tester), await say(again.id, 'good', tester)],
        ['given', 'limited'],
      );
      assert.deepEqual([await say(live.id, 'good'), await say(other.id, 'good')], ['given', 'limited']);
    });

    test('of what the guard knew already is written and takes no place of the day', async () => {
      const { key, clock, say, issue } = await createRig(opened.store, () => 0);
      const { id } = await issue();
      assert.equal(await say(id, 'fraud'), 'given');
      assert.deepEqual(await countVerdicts(opened.store, key.accountId, clock.now()), { fraud: 0, good: 0 });
    });
  });

  test('a verdict counts as a request with its key', async () => {
    const opened = await open(withLimits({ requestsPerKey: [{ max: 3, windowMs: DAY }] }));
    try {
      const feedback = createFeedback({
        ...{ clock: createManualClock(Date.now()), store: opened.store },
        guardPort: { weigh: () => 0, judged: () => {} },
      });
      const caller = { keyId: unique('key'), accountId: unique('acc'), test: false };
      const kinds: string[] = [];
      for (let times = 0; times < 4; times++)
        kinds.push((await feedback.byKey(caller, 'ver_1', 'good')).kind);
      assert.deepEqual(kinds, ['unknown', 'unknown', 'unknown', 'limited']);
    } finally {
      await opened.dispose();
    }
  });
}
