/** A file of accounts is applied while others change the same accounts. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { type AccountKeys, createAccountKeys } from '../../../../src/accounts/account-keys.ts';
import { findAccountId } from '../../../../src/accounts/accounts.ts';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { invite } from '../../../../src/accounts/invitations.ts';
import { changeMember } from '../../../../src/accounts/members.ts';
import { carryOut } from '../../../../src/cli/accounts/carry-out.ts';
import { writeAccounts } from '../../../../src/cli/accounts/export.ts';
import { COMMAND_LINE } from '../../../../src/core/accounts/actor.ts';
import { mintKey } from '../../../../src/core/accounts/api-key-format.ts';
import type { MemberRole } from '../../../../src/core/accounts/role.ts';
import { query, type Records } from '../../../../src/core/sql/records.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, type OpenStore, openFor } from '../rig.ts';
import { apply, join, NOW, plan } from './accounts-file-rig.ts';

const BEFORE = `accounts:
  shop:
    settings: { brand: Shop }
    keys: { web: { restrictions: { countries: [DE, AT] } } }
    members: { guest@example.com: viewer }
`;
const SETTINGS = '{ settings: { locale: de } }';
const KEY = '{ keys: { web: { restrictions: { channels: [sms] } } } }';
const NEW_KEY = '{ keys: { ci: { test: true } } }';
const ROLE = '{ members: { grace@example.com: developer } }';
const INVITATION = '{ members: { guest@example.com: developer } }';
const NEW_INVITATION = '{ members: { new@example.com: developer } }';

type Change = (store: Store, accountId: string, graceId: string) => Promise<unknown>;

const applying =
  (text: string): Change =>
  (store) =>
    apply(store, `accounts: { shop: ${text} }`);

const ofKey =
  (change: (keys: AccountKeys, accountId: string, id: string, store: Store) => Promise<unknown>): Change =>
  async (store, accountId) => {
    const keys = createAccountKeys(store, 'owner');
    const [key] = await keys.list(accountId);
    await change(keys, accountId, key?.id ?? '', store);
  };

const renaming = ofKey((keys, accountId, id) =>
  keys.change(accountId, id, { name: 'shop' }, COMMAND_LINE, NOW),
);
const rotating = ofKey((keys, accountId, id, store) => {
  const { key: _, ...successor } = mintKey(store.random, false);
  return keys.rotate(accountId, id, successor, DAY, COMMAND_LINE, NOW);
});
const revoking = ofKey((keys, accountId, id) => keys.revoke(accountId, id, COMMAND_LINE, NOW));

const inviting =
  (email: string, role: MemberRole): Change =>
  (store, accountId) =>
    invite(store, { accountId, email, role }, COMMAND_LINE, NOW);
const withdrawing: Change = (store, accountId) =>
  store.transact([{ sql: 'DELETE FROM invitation WHERE account_id = $1', args: [accountId] }]);

const removing: Change = (store, accountId, graceId) =>
  changeMember({ ...COMMAND_LINE, accountId, records: store }, graceId, null, NOW);

/** What somebody changes after a step was planned, the file of the step, and the change. */
const OVERTAKEN: readonly (readonly [string, string, Change])[] = [
  ['a setting that somebody changed', SETTINGS, applying('{ settings: { guard: observe } }')],
  ['a key that somebody narrowed', KEY, applying('{ keys: { web: { restrictions: { countries: [DE] } } } }')],
  [
    'a key that somebody gave an end',
    KEY,
    applying('{ keys: { web: { expires_at: 2090-01-01T00:00:00Z } } }'),
  ],
  ['a key that somebody let bring codes', KEY, applying('{ keys: { web: { custom_codes: true } } }')],
  ['a key that somebody renamed', KEY, renaming],
  ['a key that somebody rotated', KEY, rotating],
  ['a key that somebody revoked', KEY, revoking],
  ['a name that somebody gave a key', NEW_KEY, applying('{ keys: { ci: {} } }')],
  ['a role that somebody changed', ROLE, applying('{ members: { grace@example.com: owner } }')],
  ['somebody who was removed', ROLE, removing],
  ['an invitation that somebody changed', INVITATION, inviting('guest@example.com', 'owner')],
  ['an invitation that somebody made anew', INVITATION, inviting('guest@example.com', 'viewer')],
  ['an invitation that somebody withdrew', INVITATION, withdrawing],
  ['somebody who joined', NEW_INVITATION, (store, id) => join(store, id, 'new', 'viewer')],
  ['an address that somebody invited', NEW_INVITATION, inviting('new@example.com', 'developer')],
];

/** After so many transactions somebody else comes between. */
function interrupted(store: Store, after: number, between: () => Promise<unknown>): Records {
  let done = 0;
  return {
    random: store.random,
    keysRevision: () => store.keysRevision(),
    async transact(steps, announce) {
      const answer = await store.transact(steps, announce);
      if (++done === after) await between();
      return answer;
    },
  };
}

