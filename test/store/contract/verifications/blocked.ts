/** Numbers and ranges that an account sends nothing to, and who wrote to a number last. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import {
  blockNumbers,
  listBlockedNumbers,
  rehashNumbers,
  unblockListed,
  unblockNumber,
} from '../../../../src/accounts/blocking/blocked-numbers.ts';
import {
  blockRange,
  listBlockedRanges,
  unblockRange,
} from '../../../../src/accounts/blocking/blocked-ranges.ts';
import { createOptOuts } from '../../../../src/accounts/blocking/opt-outs.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { findNumber } from '../../../../src/accounts/numbers.ts';
import { COMMAND_LINE } from '../../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../../src/core/accounts/api-key-format.ts';
import { query } from '../../../../src/core/accounts/records.ts';
import { MAX_RANGES } from '../../../../src/core/blocking/range.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  HOUR,
  issueOne,
  newVerification,
  type OpenedStore,
  type OpenStore,
  SUBMITTED,
  settlement,
  tally,
  unique,
  withLimits,
} from '../rig.ts';

const FIRST = 'the first secret, long enough for all';
const SECOND = 'the second secret, long enough for all';
const THIRD = 'the third secret, long enough for all';
const NUMBER = '+4915112345678';

export function describeBlocked(open: OpenStore): void {
  suite('do-not-send list', () => {
    let opened: OpenedStore;
    let store: Store;
    let accountId: string;
    const now = Date.now();
    const keyring = new Keyring(FIRST);

    beforeEach(async () => {
      opened = await open(withLimits({ requestsPerKey: [{ max: 3, windowMs: HOUR }] }));
      store = opened.store;
      accountId = await addAccount();
    });
    afterEach(() => opened.dispose());

    async function addAccount(): Promise<string> {
      const { key: _, ...minted } = mintKey(false);
      const made = { ...minted, name: 'k', test: false, createdAt: now };
      return (await createKeys(store).createKey(unique('account'), made, COMMAND_LINE)).accountId;
    }

    /** As the service makes it of a number. */
    const verificationOf = (
      wanted: Partial<NewVerification> = {},
      { number = NUMBER, ring = keyring } = {},
    ): NewVerification => {
      const v = newVerification({ accountId, createdAt: now, ...wanted });
      const { current, earlier } = ring.destinationHash(v.accountId, v.test, number);
      return { ...v, destinationHash: current, earlierDestinationHashes: earlier };
    };
    const kindOf = async (v: NewVerification, at = store) => (await at.issue(v)).kind;
    const block = (numbers: readonly string[] = [NUMBER], ring = keyring) =>
      blockNumbers({ records: store, keyring: ring }, accountId, numbers, COMMAND_LINE, now);
    const entries = async (id = accountId) =>
      (await readAuditLog(store, id)).entries
        .map(({ who, action, subject, detail }) => [who, action, subject, detail])
        .filter(([, action]) => action !== 'key.created');

    test('a number is refused from then on, until it is taken off; others, other accounts and test keys are not', async () => {
      assert.equal(await block([NUMBER, NUMBER, '+4915112345679']), 2);
      assert.equal(await block(), 0);
      const keyId = unique('key');
      for (let i = 0; i < 5; i++) assert.equal(await kindOf(verificationOf({ keyId })), 'blocked');
      assert.equal(await kindOf(verificationOf({ keyId }, { number: '+4915112345670' })), 'issued');
      assert.equal(await kindOf(verificationOf({ accountId: await addAccount() })), 'issued');
      assert.equal(await kindOf(verificationOf({ test: true })), 'issued');
      assert.equal(await kindOf({ ...verificationOf(), test: true }), 'issued', 'whatever its hash');
      const deps = { records: store, keyring };
      assert.equal(await unblockNumber(deps, accountId, NUMBER, COMMAND_LINE, now), true);
      assert.equal(await unblockNumber(deps, accountId, NUMBER, COMMAND_LINE, now), false);
      assert.equal(await kindOf(verificationOf()), 'issued');
      assert.deepEqual(await entries(), [
        ['command line', 'number.unblocked', 'a number', ''],
        ['command line', 'number.blocked', '2 numbers', ''],
      ]);
    });

    test('a refusal costs no limit, no count and no Idempotency-Key', async () => {
      await block();
      const keyId = unique('key');
      const idempotency = { keyHash: unique('k'), bodyHash: 'b' };
      for (let i = 0; i < 10; i++)
        assert.equal(await kindOf(verificationOf({ keyId, idempotency })), 'blocked');
      await unblockNumber({ records: store, keyring }, accountId, NUMBER, COMMAND_LINE, now);
      assert.equal(await kindOf(verificationOf({ keyId, idempotency })), 'issued');
      for (const expected of ['issued', 'issued', 'limited']) {
        assert.equal(await kindOf(verificationOf({ keyId })), expected);
      }
      const from = now - DAY;
      const counted = await query(store, 'SELECT sum(requested) AS sum FROM tally WHERE at >= $1', from);
      assert.ok(Number(counted[0]?.sum ?? 0) <= 3);
    });

    test('a repetition of what was sent before is answered as before', async () => {
      const idempotency = { keyHash: unique('k'), bodyHash: 'b' };
      assert.equal(await kindOf(verificationOf({ idempotency })), 'issued');
      await block();
      assert.equal(await kindOf(verificationOf({ idempotency })), 'replayed');
    });

    test('once it is there, none of many concurrent requests is issued', async () => {
      const writer = (await opened.second?.()) ?? store;
      const requests = () => Array.from({ length: 100 }, () => store.issue(verificationOf()));
      const before = requests();
      await blockNumbers({ records: writer, keyring }, accountId, [NUMBER], COMMAND_LINE, now);
      const after = requests();
      const { issued = 0, blocked = 0, ...others } = tally(await Promise.all(before));
      assert.deepEqual([issued + blocked, others], [100, {}]);
      assert.deepEqual(tally(await Promise.all(after)), { blocked: 100 });
    });

    test('the list shows the newest first, masked, a page at a time, and each can be taken off', async () => {
      const numbers = Array.from({ length: 60 }, (_, i) => `+49151123400${String(i).padStart(2, '0')}`);
      await block(numbers);
      const deps = { records: store, keyring };
      const first = await listBlockedNumbers(deps, accountId);
      const second = await listBlockedNumbers(deps, accountId, first.next ?? '');
      assert.deepEqual([first.numbers.length, second.numbers.length, second.next], [50, 10, null]);
      const all = [...first.numbers, ...second.numbers];
      assert.equal(new Set(all.map(({ number }) => number)).size, 60);
      assert.ok(
        all.every(({ number }) => /^\+49•{8,9}\d\d$/.test(number)),
        String(all[0]?.number),
      );
      const id = all[3]?.id ?? '';
      assert.equal(await unblockListed(deps, 'acc_other', id, COMMAND_LINE, now), false);
      assert.equal(await unblockListed(deps, accountId, id, COMMAND_LINE, now), true);
      assert.equal((await listBlockedNumbers(deps, accountId)).numbers.length, 50);
    });

    test('an account sees its own list, and takes off what is its own', async () => {
      const deps = { records: store, keyring };
      const other = await addAccount();
      await block();
      await blockRange(store, accountId, '+88213', COMMAND_LINE, now);
      assert.deepEqual((await listBlockedNumbers(deps, other)).numbers, []);
      assert.deepEqual(await listBlockedRanges(store, other), []);
      assert.equal(await unblockNumber(deps, other, NUMBER, COMMAND_LINE, now), false);
      assert.equal(await unblockRange(store, other, '+88213', COMMAND_LINE, now), false);
      assert.equal((await listBlockedRanges(store, accountId)).length, 1);
      assert.equal(await kindOf(verificationOf()), 'blocked');
    });

    test('a number that was added under the previous secret is taken off', async () => {
      await block();
      const during = new Keyring(SECOND, FIRST);
      const deps = { records: store, keyring: during };
      assert.equal(await unblockNumber(deps, accountId, NUMBER, COMMAND_LINE, now), true);
      assert.equal(await kindOf(verificationOf({}, { ring: during })), 'issued');
    });

    test('a list outlives any number of rotations', async () => {
      await block();
      const during = new Keyring(SECOND, FIRST);
      assert.equal(await kindOf(verificationOf({}, { ring: during })), 'blocked');
      assert.equal(await block([NUMBER, '+4915112345679'], during), 1, 'known under the earlier secret');
      assert.deepEqual(await rehashNumbers({ records: store, keyring: during }), { hashed: 1, lost: 0 });
      assert.deepEqual(await rehashNumbers({ records: store, keyring: during }), { hashed: 0, lost: 0 });
      const later = new Keyring(THIRD, SECOND);
      assert.equal(await kindOf(verificationOf({}, { ring: later })), 'blocked');
      const { numbers } = await listBlockedNumbers({ records: store, keyring: later }, accountId);
      assert.deepEqual(
        numbers.map(({ number }) => number),
        ['+49•••••••••79', '+49•••••••••78'],
      );
      const [others] = await query(
        store,
        'SELECT count(*) AS n FROM blocked_number WHERE secret_id <> $1',
        during.secretId,
      );
      assert.equal(others?.n, 0);
    });

    test('what was hashed by a node with the old secret during a rotation becomes one row', async () => {
      const during = new Keyring(SECOND, FIRST);
      await block([NUMBER], during);
      await block([NUMBER], keyring);
      assert.deepEqual(await rehashNumbers({ records: store, keyring: during }), { hashed: 1, lost: 0 });
      const { numbers } = await listBlockedNumbers({ records: store, keyring: during }, accountId);
      assert.equal(numbers.length, 1);
    });

    test('what no secret opens any more is counted and left alone', async () => {
      await block([NUMBER, '+4915112345679']);
      const records = store;
      assert.deepEqual(await rehashNumbers({ records, keyring: new Keyring(THIRD, SECOND) }), {
        hashed: 0,
        lost: 2,
      });
      const { numbers } = await listBlockedNumbers({ records, keyring: new Keyring(THIRD) }, accountId);
      assert.deepEqual(
        numbers.map(({ number }) => number),
        ['•••', '•••'],
      );
    });

    test('a row that somebody altered keeps no other from a new secret', async () => {
      await block([NUMBER, '+4915112345679']);
      await query(
        store,
        `UPDATE blocked_number SET number_sealed = number_sealed || 'A'
          WHERE id = (SELECT min(id) FROM blocked_number WHERE account_id = $1)`,
        accountId,
      );
      const deps = { records: store, keyring: new Keyring(SECOND, FIRST) };
      assert.deepEqual(await rehashNumbers(deps), { hashed: 1, lost: 1 });
      assert.deepEqual(await rehashNumbers(deps), { hashed: 0, lost: 1 });
    });

    test('ranges come with the key, are few, and are told to every node', async () => {
      const { key: _, ...minted } = mintKey(false);
      const name = unique('account');
      const made = { ...minted, name: 'k', test: false, createdAt: now };
      const { accountId: mine } = await createKeys(store).createKey(name, made, COMMAND_LINE);
      const ranges = async () => (await createKeys(store).findKey(minted.hash))?.blockedRanges;
      assert.deepEqual(await ranges(), []);
      const revision = await store.keysRevision();
      assert.equal(await blockRange(store, mine, '+88213', COMMAND_LINE, now), 'added');
      assert.notEqual(await store.keysRevision(), revision);
      assert.equal(await blockRange(store, mine, '+88213', COMMAND_LINE, now), 'known');
      assert.equal(await blockRange(store, mine, '+3725', COMMAND_LINE, now), 'added');
      assert.deepEqual((await ranges())?.toSorted(), ['+3725', '+88213']);
      assert.equal(await unblockRange(store, mine, '+3725', COMMAND_LINE, now), true);
      assert.equal(await unblockRange(store, mine, '+3725', COMMAND_LINE, now), false);
      assert.deepEqual(await ranges(), ['+88213']);
      const more = Array.from({ length: MAX_RANGES - 2 }, (_, i) => ({
        sql: 'INSERT INTO blocked_range (account_id, prefix, created_at) VALUES ($1, $2, $3)',
        args: [mine, `+9${10_000 + i}`, now],
      }));
      await store.transact(more);
      const last = ['+41', '+42', '+43'].map((prefix) => blockRange(store, mine, prefix, COMMAND_LINE, now));
      assert.deepEqual((await Promise.all(last)).sort(), ['added', 'too-many', 'too-many']);
      assert.equal((await listBlockedRanges(store, mine)).length, MAX_RANGES);
      assert.equal(await blockRange(store, accountId, '+41', COMMAND_LINE, now), 'added', 'each has its own');
    });

    test('an erasure leaves the list alone unless it is told otherwise; of concurrent ones one takes the number off', async () => {
      await store.issue(verificationOf());
      await block();
      const deps = { archive: store, keyring: new Keyring(SECOND, FIRST), records: store, by: COMMAND_LINE };
      const number = findNumber(deps, NUMBER, [{ id: accountId, name: 'acme' }]);
      const { erased, listedBy } = await number.erasePart(null, false);
      assert.deepEqual([erased, listedBy], [1, ['acme']]);
      assert.equal(await kindOf(verificationOf()), 'blocked');
      const all = await Promise.all(Array.from({ length: 20 }, () => number.erasePart(null, true)));
      assert.equal(all.filter(({ listedBy }) => listedBy.length > 0).length, 1);
      const unblocked = (await entries()).filter(([, action]) => action === 'number.unblocked');
      assert.deepEqual(unblocked, [['command line', 'number.unblocked', 'a number', '']]);
      assert.equal(await kindOf(verificationOf()), 'issued');
    });

    const send = async (
      { carrier = 'smsc', outcome = 'accepted', at = now } = {},
      { account = accountId, tag = keyring.recipientTags(NUMBER)[0] } = {},
    ) => {
      const v = await issueOne(store, { accountId: account, createdAt: at });
      const attempt = { carrier, reference: unique('r'), recipientTag: tag, endedAt: at + 1 };
      const taken = outcome === 'accepted' || outcome === 'delivered' ? outcome : 'permanent';
      await store.settle(settlement(v, SUBMITTED, [{ ...attempt, outcome: taken }]));
    };
    const sender = (carrier = 'smsc', recipientTags: readonly string[] = keyring.recipientTags(NUMBER)) =>
      store.findSender({ carrier, recipientTags });

    test('the sender is the account whose message that carrier accepted last', async () => {
      assert.equal(await sender(), undefined);
      const other = await addAccount();
      await send({ at: now - DAY }, { account: other });
      assert.equal(await sender(), other);
      await send({ at: now - HOUR });
      assert.equal(await sender(), accountId);
      await send({ carrier: 'twilio' }, { account: other });
      await send({ outcome: 'refused' }, { account: other });
      await send({}, { account: other, tag: 'another number' });
      assert.deepEqual(
        [await sender(), await sender('twilio'), await sender('none')],
        [accountId, other, undefined],
      );
      await send({ outcome: 'delivered', at: now + 1 }, { account: other });
      assert.equal(await sender(), other, 'delivered at once');
      const midnight = Math.ceil((now + HOUR) / DAY) * DAY;
      await send({ at: midnight - 1 });
      assert.equal(await sender(), accountId, 'accepted after midnight');
    });

    test('of messages under two secrets the last one counts', async () => {
      const other = await addAccount();
      const tags = new Keyring(SECOND, FIRST).recipientTags(NUMBER);
      await send({ at: now - 1 }, { account: other, tag: tags[0] });
      await send();
      const senders = [tags, tags.toReversed()].map((each) => sender('smsc', each));
      assert.deepEqual(await Promise.all(senders), [accountId, accountId]);
    });

    test('a message from before a rotation has a sender, too', async () => {
      await send();
      assert.equal(await sender('smsc', new Keyring(SECOND, FIRST).recipientTags(NUMBER)), accountId);
      assert.equal(await sender('smsc', new Keyring(SECOND).recipientTags(NUMBER)), undefined);
    });

    test('STOP puts a number on the list of its sender, START takes it off; floods write one entry an hour', async () => {
      await send();
      const effects: string[] = [];
      const logged: unknown[] = [];
      let at = now;
      const hear = createOptOuts({
        store,
        keyring,
        now: () => at,
        count: (carrier, effect) => effects.push(`${carrier} ${effect}`),
        log: (...line) => logged.push(line),
      });
      const say = (text: string, from = NUMBER, carrier = 'smsc') => hear({ carrier, from, text });
      await say('Hello?');
      await say('STOP', '+4915112345670');
      await say('STOP', NUMBER, 'other');
      assert.equal(await kindOf(verificationOf()), 'issued');
      await Promise.all([say('Stop'), say('stop')]);
      assert.equal(await kindOf(verificationOf()), 'blocked');
      await say('start');
      assert.equal(await kindOf(verificationOf()), 'issued');
      assert.deepEqual(effects.sort(), [
        'other unknown-sender',
        'smsc none',
        'smsc started',
        'smsc stopped',
        'smsc unchanged',
        'smsc unknown-sender',
      ]);
      assert.equal(logged.length, 2);
      assert.ok(!JSON.stringify(logged).includes('15112345'));
      for (let i = 0; i < 20; i++) await say(i % 2 === 0 ? 'STOP' : 'START');
      assert.deepEqual(await entries(), [
        ['a recipient', 'number.started', 'by smsc', '11 times within an hour'],
        ['a recipient', 'number.stopped', 'by smsc', '11 times within an hour'],
      ]);
      at += HOUR + 1;
      await say('STOP');
      assert.equal((await entries()).length, 3);
      const { numbers } = await listBlockedNumbers({ records: store, keyring }, accountId);
      assert.deepEqual(
        numbers.map(({ source }) => source),
        ['recipient'],
      );
    });

    test('what is said to one account is in the log of no other', async () => {
      const hear = createOptOuts({ store, keyring, now: () => now, count: () => {}, log: () => {} });
      const [other, number] = [await addAccount(), '+4915112345679'];
      await send();
      await send({}, { account: other, tag: keyring.recipientTags(number)[0] });
      for (const from of [NUMBER, number]) await hear({ carrier: 'smsc', from, text: 'STOP' });
      for (const each of [accountId, other])
        assert.deepEqual(await entries(each), [['a recipient', 'number.stopped', 'by smsc', '']]);
    });

    test('a flood is refused before it is kept waiting, so that the carrier sends it again', async () => {
      await send();
      const hear = createOptOuts({ store, keyring, now: () => now, count: () => {}, log: () => {} });
      const flood = Array.from({ length: 150 }, () => hear({ carrier: 'smsc', from: NUMBER, text: 'STOP' }));
      const results = await Promise.allSettled(flood);
      assert.equal(results.filter(({ status }) => status === 'rejected').length, 50);
      assert.equal((await listBlockedNumbers({ records: store, keyring }, accountId)).numbers.length, 1);
      await hear({ carrier: 'smsc', from: NUMBER, text: 'START' });
      assert.equal(await kindOf(verificationOf()), 'issued', 'and then others are heard again');
    });
  });
}
