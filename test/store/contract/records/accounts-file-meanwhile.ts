/** A file of accounts is applied while others change the same accounts. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { findAccountId } from '../../../../src/accounts/accounts.ts';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { carryOut } from '../../../../src/cli/accounts/carry-out.ts';
import { writeAccounts } from '../../../../src/cli/accounts/export.ts';
import { type OpenStore, openFor } from '../rig.ts';
import { apply, join, NOW, plan } from './accounts-file-rig.ts';

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

    test('settings that somebody changed after the plan are left as they are', async (t) => {
      const { store } = await openFor(t, open);
      await apply(store, 'accounts: { shop: { settings: { brand: Shop } } }');
      const [change] = await plan(store, 'accounts: { shop: { settings: { locale: de } } }');
      assert.ok(change);
      await apply(store, 'accounts: { shop: { settings: { guard: observe } } }');
      await assert.rejects(carryOut(store, change, NOW), /by somebody else meanwhile/);
      const settings = { brand: 'Shop', guard: 'observe' };
      assert.deepEqual(parse(await writeAccounts(store, NOW)), { accounts: { shop: { settings } } });
    });

    test('a role that somebody changed after the plan is left as it is', async (t) => {
      const { store } = await openFor(t, open);
      await apply(store, 'accounts: { shop: {} }');
      const id = (await findAccountId(store, 'shop')) ?? '';
      await join(store, id, 'ada', 'owner');
      await join(store, id, 'grace', 'viewer');
      const [change] = await plan(store, 'accounts: { shop: { members: { grace@example.com: developer } } }');
      assert.ok(change);
      await apply(store, 'accounts: { shop: { members: { grace@example.com: owner } } }');
      await assert.rejects(carryOut(store, change, NOW), /by somebody else meanwhile/);
      const members = { 'ada@example.com': 'owner', 'grace@example.com': 'owner' };
      assert.deepEqual(parse(await writeAccounts(store, NOW)), { accounts: { shop: { members } } });
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
