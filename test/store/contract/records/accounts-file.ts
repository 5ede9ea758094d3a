/** Accounts as a file: what is exported makes the same elsewhere, and changes nothing here. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { createAccountKeys } from '../../../../src/accounts/account-keys.ts';
import { findAccountId } from '../../../../src/accounts/accounts.ts';
import { writeAccounts } from '../../../../src/cli/accounts/export.ts';
import { COMMAND_LINE } from '../../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../../src/core/accounts/api-key-format.ts';
import { DAY, LAX, type OpenStore, openFor } from '../rig.ts';
import { apply, join, NOW, plan } from './accounts-file-rig.ts';

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

    test('a key that has ended is over for a file that says its end, and blocks nothing', async (t) => {
      const { store } = await openFor(t, open);
      const later = NOW + 2 * DAY;
      const end = new Date(NOW + DAY).toISOString();
      const text = (key: string) => `accounts: { shop: { keys: { ${key} }, settings: { brand: Shop } } }`;
      await apply(store, 'accounts: { shop: { keys: { gone: {}, web: {} } } }');
      assert.equal(await apply(store, text(`job: { expires_at: ${end} }`)), 2);
      const id = (await findAccountId(store, 'shop')) ?? '';
      const keys = createAccountKeys(store, 'owner');
      const gone = (await keys.list(id)).find(({ name }) => name === 'gone');
      await keys.revoke(id, gone?.id ?? '', COMMAND_LINE, NOW);

      for (const ended of ['job', 'gone']) {
        assert.deepEqual(await plan(store, text(`${ended}: { expires_at: ${end} }`), later), []);
        const changed = text(`${ended}: { expires_at: ${end}, restrictions: { countries: [QQ] } }`);
        await assert.rejects(plan(store, changed, later), /restrictions\.countries\.0: must be/);
        const [anew] = await plan(store, text(`${ended}: { custom_codes: true }`), later);
        assert.equal(anew?.words, `new live key ${ended}: custom codes: allowed`);
      }
      for (const set of ['web', 'new']) {
        const past = plan(store, text(`${set}: { expires_at: ${end} }`), later);
        await assert.rejects(past, /keys\.(web|new)\.expires_at: must be in the future/);
      }
    });

    test('more keys than an account may have in use are refused with the file', async (t) => {
      const { store } = await openFor(t, open);
      await apply(store, 'accounts: { shop: { keys: { web: {} } } }');
      const id = (await findAccountId(store, 'shop')) ?? '';
      const keys = createAccountKeys(store, 'owner');
      const [old] = await keys.list(id);
      const { key: _, ...successor } = mintKey(store.random, false);
      await keys.rotate(id, old?.id ?? '', successor, DAY, COMMAND_LINE, NOW);
      const wanting = (account: string, count: number) => {
        const wanted = Array.from({ length: count }, (_, n) => [`key-${n}`, {}]);
        return stringify({ accounts: { [account]: { keys: { web: {}, ...Object.fromEntries(wanted) } } } });
      };
      const refused = (account: string) => ({
        message: `file:3: accounts.${account}.keys: would be 501 in use, and an account has at most 500; leave some out, or revoke some first`,
      });
      await assert.rejects(plan(store, wanting('lab', 500)), refused('lab'));
      assert.equal((await plan(store, wanting('lab', 499))).length, 501, 'the account, and its keys');
      await assert.rejects(plan(store, wanting('shop', 499)), refused('shop'));
      assert.equal((await plan(store, wanting('shop', 498))).length, 498);
      assert.equal((await plan(store, wanting('shop', 499), NOW + 2 * DAY)).length, 499);
    });

    test('the owner of an account changes hands in one file, whatever the order of its lines', async (t) => {
      const { store } = await openFor(t, open);
      for (const account of ['falling', 'rising']) {
        await apply(store, `accounts: { ${account}: {} }`);
        const id = (await findAccountId(store, account)) ?? '';
        const before = await join(store, id, `${account}-ada`, 'owner');
        const after = await join(store, id, `${account}-zoe`, 'developer');
        const lines = [`${account}-ada@example.com: developer`, `${account}-zoe@example.com: owner`];
        const ordered = account === 'falling' ? lines : lines.reverse();
        const text = `accounts: { ${account}: { members: { ${ordered.join(', ')} } } }`;
        const steps = await plan(store, text);
        assert.deepEqual(
          steps.map((step) => step.kind === 'role' && step.personId),
          [after, before],
        );
        assert.equal(await apply(store, text), 2);
        assert.equal(await apply(store, text), 0);
        const { members } = parse(await writeAccounts(store, NOW, account)).accounts[account];
        assert.deepEqual(members, parse(`{ ${lines.join(', ')} }`));
      }
    });

    test('a file that would leave an account without an owner is refused as a whole', async (t) => {
      const { store } = await openFor(t, open);
      await apply(store, 'accounts: { shop: { members: { new@example.com: viewer } } }');
      const id = (await findAccountId(store, 'shop')) ?? '';
      await join(store, id, 'ada', 'owner');
      await join(store, id, 'bob', 'owner');
      await join(store, id, 'eve', 'viewer');
      const before = await writeAccounts(store, NOW);
      // An invitation makes nobody an owner yet.
      const text = `accounts:
  first: {}
  shop:
    members:
      new@example.com: owner
      ADA@example.com: viewer
      bob@example.com: developer
      eve@example.com: developer
`;
      const detail = 'must stay an owner, or another member become one; an invitation does not count yet';
      await assert.rejects(apply(store, text), {
        message: [
          `file:6: accounts.shop.members.ADA@example.com: ${detail}`,
          `file:7: accounts.shop.members.bob@example.com: ${detail}`,
        ].join('\n'),
      });
      assert.equal(await writeAccounts(store, NOW), before);
    });
  });
}
