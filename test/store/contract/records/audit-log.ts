import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { exportAuditLog } from '../../../../src/accounts/audit-log/export.ts';
import { verifyExport } from '../../../../src/accounts/audit-log/exported.ts';
import { ACTION_GROUPS, type AuditFilter, matches } from '../../../../src/accounts/audit-log/filter.ts';
import type { Store } from '../../../../src/store/port.ts';
import { LAX, type OpenedStore, type OpenStore, transactInParts } from '../rig.ts';
import { AT, addAccount, entriesOf, entryOfAny, fill } from './audit-rig.ts';

const ACTIONS = ['key.created', 'key.revoked', 'session.began', 'webhook.added', 'guard.denied', 'new.thing'];
const NAMES = ['Ada', 'Grace', 'Ünal', 'command line'];

export function describeAuditLog(open: OpenStore): void {
  suite('reading an audit log', () => {
    let opened: OpenedStore;
    let store: Store;
    let accountId: string;
    before(async () => {
      opened = await open(LAX);
      store = opened.store;
      accountId = await addAccount(store);
      await transactInParts(
        store,
        Array.from({ length: 2_400 }, (_, i) =>
          entryOfAny(store, {
            accountId,
            by: { name: NAMES[i % 4] ?? '', address: i % 3 === 0 ? `192.0.2.${i % 256}` : null },
            action: ACTIONS[i % 6] ?? '',
            subject: i === 77 ? '=HYPERLINK("x") Straße' : `subject ${i % 500}`,
            detail: i % 7 === 0 ? 'from the Console' : '',
            at: AT + i * 10,
          }),
        ),
      );
    });
    after(() => opened.dispose());

    async function readAll(filter: AuditFilter) {
      const found: number[] = [];
      let pages = 0;
      for (let before: string | null | undefined; before !== null; pages++) {
        const page = await readAuditLog(store, accountId, before, filter);
        assert.ok(page.entries.length <= 50);
        assert.equal(page.next === null, page.searchedTo === null);
        found.push(...page.entries.map(({ seq }) => seq));
        before = page.next;
      }
      return { found, pages };
    }

    const FILTERS: readonly AuditFilter[] = [
      {},
      ...ACTION_GROUPS.map((group) => ({ group })),
      { who: 'aDA' },
      { who: 'üNAL', group: 'keys' },
      { who: '192.0.2.3' },
      { text: 'console' },
      { text: 'subject 499' },
      { text: 'STRASSE' },
      { text: 'straße' },
      { text: 'nothing like that' },
      { from: AT + 5_000 },
      { to: AT + 5_000 },
      { from: AT + 5_000, to: AT + 6_010, group: 'keys' },
      { from: AT + 5_000, to: AT + 5_001 },
      { from: AT + 1e9 },
    ];

    test('every filter finds what it should, newest first, each entry once', async () => {
      const all = (await entriesOf(store, accountId)).reverse();
      for (const filter of FILTERS) {
        const { from = 0, to = Number.MAX_SAFE_INTEGER, ...rest } = filter;
        const expected = all.filter((entry) => entry.at >= from && entry.at < to && matches(entry, rest));
        assert.deepEqual(
          (await readAll(filter)).found,
          expected.map(({ seq }) => seq),
          JSON.stringify(filter),
        );
      }
      assert.equal((await readAll({ text: 'straße' })).found.length, 1);
      assert.equal((await readAll({ group: 'other' })).found.length, 400);
    });

    async function exported(format: 'csv' | 'json', filter: AuditFilter = {}): Promise<string> {
      let text = '';
      for await (const part of await exportAuditLog(store, accountId, format, filter)) text += part;
      return text;
    }

    test('an export as JSON is verified without the store, and shows tampering', async () => {
      const text = await exported('json');
      const outcome = verifyExport(text, Date.now());
      assert.ok(outcome.kind === 'read' && outcome.verdict.ok);
      const { entries, last } = outcome.verdict.facts;
      assert.deepEqual([outcome.account, entries, last.seq], [accountId, 2_400, 2_400]);
      for (const [from, to] of [
        ['"subject 3"', '"subject 4"'],
        [/\{"seq":9,.*\n/, ''],
        [/\{"seq":2400,.*\n/, ''],
        ['"last":{"seq":2400', '"last":{"seq":2399'],
      ] as const) {
        const tampered = text.replace(from, to).replace(/,\n\n?\],/, '\n],');
        assert.notEqual(tampered, text);
        const seen = verifyExport(tampered, Date.now());
        assert.ok(seen.kind === 'read' && !seen.verdict.ok, String(from));
      }
      for (const wrong of [
        '',
        '{}',
        'null',
        '[]',
        text.slice(0, -40),
        text.replace('"seq":5,', '"seq":"5",'),
      ])
        assert.equal(verifyExport(wrong, Date.now()).kind, 'unreadable');
      const part = verifyExport(await exported('json', { group: 'keys' }), Date.now());
      assert.ok(part.kind === 'unreadable' && part.detail.includes('only a part'));
    });

    test('an export has what matches, oldest first, and no formula', async () => {
      const part = JSON.parse(await exported('json', { group: 'guard', from: AT + 20_000 }));
      const all = await entriesOf(store, accountId);
      const expected = all.filter(({ action, at }) => action === 'guard.denied' && at >= AT + 20_000);
      assert.deepEqual(
        part.entries.map(({ seq, hash }: { seq: number; hash: string }) => [seq, hash]),
        expected.map(({ seq, hash }) => [seq, hash]),
      );
      assert.deepEqual(part.filter, { group: 'guard', from: new Date(AT + 20_000).toISOString() });
      const lines = (await exported('csv')).split('\r\n');
      assert.equal(lines.length, 2_402);
      assert.equal(lines[0], 'seq,at,who,address,action,subject,detail,times,id,hash');
      assert.ok(lines[78]?.includes(`"'=HYPERLINK(""x"") Straße"`));
      const none = JSON.parse(await exported('json', { text: 'nothing like that' }));
      assert.deepEqual([none.entries, none.last.seq], [[], 2_400]);
    });

    test('an account without entries exports none, and that verifies', async () => {
      const empty = await addAccount(store);
      let text = '';
      for await (const part of await exportAuditLog(store, empty, 'json', {})) text += part;
      const outcome = verifyExport(text, Date.now());
      assert.ok(outcome.kind === 'read' && outcome.verdict.ok && outcome.verdict.facts.entries === 0);
      await fill(store, empty, 1);
      assert.equal((await readAuditLog(store, empty)).entries.length, 1);
    });
  });
}
