/** Accounts with audit logs, and ways to tamper with them. */
import assert from 'node:assert/strict';
import { AUDIT_MS, auditStep } from '../../../../src/accounts/audit.ts';
import { type ChainedEntry, walkChain } from '../../../../src/accounts/audit-log/chain.ts';
import { type ChainFault, verifyAuditLog } from '../../../../src/accounts/audit-log/verify.ts';
import { mintId } from '../../../../src/accounts/token.ts';
import { hashEntry, type Link, type NotedLink } from '../../../../src/core/accounts/audit-chain.ts';
import { SYSTEM_RANDOM } from '../../../../src/core/seams/random.ts';
import { query, type Records, type Step } from '../../../../src/core/sql/records.ts';
import { DAY } from '../rig.ts';

export const AT = 1_700_000_000_000;

export async function addAccount(records: Records): Promise<string> {
  const id = mintId('acc', SYSTEM_RANDOM);
  await query(records, 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, $2)', id, AT);
  return id;
}

export const entryStep = (accountId: string, subject: string, at = AT): Step =>
  auditStep(
    { random: SYSTEM_RANDOM },
    {
      accountId,
      by: { name: 'Ada', address: '192.0.2.1' },
      action: 'key.changed',
      subject,
      detail: 'name: web',
      at,
    },
  );

/** Like the step of a change, but of an action that this version need not know: logs have those of others. */
export function entryOfAny(
  records: Pick<Records, 'random'>,
  { action, ...entry }: Omit<Parameters<typeof auditStep>[1], 'action'> & { readonly action: string },
): Step {
  const { sql, args } = auditStep(records, { ...entry, action: 'key.changed' });
  return { sql, args: args.map((value) => (value === 'key.changed' ? action : value)) };
}

/** One after the other, a millisecond apart. */
export async function fill(records: Records, accountId: string, count: number): Promise<ChainedEntry[]> {
  for (let i = 0; i < count; i++) await records.transact([entryStep(accountId, `subject ${i}`, AT + i)]);
  return await entriesOf(records, accountId);
}

export async function entriesOf(records: Records, accountId: string): Promise<ChainedEntry[]> {
  const all: ChainedEntry[] = [];
  for await (const { entries } of walkChain(records, accountId)) all.push(...entries);
  return all;
}

/** As somebody would who has the store and reads our documentation: every hash and the end are right again. */
export async function rechain(records: Records, accountId: string): Promise<void> {
  let [seq, hash] = [0, ''];
  for (const entry of await entriesOf(records, accountId)) {
    seq += 1;
    hash = hashEntry(hash, { ...entry, seq });
    const sql =
      'UPDATE audit_entry SET seq = CAST($3 AS BIGINT), hash = $4 WHERE account_id = $1 AND id = $2';
    await query(records, sql, accountId, entry.id, seq, hash);
  }
  const end = 'UPDATE audit_head SET seq = CAST($2 AS BIGINT), hash = $3 WHERE account_id = $1';
  await query(records, end, accountId, seq, hash);
}

/** When entries of AT are deleted with age. */
export const AGED = AT + AUDIT_MS + DAY;

export async function assertIntact(store: Records, accountId: string, noted?: NotedLink, now = AGED) {
  const verdict = await verifyAuditLog(store, accountId, now, noted);
  if (!verdict.ok) assert.fail(`${verdict.fault.entry?.seq}: ${verdict.fault.detail}`);
  return verdict;
}

/** Returns what shows. */
export async function assertBroken(
  store: Records,
  accountId: string,
  noted?: NotedLink,
  now = AGED,
): Promise<ChainFault> {
  const verdict = await verifyAuditLog(store, accountId, now, noted);
  assert.ok(!verdict.ok, 'it shows');
  return verdict.fault;
}

export const linkOf = ({ seq, hash }: Link): Link => ({ seq, hash });
