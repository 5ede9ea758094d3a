/** Accounts as a file: what is exported makes the same elsewhere, and changes nothing here. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { createAccountKeys } from '../../../../src/accounts/account-keys.ts';
import { findAccountId } from '../../../../src/accounts/accounts.ts';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { addMember } from '../../../../src/accounts/members.ts';
import { addPerson } from '../../../../src/accounts/people.ts';
import { parseAccountsFile } from '../../../../src/cli/accounts/accounts-file.ts';
import { carryOut } from '../../../../src/cli/accounts/carry-out.ts';
import { writeAccounts } from '../../../../src/cli/accounts/export.ts';
import { planAccounts } from '../../../../src/cli/accounts/plan.ts';
import { COMMAND_LINE } from '../../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../../src/core/accounts/api-key-format.ts';
import { FACTS } from '../../../../src/core/lookups/facts.ts';
import { PLAIN_LIMITS } from '../../../../src/core/verification/fixture.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, LAX, type OpenStore } from '../rig.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const RULES = {
  accountLimits: PLAIN_LIMITS,
  code: { length: 6, alphabet: 'digits', validFor: 600_000, guesses: 5 },
  messages: { brand: 'Acme' },
  lookups: [{ name: 'all', price: 0, failsClosed: false, tells: new Set(FACTS), countries: undefined }],
} as const;

const plan = (store: Store, text: string) => planAccounts(store, parseAccountsFile(text, 'file'), RULES, NOW);

async function apply(store: Store, text: string): Promise<number> {
  const changes = await plan(store, text);
  for (const change of changes) await carryOut(store, change, NOW);
  return changes.length;
}

/** Names that YAML and JavaScript have their own ideas about, and plain ones. */
const name = fc.oneof(
  fc.constantFrom(
    '7',
    'true',
    'null',
    'on',
    '~',
    '- a',
    'a: b',
    '#1',
    '__proto__',
    'constructor',
    'Ümläut',
    'a.b/c~d',
    "it's",
    '"q"',
  ),
  fc.stringMatching(/^[a-z][a-z0-9 -]{0,10}[a-z0-9]$/),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const settings = fc.record({
  brand: maybe(fc.constantFrom('Shop', '7', 'yes')),
  locale: maybe(fc.constantFrom('de', 'pt-BR', null)),
  code_length: maybe(fc.constantFrom(6, 8)),
  sends_per_destination: maybe(some('3/10m', '2/1h')),
  failed_guesses_per_destination: maybe(some('3/1h')),
  countries: maybe(fc.subarray(['NO', 'DE', 'ZZ'])),
  budgets: maybe(some('account 50 per day', 'key 100 messages per hour', 'country 7.5 per month')),
  guard: maybe(fc.constantFrom('enforce', 'observe', 'off')),
  twilio: maybe(fc.boolean()),
  camara: maybe(fc.boolean()),
  refuse: maybe(
    fc.record({
      swapped_within_hours: fc.constantFrom(null, 72),
      ported_within_hours: fc.constantFrom(null, 48),
      line_types: fc.subarray(['voip', 'landline']),
      recycled: fc.boolean(),
    }),
  ),
});
const restrictions = fc.record({
  channels: maybe(fc.subarray(['sms', 'voice', 'telegram'])),
  countries: maybe(fc.subarray(['NO', 'DE', 'ZZ'])),
  sources: maybe(fc.subarray(['192.0.2.1', '2001:db8::/32'])),
});
const key = fc.record({
  test: maybe(fc.boolean()),
  expires_at: maybe(
    fc.option(fc.integer({ min: NOW + 1, max: NOW + 900 * DAY }).map((at) => new Date(at).toISOString())),
  ),
  restrictions: maybe(restrictions),
  custom_codes: maybe(fc.boolean()),
});
const email = fc.constantFrom('ada@example.com', 'Bob@example.com', 'no@example.com', '1@2.co');
const mapOf = <T>(keys: fc.Arbitrary<string>, values: fc.Arbitrary<T>, maxLength: number) =>
  fc
    .uniqueArray(fc.tuple(keys, values), { selector: ([each]) => each, maxLength })
    .map((pairs) => new Map(pairs));
const file = mapOf(
  name,
  fc.record({
    settings: maybe(settings),
    keys: maybe(mapOf(name, key, 3)),
    members: maybe(mapOf(email, fc.constantFrom('owner', 'developer', 'viewer'), 3)),
  }),
  3,
).map((accounts) => stringify({ accounts }));

export function describeAccountsFile(open: OpenStore): void {
  suite('accounts as a file', () => {
    test('what is exported makes the same in an empty store, and changes nothing where it is from', async () => {
      await fc.assert(
        fc.asyncProperty(file, async (wanted) => {
          const [one, other] = await Promise.all([open(LAX), open(LAX)]);
          try {
            const made = await apply(one.store, wanted);
            assert.equal(await apply(one.store, wanted), 0, wanted);
            const text = await writeAccounts(one.store, NOW);
            assert.equal(await apply(one.store, text), 0, text);
            assert.equal(await apply(other.store, text), made, text);
            assert.equal(await writeAccounts(other.store, NOW), text);
          } finally {
            await Promise.all([one.dispose(), other.dispose()]);
          }
        }),
        { numRuns: 12 },
      );
    });

    test('a file that is applied by many at once is applied once', async () => {
      const opened = await open(LAX);
      try {
        const text = stringify({
          accounts: { shop: { settings: { brand: 'Shop' }, keys: { web: {}, ci: { test: true } } } },
        });
        const { store } = opened;
        const stores = [store, (await opened.second?.()) ?? store];
        await apply(store, 'accounts: { shop: {} }');
        const plans = await Promise.all(
          Array.from({ length: 10 }, (_, n) => plan(stores[n % 2] ?? store, text)),
        );
        const outcomes = await Promise.allSettled(
          plans.flatMap((changes, n) =>
            changes.map((change) => carryOut(stores[n % 2] ?? store, change, NOW)),
          ),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected')
            assert.match(String(outcome.reason), /by somebody else meanwhile/);
        }
        assert.equal(await apply(store, text), 0);
        const id = (await findAccountId(store, 'shop')) ?? '';
        const { entries } = await readAuditLog(store, id);
        assert.deepEqual(
          entries.map(({ who, action }) => `${who} ${action}`).sort(),
          ['account.created', 'key.created', 'key.created', 'settings.changed'].map(
            (action) => `command line ${action}`,
          ),
        );
      } finally {
        await opened.dispose();
      }
    });

    test('settings that somebody changed after the plan are left as they are', async () => {
      const opened = await open(LAX);
      try {
        const { store } = opened;
        await apply(store, 'accounts: { shop: { settings: { brand: Shop } } }');
        const [change] = await plan(store, 'accounts: { shop: { settings: { locale: de } } }');
        assert.ok(change);
        await apply(store, 'accounts: { shop: { settings: { guard: observe } } }');
        await assert.rejects(carryOut(store, change, NOW), /by somebody else meanwhile/);
        const settings = { brand: 'Shop', guard: 'observe' };
        assert.deepEqual(parse(await writeAccounts(store, NOW)), { accounts: { shop: { settings } } });
      } finally {
        await opened.dispose();
      }
    });

    test('of a rotated key the successor stands for both, until both are over', async () => {
      const opened = await open(LAX);
      try {
        const { store } = opened;
        const text = 'accounts:\n  shop:\n    keys:\n      web:\n        test: false\n';
        await apply(store, text);
        const id = (await findAccountId(store, 'shop')) ?? '';
        const keys = createAccountKeys(store, 'owner');
        const [old] = await keys.list(id);
        assert.ok(old);
        const { key: _, ...successor } = mintKey(store.random, false);
        const rotated = await keys.rotate(id, old.id, successor, DAY, COMMAND_LINE, NOW);
        assert.equal(rotated.kind, 'done');
        assert.equal(await writeAccounts(store, NOW), text);
        assert.equal(await apply(store, text), 0);
        await keys.revoke(id, successor.id, COMMAND_LINE, NOW);
        assert.equal(await writeAccounts(store, NOW), 'accounts:\n  shop: {}\n');
        assert.equal(await apply(store, text), 1);
        assert.equal(await writeAccounts(store, NOW), text);
      } finally {
        await opened.dispose();
      }
    });

    test('what an account would lose its last owner by is refused', async () => {
      const opened = await open(LAX);
      try {
        const { store } = opened;
        await apply(store, 'accounts: { shop: {} }');
        const id = (await findAccountId(store, 'shop')) ?? '';
        await store.transact([
          addPerson({ id: 'per_1', name: 'Ada', email: 'ada@example.com', password: 'hashed' }, NOW),
          addMember(id, 'per_1', 'owner', NOW),
        ]);
        const [change, ...others] = await plan(
          store,
          'accounts: { shop: { members: { ADA@example.com: viewer } } }',
        );
        assert.ok(change && others.length === 0);
        assert.equal(change.words, 'ada@example.com: owner to viewer');
        await assert.rejects(carryOut(store, change, NOW), /an account keeps an owner/);
        assert.equal(await apply(store, await writeAccounts(store, NOW)), 0);
      } finally {
        await opened.dispose();
      }
    });
  });
}