/** All that a step could change. */
const contentOf = async (store: Store, accountId: string) => ({
  file: await writeAccounts(store, NOW),
  keys: await createAccountKeys(store, 'owner').list(accountId),
  invitations: await query(store, 'SELECT id, email, role FROM invitation ORDER BY email'),
  log: (await readAuditLog(store, accountId)).entries.length,
});

export function describeAccountsFileMeanwhile(open: OpenStore): void {
  suite('accounts as a file, meanwhile', () => {
    test('a file that is applied by many at once is applied once', async (t) => {
      const { store, second } = await openFor(t, open);
      const text = stringify({
        accounts: { shop: { settings: { brand: 'Shop' }, keys: { web: {}, ci: { test: true } } } },
      });
      const stores = [store, (await second?.()) ?? store];
      await apply(store, 'accounts: { shop: {} }');
      const plans = await Promise.all(
        Array.from({ length: 10 }, (_, n) => plan(stores[n % 2] ?? store, text)),
      );
      const outcomes = await Promise.allSettled(
        plans.flatMap((changes, n) => changes.map((change) => carryOut(stores[n % 2] ?? store, change, NOW))),
      );
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.match(String(outcome.reason), /by somebody else meanwhile/);
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
    });

    for (const [what, text, change] of OVERTAKEN) {
      test(`${what} after the plan is left as it is`, async (t) => {
        const { store } = await openFor(t, open);
        await apply(store, BEFORE);
        const id = (await findAccountId(store, 'shop')) ?? '';
        await join(store, id, 'ada', 'owner');
        const graceId = await join(store, id, 'grace', 'viewer');
        const [step, ...others] = await plan(store, `accounts: { shop: ${text} }`);
        assert.ok(step && others.length === 0);
        await change(store, id, graceId);
        const left = await contentOf(store, id);
        await assert.rejects(carryOut(store, step, NOW), /by somebody else meanwhile/);
        assert.deepEqual(await contentOf(store, id), left);
      });
    }

    test('an account that somebody renames while its settings are changed keeps its new name', async (t) => {
      const { store } = await openFor(t, open);
      await apply(store, BEFORE);
      const [step] = await plan(store, `accounts: { shop: ${SETTINGS} }`);
      assert.ok(step);
      const rename = { sql: 'UPDATE account SET name = $1 WHERE name = $2', args: ['store', 'shop'] };
      const renaming = interrupted(store, 1, () => store.transact([rename]));
      await assert.rejects(carryOut(renaming, step, NOW), /by somebody else meanwhile/);
      assert.deepEqual(parse(await writeAccounts(store, NOW)).accounts.store.settings, { brand: 'Shop' });
    });

    test('a setting that somebody changes while it is planned is never changed back', async (t) => {
      const { store } = await openFor(t, open);
      for (let reads = 1; reads < 9; reads++) {
        const account = `shop${reads}`;
        await apply(store, `accounts: { ${account}: { settings: { brand: Shop } } }`);
        let came = 0;
        const records = interrupted(store, reads, async () => {
          came += await apply(store, `accounts: { ${account}: { settings: { guard: observe } } }`);
        });
        const [step] = await plan(records, `accounts: { ${account}: { settings: { locale: de } } }`);
        assert.ok(step);
        await Promise.allSettled([carryOut(records, step, NOW)]);
        const { settings } = parse(await writeAccounts(store, NOW, account)).accounts[account];
        assert.equal(settings.guard, came === 0 ? undefined : 'observe', `after ${reads} reads`);
      }
    });

    test('if two files demote one of two owners each at once, the other one remains', async (t) => {
      const { store, second } = await openFor(t, open);
      const stores = [store, (await second?.()) ?? store];
      for (let round = 0; round < 20; round++) {
        const name = `shop${round}`;
        await apply(store, `accounts: { ${name}: {} }`);
        const id = (await findAccountId(store, name)) ?? '';
        const owners = [`ada${round}`, `bob${round}`];
        for (const owner of owners) await join(store, id, owner, 'owner');
        const plans = await Promise.all(
          owners.map((owner) =>
            plan(store, `accounts: { ${name}: { members: { ${owner}@example.com: viewer } } }`),
          ),
        );
        const outcomes = await Promise.allSettled(
          plans.flatMap((changes, n) => changes.map((change) => carryOut(stores[n] ?? store, change, NOW))),
        );
        const { accounts } = parse(await writeAccounts(store, NOW, name));
        assert.deepEqual(Object.values(accounts[name].members).sort(), ['owner', 'viewer']);
        const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
        assert.match(String(refused[0]?.reason), /an account keeps an owner/);
      }
    });
  });
}
