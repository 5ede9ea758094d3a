import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { type AccountSettings, NO_SETTINGS } from '../../../src/core/account-settings.ts';
import type { KeyStore } from '../../../src/core/api-key.ts';
import { query, type Step } from '../../../src/core/records.ts';
import type { Store } from '../../../src/store/port.ts';
import { createKeys } from '../../../src/store/records/keys.ts';
import { createSettings } from '../../../src/store/records/settings.ts';
import { issueOne, LAX, type OpenedStore, type OpenStore, settlement, unique } from './rig.ts';

const SETTINGS: AccountSettings = {
  brand: 'Café 24',
  locale: 'fr',
  codeLength: 8,
  sendsPerDestination: [{ max: 3, windowMs: 600_000 }],
  failedGuessesPerDestination: [],
  countries: ['FR', 'DE'],
};

export function describeAccountSettings(open: OpenStore): void {
  suite('settings of an account', () => {
    let opened: OpenedStore;
    let store: Store;
    let keys: KeyStore;
    let accountId: string;
    let hash: string;

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
      keys = createKeys(store);
      hash = unique('hash');
      accountId = await addAccount('Acme', hash);
    });
    afterEach(() => opened.dispose());

    async function addAccount(name: string, keyHash: string): Promise<string> {
      const [id, prefix] = [unique('key'), unique('csk_live')];
      const key = { id, prefix, hash: keyHash, name: 'a key', test: false, createdAt: 1 };
      return (await keys.createKey(name, key)).accountId;
    }
    const record = (name: string): Step => ({
      sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, 0)',
      args: [unique('acc'), name],
    });

    test('are none at first, and come with every key of the account once they are set', async () => {
      const settings = createSettings(store);
      assert.deepEqual(await settings.read(accountId), { name: 'Acme', settings: NO_SETTINGS });
      assert.equal(await settings.read('acc_none'), undefined);
      const before = await store.keysRevision();
      assert.equal(await settings.write(accountId, 'Acme', SETTINGS, record('first')), 'written');
      assert.ok((await store.keysRevision()) > before);
      assert.deepEqual(await settings.read(accountId), { name: 'Acme', settings: SETTINGS });
      assert.deepEqual((await keys.findKey(hash))?.settings, SETTINGS);
      const changed = { ...SETTINGS, brand: null };
      await settings.write(accountId, 'Acme & Sons', changed, record('second'));
      assert.deepEqual(await settings.read(accountId), { name: 'Acme & Sons', settings: changed });
      const other = unique('hash');
      await addAccount('Other', other);
      assert.equal((await keys.findKey(other))?.settings, null);
    });

    test('of an account that sets nothing are not kept', async () => {
      const settings = createSettings(store);
      await settings.write(accountId, 'Acme', SETTINGS, record('first'));
      await settings.write(accountId, 'Acme', NO_SETTINGS, record('second'));
      assert.equal((await keys.findKey(hash))?.settings, null);
      assert.deepEqual(await query(store, 'SELECT account_id FROM account_setting'), []);
    });

    test('of accounts that take one name at once, one has it', async () => {
      const settings = createSettings(store);
      const second = createSettings((await opened.second?.()) ?? store);
      for (let round = 0; round < 10; round++) {
        const ids = await Promise.all([1, 2, 3, 4].map(() => addAccount(unique('account'), unique('hash'))));
        const name = unique('wanted');
        const outcomes = await Promise.all(
          ids.map((id, i) =>
            (i % 2 ? settings : second).write(id, name, NO_SETTINGS, record(unique('record'))),
          ),
        );
        assert.deepEqual(outcomes.sort(), ['taken', 'taken', 'taken', 'written']);
      }
    });

    test('the name of another account changes nothing', async () => {
      const settings = createSettings(store);
      await addAccount('Other', unique('hash'));
      assert.equal(await settings.write(accountId, 'Other', SETTINGS, record('unwritten')), 'taken');
      assert.deepEqual(await settings.read(accountId), { name: 'Acme', settings: NO_SETTINGS });
      assert.deepEqual(await query(store, "SELECT id FROM account WHERE name = 'unwritten'"), []);
    });

    test('come with what is claimed and what is read from the inbox', async () => {
      await createSettings(store).write(accountId, 'Acme', SETTINGS, record('first'));
      const waiting = await issueOne(store, { accountId });
      const [claimed] = await store.claim(waiting.leaseUntil, waiting.leaseUntil + 1_000, 10);
      assert.deepEqual(claimed?.settings, SETTINGS);
      const shown = await issueOne(store, { accountId });
      await store.settle(settlement(shown, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
      assert.deepEqual((await store.list(accountId, null, 10))[0]?.settings, SETTINGS);
    });
  });
}
