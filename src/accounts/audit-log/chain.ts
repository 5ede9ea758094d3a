/** Walks the chain of an account's audit log, from its oldest entry to its last. */
import {
  CHAIN_START,
  type ChainedFields,
  type Link,
  type NotedLink,
} from '../../core/accounts/audit-chain.ts';
import { query, type Records, type Row } from '../../core/sql/records.ts';

/** An entry as it is stored. */
export interface ChainedEntry extends ChainedFields, Link {
  /** How often it was done within an hour. It goes on counting, so the hash does not cover it. */
  readonly times: number;
}

/** One read: nothing is written between its parts. */
export interface ChainPage {
  /** What was deleted with age ends here. */
  readonly removed: Link;
  /** What the hash of the last of that is of; null if it was not kept. */
  readonly removedEntry: string | null;
  /** The last entry, as the store has noted it; undefined before the first. */
  readonly head: Link | undefined;
  readonly entries: readonly ChainedEntry[];
}

/** Where a page begins. Two entries have one number only if somebody tampered with them. */
interface Place {
  readonly seq: number;
  readonly id: string;
}

const PAGE = 500;
const BEGINNING: Place = { seq: Number.MIN_SAFE_INTEGER, id: '' };

/** Pages of the whole chain; the last has no entries, and says where the log ended at its time. */
export async function* walkChain(records: Records, accountId: string): AsyncGenerator<ChainPage> {
  let after = BEGINNING;
  for (;;) {
    const page = await readPage(records, accountId, after);
    yield page;
    const last = page.entries.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** The last entry, as the store has noted it, with its time if it is still there; undefined before the first. */
export async function readHead(records: Records, accountId: string): Promise<NotedLink | undefined> {
  const [row] = await query(
    records,
    `SELECT head.seq AS seq, head.hash AS hash, at FROM audit_head AS head
      LEFT JOIN audit_entry AS entry ON entry.account_id = head.account_id AND entry.seq = head.seq
      WHERE head.account_id = $1 LIMIT 1`,
    accountId,
  );
  const link = linkOf(row?.seq, row?.hash);
  return link && (typeof row?.at === 'number' ? { ...link, at: row.at } : link);
}

async function readPage(records: Records, accountId: string, { seq, id }: Place): Promise<ChainPage> {
  const answer = await records.transact([
    {
      sql: `SELECT head.seq AS head_seq, head.hash AS head_hash, removed_seq, removed_hash, removed_entry,
          entry.seq, entry.hash, id, at, who, address, action, subject, detail, times
        FROM (SELECT 1 AS one) AS anyway
        LEFT JOIN audit_head AS head ON head.account_id = $1
        LEFT JOIN (
          SELECT * FROM audit_entry WHERE account_id = $1 AND (seq, id) > (CAST($2 AS BIGINT), $3)
          ORDER BY seq, id LIMIT ${PAGE}
        ) AS entry ON 1 = 1
        ORDER BY entry.seq, entry.id`,
      args: [accountId, seq, id],
    },
  ]);
  const rows = answer.done ? (answer.rows[0] ?? []) : [];
  const [first] = rows;
  return {
    removed: linkOf(first?.removed_seq, first?.removed_hash) ?? CHAIN_START,
    removedEntry: typeof first?.removed_entry === 'string' ? first.removed_entry : null,
    head: linkOf(first?.head_seq, first?.head_hash),
    entries: rows.filter((row) => row.id !== null).map((row) => chainedEntryOf(accountId, row)),
  };
}

const linkOf = (seq: unknown, hash: unknown): Link | undefined =>
  typeof hash === 'string' ? { seq: Number(seq), hash } : undefined;

/** A row of the log. */
export const chainedEntryOf = (accountId: string, row: Row): ChainedEntry => ({
  seq: Number(row.seq),
  hash: String(row.hash),
  accountId,
  id: String(row.id),
  at: Number(row.at),
  who: String(row.who),
  address: row.address === null || row.address === undefined ? null : String(row.address),
  action: String(row.action),
  subject: String(row.subject),
  detail: String(row.detail),
  times: Number(row.times),
});
