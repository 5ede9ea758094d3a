import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { changeSettings, findSettings } from '../../../../src/accounts/settings.ts';
import { findUnaskedRules } from '../../../../src/accounts/unasked-rules.ts';
import { type AccountSettings, NO_SETTINGS } from '../../../../src/core/accounts/account-settings.ts';
import { COMMAND_LINE } from '../../../../src/core/accounts/actor.ts';
import type { KeyStore } from '../../../../src/core/accounts/api-key.ts';
import type { NumberFact } from '../../../../src/core/lookups/facts.ts';
import { query } from '../../../../src/core/sql/records.ts';
import type { Store } from '../../../../src/store/port.ts';
import { issueOne, LAX, type OpenedStore, type OpenStore, seenByPeople, settlement, unique } from '../rig.ts';

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
      return (await keys.createKey(name, key, COMMAND_LINE)).accountId;
    }
    const ADA = { name: 'Ada', address: '192.0.2.1' };
    const find = () => findSettings(store, accountId);
    const change = (name: string, settings: AccountSettings, id = accountId, records = store) =>
      changeSettings(records, id, { name, settings }, ADA, 1);
    const recorded = async () =>
      (await readAuditLog(store, accountId)).entries.flatMap(({ action, who, address, subject, detail }) =>
        action === 'settings.changed' ? [[who, address, subject, detail]] : [],
      );

    test('are empty at first, and come with every key of the account once they are set', async () => {
      assert.deepEqual(await find(), { name: 'Acme', settings: NO_SETTINGS });
      assert.equal(await findSettings(store, 'acc_none'), undefined);
      const before = await store.keysRevision();
      assert.equal(await change('Acme', SETTINGS), 'changed');
      assert.ok((await store.keysRevision()) > before);
      assert.deepEqual(await find(), { name: 'Acme', settings: SETTINGS });
      assert.deepEqual((await keys.findKey(hash))?.settings, SETTINGS);
      const changed = { ...SETTINGS, brand: null };
      await change('Acme & Sons', changed);
      assert.deepEqual(await recorded(), [
        ['Ada', '192.0.2.1', 'Acme & Sons', 'name: Acme & Sons; brand: default'],
        [
          ...['Ada', '192.0.2.1', 'Acme'],
          'brand: Café 24; locale: fr; code length: 8; sends per destination: 3/10m; countries: FR, DE',
        ],
      ]);
      assert.equal(await change('Nobody', SETTINGS, 'acc_none'), 'unknown');
      assert.deepEqual(await find(), { name: 'Acme & Sons', settings: changed });
      const other = unique('hash');
      await addAccount('Other', other);
      assert.equal((await keys.findKey(other))?.settings, null);
    });

    test('of an account that sets nothing are not kept', async () => {
      const other = await addAccount('Other', unique('hash'));
      await change('Other', SETTINGS, other);
      await change('Acme', SETTINGS);
      await change('Acme', NO_SETTINGS);
      assert.equal((await keys.findKey(hash))?.settings, null);
      const kept = await query(store, 'SELECT account_id FROM account_setting');
      assert.deepEqual(kept, [{ account_id: other }], 'those of another account are');
    });

    test('that refuse by what no look-up tells are found, with what that is', async () => {
      await addAccount('Other', unique('hash'));
      const refuse = { swappedWithinHours: 72, lineTypes: ['voip'], recycled: true } as const;
      await change('Acme', { ...SETTINGS, refuse });
      const found = async (...tells: readonly NumberFact[]) =>
        (await findUnaskedRules(store, [{ tells: new Set(tells) }])).map(({ account, name, detail }) => [
          ...[account, name, detail.slice(0, detail.indexOf(', but'))],
        ]);
      const why =
        'refuses a SIM that was swapped within 72 hours; a number that went to another subscriber since it was last confirmed';
      assert.deepEqual(await found('lineType', 'ported'), [[accountId, 'Acme', why]]);
      assert.deepEqual(await found('lineType', 'swapped', 'recycled'), []);
      await change('Acme', { ...SETTINGS, refuse: null });
      assert.deepEqual(await findUnaskedRules(store, []), []);
    });

    test('if several accounts take the same name at once, one gets it', async () => {
      const second = (await opened.second?.()) ?? store;
      for (let round = 0; round < 10; round++) {
        const ids = await Promise.all([1, 2, 3, 4].map(() => addAccount(unique('account'), unique('hash'))));
        const name = unique('wanted');
        const outcomes = await Promise.all(
          ids.map((id, i) => change(name, NO_SETTINGS, id, i % 2 ? store : second)),
        );
        assert.deepEqual(outcomes.sort(), ['changed', 'taken', 'taken', 'taken']);
      }
    });

    test('the name of another account changes nothing', async () => {
      await addAccount('Other', unique('hash'));
      assert.equal(await change('Other', SETTINGS), 'taken');
      assert.deepEqual(await find(), { name: 'Acme', settings: NO_SETTINGS });
      assert.deepEqual(await recorded(), []);
    });

    test('come with claimed deliveries and with messages from the inbox', async () => {
      await change('Acme', SETTINGS);
      const waiting = await issueOne(store, { accountId });
      const [claimed] = await store.claim(waiting.leaseUntil, waiting.leaseUntil + 1_000, 10);
      assert.deepEqual(claimed?.settings, SETTINGS);
      const shown = await issueOne(store, { accountId });
      await store.settle(settlement(shown, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
      assert.deepEqual(
        (await store.list(seenByPeople(accountId), null, 10, Date.now()))[0]?.settings,
        SETTINGS,
      );
    });
  });
}
