/** Tests of carriers: few in an hour for an account and for all, whoever asks at once, and a repetition is no other one. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import {
  type Admitted,
  admitCarrierTest,
  listCarrierTests,
  type NewCarrierTest,
  releaseKey,
  TESTS_PER_ACCOUNT,
  TESTS_PER_INSTALLATION,
} from '../../../../src/accounts/carrier-tests.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { StoreUnavailable } from '../../../../src/core/errors/store-failure.ts';
import { sweep } from '../../../../src/portal/sweep.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, HOUR, LAX, MINUTE, type OpenedStore, type OpenStore, tally, unique } from '../rig.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const ADA = { name: 'Ada', address: '192.0.2.1' };

/** They go one after the other, and a store lets none of them wait for more than some seconds. */
const AT_ONCE = 100;

export function describeCarrierTests(open: OpenStore): void {
  suite('tests of carriers', () => {
    let opened: OpenedStore;
    let store: Store;
    /** All that use the data at once. */
    let stores: readonly Store[];

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
      const second = await opened.second?.();
      stores = second === undefined ? [store] : [store, second];
    });
    afterEach(() => opened.dispose());

    async function addAccount(): Promise<string> {
      const [keyId, prefix, hash] = [unique('key'), unique('csk_live'), unique('hash')];
      const key = { id: keyId, prefix, hash, name: 'web', test: false, createdAt: 1 };
      return (await createKeys(store).createKey(unique('account'), key, ADA)).accountId;
    }
    const admit = (accountId: string, wanted: Partial<NewCarrierTest> = {}, at = store): Promise<Admitted> =>
      admitCarrierTest(at, {
        ...{ id: unique('ver'), accountId, carrier: 'acme', channel: 'sms', number: '+49•••78' },
        ...{ keyHashes: [], by: ADA, now: NOW, ...wanted },
      });
    /** Hundreds wait for few connections: where nothing was done, the call is made again. */
    const admitSurely = async (...asked: Parameters<typeof admit>): Promise<Admitted> => {
      try {
        return await admit(...asked);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        return admitSurely(...asked);
      }
    };
    const audited = async (accountId: string) =>
      (await readAuditLog(store, accountId)).entries.filter(({ action }) => action === 'carrier.tested');

    test('many at once: as many as the account may send, each with its entry', async () => {
      const accountId = await addAccount();
      const outcomes = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => admitSurely(accountId, {}, stores[i % stores.length])),
      );
      const most = TESTS_PER_ACCOUNT;
      assert.deepEqual(tally(outcomes), { admitted: most, 'too-many': AT_ONCE - most });
      assert.deepEqual(
        [(await listCarrierTests(store, accountId)).length, (await audited(accountId)).length],
        [most, most],
      );
    });

    test('many of several accounts at once: as many as all may send together', async () => {
      const accounts = await Promise.all(Array.from({ length: 30 }, addAccount));
      const outcomes = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) =>
          admitSurely(accounts[i % accounts.length] ?? '', {}, stores[i % stores.length]),
        ),
      );
      const most = TESTS_PER_INSTALLATION;
      assert.deepEqual(tally(outcomes), { admitted: most, 'too-many': AT_ONCE - most });
    });

    test('many with one Idempotency-Key at once are one', async () => {
      const accountId = await addAccount();
      const keyHashes = [unique('key')];
      const outcomes = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) =>
          admitSurely(accountId, { keyHashes }, stores[i % stores.length]),
        ),
      );
      assert.deepEqual(tally(outcomes), { admitted: 1, repeated: AT_ONCE - 1 });
      const [first] = await listCarrierTests(store, accountId);
      for (const outcome of outcomes) if (outcome.kind === 'repeated') assert.equal(outcome.id, first?.id);
      assert.equal((await audited(accountId)).length, 1);
    });

    test('a repetition is known past the bound, under an earlier secret, and only in its account', async () => {
      const [accountId, other] = [await addAccount(), await addAccount()];
      const id = unique('ver');
      await admit(accountId, { id, keyHashes: ['before'] });
      assert.deepEqual(await admit(accountId, { keyHashes: ['now', 'before'] }), { kind: 'repeated', id });
      while ((await admit(accountId)).kind === 'admitted');
      assert.deepEqual(await admit(accountId, { keyHashes: ['before'] }), { kind: 'repeated', id });
      assert.deepEqual(await admit(other, { keyHashes: ['before'] }), { kind: 'admitted' });
    });

    test('what was refused before it was written frees its key, and not its place', async () => {
      const accountId = await addAccount();
      const keyHashes = ['key'];
      for (let i = 0; i < TESTS_PER_ACCOUNT; i++) {
        const id = unique('ver');
        assert.deepEqual(await admit(accountId, { id, keyHashes }), { kind: 'admitted' });
        await releaseKey(store, id);
      }
      assert.equal((await admit(accountId, { keyHashes })).kind, 'too-many');
    });

    test('places come back one by one, when it says', async () => {
      const accountId = await addAccount();
      for (let i = 0; i < TESTS_PER_ACCOUNT; i++) await admit(accountId, { now: NOW + i * MINUTE });
      const now = NOW + 10 * MINUTE;
      assert.deepEqual(await admit(accountId, { now }), {
        kind: 'too-many',
        retryAfterMs: HOUR - 10 * MINUTE,
      });
      assert.equal((await admit(accountId, { now: NOW + HOUR - 1 })).kind, 'too-many');
      assert.equal((await admit(accountId, { now: NOW + HOUR })).kind, 'admitted');
      assert.equal((await admit(accountId, { now: NOW + HOUR })).kind, 'too-many');
    });

    test('a clock that was far ahead keeps nobody away for long', async () => {
      const accountId = await addAccount();
      for (let i = 0; i < TESTS_PER_ACCOUNT; i++) await admit(accountId, { now: NOW + 400 * DAY });
      assert.equal((await admit(accountId)).kind, 'admitted');
    });

    test('the newest are listed, masked; the log says who, what and to whom', async () => {
      const [accountId, other] = [await addAccount(), await addAccount()];
      const ids = [unique('ver'), unique('ver')];
      await admit(accountId, { id: ids[0] ?? '' });
      await admit(accountId, { id: ids[1] ?? '', now: NOW + 1, carrier: 'smsc' });
      const listed = await listCarrierTests(store, accountId);
      assert.deepEqual(
        listed.map(({ id, carrier, askedBy, askedAt }) => [id, carrier, askedBy, askedAt]),
        [
          [ids[1], 'smsc', 'Ada', NOW + 1],
          [ids[0], 'acme', 'Ada', NOW],
        ],
      );
      assert.deepEqual(await listCarrierTests(store, other), []);
      assert.deepEqual(await listCarrierTests(store, other, ids[0]), []);
      const [entry] = await audited(accountId);
      assert.deepEqual(
        [entry?.who, entry?.address, entry?.subject, entry?.detail],
        ['Ada', '192.0.2.1', 'smsc', `sms to +49•••78, ${ids[1]}`],
      );
    });

    test('they go with the verifications, but those of the last day are still counted', async () => {
      const accountId = await addAccount();
      await admit(accountId);
      const retention = { verifications: MINUTE, statistics: DAY };
      await sweep(store, retention, NOW + HOUR);
      assert.equal((await listCarrierTests(store, accountId)).length, 1);
      await sweep(store, retention, NOW + DAY);
      assert.equal((await listCarrierTests(store, accountId)).length, 0);
    });
  });
}
