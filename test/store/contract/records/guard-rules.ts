/** The operator's own rules of the guard, and how the guard hears of them. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import {
  type AddedGuardRule,
  addGuardRule,
  liftGuardRule,
  listCountryStops,
  listGuardRules,
  MAX_GUARD_RULES,
  type NewGuardRule,
  rehashGuardRules,
} from '../../../../src/accounts/guarding/guard-rules.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { sweepAccounts } from '../../../../src/accounts/sweep.ts';
import { sealRuleText } from '../../../../src/core/guarding/guard-rule.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import { query } from '../../../../src/core/sql/records.ts';
import { readRules } from '../../../../src/guard/live/rules-keeper.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, HOUR, LAX, type OpenedStore, type OpenStore, transactInParts, unique } from '../rig.ts';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((word) =>
  `${word} secret`.padEnd(32, '.'),
) as [string, string, string];
const NUMBER = '+4915112345678';
const NOW = 1_000_000_000_000;
const ADA = { name: 'Ada', address: '192.0.2.1' };

export function describeGuardRules(open: OpenStore): void {
  suite('rules of the guard', () => {
    let opened: OpenedStore;
    let store: Store;
    let acme: { readonly id: string; readonly keyId: string };
    let other: { readonly id: string; readonly keyId: string };
    const keyring = new Keyring(FIRST);

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
      acme = await addAccount('Acme');
      other = await addAccount('Other');
    });
    afterEach(() => opened.dispose());

    async function addAccount(name: string) {
      const [keyId, prefix, hash] = [unique('key'), unique('csk_live'), unique('hash')];
      const key = { id: keyId, prefix, hash, name: 'web', test: false, createdAt: 1 };
      return { id: (await createKeys(store).createKey(name, key, ADA)).accountId, keyId };
    }
    const add = (wanted: Partial<NewGuardRule>, ring = keyring): Promise<AddedGuardRule> =>
      addGuardRule(
        { records: store, keyring: ring },
        {
          ...{ accountId: null, action: 'deny', subject: 'range', value: '+99899394', endsAt: null },
          ...{ reason: 'pumped', by: ADA, now: NOW, ...wanted },
        },
      );
    async function added(wanted: Partial<NewGuardRule>, ring = keyring): Promise<string> {
      const answer = await add(wanted, ring);
      assert.equal(answer.kind, 'added');
      return answer.kind === 'added' ? answer.id : '';
    }
    const list = (accountId: string | null = null, now = NOW, ring = keyring) =>
      listGuardRules({ records: store, keyring: ring }, { accountId, now });
    const read = async (ring = keyring) => (await readRules(store, ring)).rules;
    const audited = async (accountId: string) =>
      (await readAuditLog(store, accountId)).entries
        .filter(({ action }) => action.startsWith('guard.'))
        .map(({ who, address, action, subject, detail }) => [who, address, action, subject, detail]);

    test('are kept as the guard compares them, shown to people, and lifted', async () => {
      const { revision } = await readRules(store, keyring);
      const range = await added({ action: 'allow', value: '\u200b+998 99\u00ad/394 ' });
      await added({ subject: 'number', value: '+49 151\u200b/12345678', accountId: acme.id });
      await added({ subject: 'address', value: '2001:db8:1:2::9', action: 'pause', endsAt: NOW + HOUR });
      await added({ subject: 'country', value: ' br ' });
      await added({ subject: 'account', value: acme.id });
      await added({ subject: 'key', value: acme.keyId });
      const rest = { reason: 'pumped', until: undefined, account: undefined };
      const network = keyring.clientNetworkHash('2001:db8:1:2::');
      const found = await readRules(store, keyring);
      assert.equal(found.revision, revision + 6);
      assert.deepEqual(
        found.rules.toSorted((a, b) => (a.of < b.of ? -1 : 1)),
        [
          { ...rest, action: 'deny', of: 'account', value: acme.id },
          { ...rest, action: 'pause', of: 'address', value: network, until: NOW + HOUR },
          { ...rest, action: 'deny', of: 'country', value: 'BR' },
          { ...rest, action: 'deny', of: 'key', value: `${acme.id}/${acme.keyId}` },
          { ...rest, action: 'deny', of: 'number', value: keyring.recipientTag(NUMBER), account: acme.id },
          { ...rest, action: 'allow', of: 'range', value: '+99899394' },
        ],
      );
      const [key, ...others] = (await list()).map(({ value }) => value);
      assert.match(key ?? '', /^web \(csk_live/);
      assert.deepEqual(others, ['Acme', 'BR', '2001:db8:1:2::/64', '+49•••••••••78', '+99899394']);
      const [{ account, action, subject, endsAt, reason, madeBy, createdAt } = {}] = await list(acme.id);
      assert.deepEqual(
        [account, action, subject, endsAt, reason, madeBy, createdAt],
        ['Acme', 'deny', 'number', null, 'pumped', 'Ada', NOW],
      );
      assert.ok(!JSON.stringify(await query(store, 'SELECT * FROM guard_rule')).includes('15112345'));

      assert.equal(
        await liftGuardRule({ records: store }, { accountId: null, id: range, by: ADA, now: NOW }),
        true,
      );
      assert.equal(
        await liftGuardRule({ records: store }, { accountId: null, id: range, by: ADA, now: NOW }),
        false,
      );
      assert.equal((await list()).length, 5);
      assert.equal((await readRules(store, keyring)).revision, revision + 7);
    });

    test('are in the audit log of the accounts that they concern, without a number or an address', async () => {
      const id = await added({});
      await added({ subject: 'number', value: NUMBER, accountId: acme.id, endsAt: NOW + HOUR });
      await added({ subject: 'address', value: '203.0.113.9', accountId: acme.id, action: 'allow' });
      await added({ subject: 'country', value: ' br ' });
      await added({ subject: 'account', value: acme.id });
      await added({ subject: 'key', value: acme.keyId, action: 'pause', endsAt: NOW + DAY });
      await liftGuardRule({ records: store }, { accountId: null, id, by: ADA, now: NOW });
      const who = ['Ada', '192.0.2.1'];
      const country = [...who, 'guard.denied', 'the country BR', 'pumped'];
      const both = [
        [...who, 'guard.lifted', 'the range +99899394', 'deny: pumped'],
        [...who, 'guard.denied', 'the range +99899394', 'pumped'],
      ];
      assert.deepEqual(await audited(other.id), [both[0], country, both[1]]);
      const [lifted, key, ...others] = await audited(acme.id);
      assert.deepEqual(lifted, both[0]);
      assert.match(String(key?.[3]), /^the key web \(csk_live/);
      assert.deepEqual(others, [
        [...who, 'guard.denied', 'the account', 'pumped'],
        country,
        [...who, 'guard.allowed', 'an address', 'pumped'],
        [...who, 'guard.denied', 'a number', 'until 2001-09-09T02:46:40.000Z: pumped'],
        both[1],
      ]);
    });

    test('what stops a country for an account is what it says itself and what holds for all', async () => {
      const stop = (wanted: Partial<NewGuardRule>) => added({ subject: 'country', value: 'BR', ...wanted });
      const general = await stop({ value: 'CU' });
      const own = await stop({ accountId: acme.id, action: 'pause', endsAt: NOW + HOUR });
      await stop({ accountId: other.id, value: 'FR' });
      await stop({ accountId: acme.id, value: 'DE', action: 'allow' });
      await added({ accountId: acme.id });
      const stops = (now: number) => listCountryStops(store, { accountId: acme.id, now });
      const cuba = { id: general, country: 'CU', ofService: true, endsAt: null, reason: 'pumped' };
      const brazil = { id: own, country: 'BR', ofService: false, endsAt: NOW + HOUR, reason: 'pumped' };
      assert.deepEqual(await stops(NOW), [brazil, cuba]);
      assert.deepEqual(await stops(NOW + HOUR), [cuba]);
    });

    test('a mistake changes nothing, and the field is named', async () => {
      const wrong = async (field: string, detail: RegExp, wanted: Partial<NewGuardRule>) => {
        const answer = await add(wanted);
        assert.ok(answer.kind === 'wrong', JSON.stringify(wanted));
        assert.equal(answer.error.field, field);
        assert.match(answer.error.detail, detail);
        assert.ok(!answer.error.detail.includes('15112345'));
      };
      for (const value of ['brazil', 'XK9', 'EU', '']) {
        await wrong('value', /ISO 3166 alpha-2, such as BR/, { subject: 'country', value });
      }
      for (const value of ['+12', '998993', '+0998993', '+1234567890123', '']) {
        await wrong('value', /the beginning of numbers/, { value });
      }
      await wrong('value', /a whole telephone number/, { value: '+14155550123' });
      await wrong('value', /a full number/, { subject: 'number', value: '0151 12345678' });
      await wrong('value', /an IP address/, { subject: 'address', value: '203.0.113' });
      await wrong('value', /an account/, { subject: 'account', value: 'acc_none' });
      await wrong('value', /a key/, { subject: 'key', value: 'key_none' });
      await wrong('value', /an account/, { subject: 'account', value: other.id, accountId: acme.id });
      await wrong('value', /a key/, { subject: 'key', value: other.keyId, accountId: acme.id });
      await wrong('reason', /why/, { reason: ' ' });
      await wrong('reason', /at most 200/, { reason: 'x'.repeat(201) });
      await wrong('reason', /without control/, { reason: 'one\ntwo' });
      await wrong('reason', /without control/, { reason: 'a\u202Eb' });
      await wrong('endsAt', /in the future/, { endsAt: NOW });
      await wrong('endsAt', /in the future/, { endsAt: Number.MAX_SAFE_INTEGER });
      await wrong('endsAt', /a pause has an end/, { action: 'pause' });
      assert.deepEqual(await list(), []);
      assert.deepEqual(await audited(acme.id), []);
      await added({ reason: 'x'.repeat(200), endsAt: NOW + 1 });
    });

    test('an account lists and lifts only its own', async () => {
      const mine = await added({ accountId: acme.id });
      const general = await added({});
      assert.deepEqual(
        (await list(acme.id)).map(({ id }) => id),
        [mine],
      );
      assert.deepEqual(await list(other.id), []);
      const lift = (accountId: string, id: string) =>
        liftGuardRule({ records: store }, { accountId, id, by: ADA, now: NOW });
      const before = (await readRules(store, keyring)).revision;
      assert.equal(await lift(other.id, mine), false);
      assert.equal(await lift(acme.id, general), false);
      assert.equal((await readRules(store, keyring)).revision, before);
      assert.equal((await audited(other.id)).length, 1);
      assert.equal(await lift(acme.id, mine), true);
    });

    test('there is a most, also for those that are made at once; what ended counts no more and is deleted', async () => {
      const insert = `INSERT INTO guard_rule (id, action, subject, value, ends_at, reason, made_by, created_at)
        VALUES ($1, 'deny', 'range', '+998', $2, 'r', 'm', 1)`;
      await transactInParts(
        store,
        Array.from({ length: MAX_GUARD_RULES - 1 }, (_, i) => ({ sql: insert, args: [`grl_${i}`, null] })),
      );
      await query(store, insert, 'grl_ended', NOW);
      const answers = await Promise.all(Array.from({ length: 5 }, () => add({})));
      assert.deepEqual(answers.map(({ kind }) => kind).sort(), [
        'added',
        ...Array<string>(4).fill('too-many'),
      ]);
      assert.equal((await list()).length, MAX_GUARD_RULES);
      await added({ accountId: acme.id });
      await sweepAccounts(store, LAX.retention, NOW);
      const [ended] = await query(store, "SELECT count(*) AS n FROM guard_rule WHERE id = 'grl_ended'");
      assert.equal(ended?.n, 0);
      assert.equal((await read()).length, MAX_GUARD_RULES + 1);
    });

    test('follow a number that its country has changed', async () => {
      await added({ subject: 'number', value: '+2290197123456' });
      const [rule] = await list(null);
      const id = String(rule?.id);
      const before = '+22997123456';
      await query(
        store,
        'UPDATE guard_rule SET value = $2, value_sealed = $3 WHERE id = $1 RETURNING id',
        ...[id, keyring.recipientTag(before), sealRuleText(keyring, id, before)],
      );
      const deps = { records: store, keyring };
      assert.deepEqual(await rehashGuardRules(deps), { hashed: 1, lost: 0 });
      const values = (await read()).map(({ value }) => value);
      assert.deepEqual(values, [keyring.recipientTag('+2290197123456')]);
      assert.deepEqual(await rehashGuardRules(deps), { hashed: 0, lost: 0 });
    });

    test('outlive any number of rotations, and hold all through them', async () => {
      await added({ subject: 'number', value: NUMBER });
      await added({ subject: 'address', value: '203.0.113.9' });
      const during = new Keyring(SECOND, FIRST);
      const hashes = (ring: Keyring) =>
        [ring.clientNetworkHash('203.0.113.9'), ring.recipientTag(NUMBER)].sort();
      const values = async (ring: Keyring) => (await read(ring)).map(({ value }) => value).sort();
      assert.deepEqual(await values(during), hashes(during));
      const deps = { records: store, keyring: during };
      assert.deepEqual(await rehashGuardRules(deps), { hashed: 2, lost: 0 });
      // What it wrote is now compared as it stands there.
      assert.deepEqual(await values(during), hashes(during));
      assert.deepEqual(await rehashGuardRules(deps), { hashed: 0, lost: 0 });
      const later = new Keyring(THIRD, SECOND);
      assert.deepEqual(await values(later), hashes(later));
      assert.deepEqual(
        (await list(null, NOW, later)).map(({ value }) => value),
        ['203.0.113.9', '+49•••••••••78'],
      );
      const gone = { records: store, keyring: new Keyring(THIRD) };
      assert.deepEqual(await rehashGuardRules(gone), { hashed: 0, lost: 2 });
      assert.deepEqual(await read(gone.keyring), []);
      assert.deepEqual(
        (await list(null, NOW, gone.keyring)).map(({ value }) => value),
        ['•••', '•••'],
      );
    });
  });
}
