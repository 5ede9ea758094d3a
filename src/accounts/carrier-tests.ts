/** Tests of carriers that owners send: how many there may be, who asked for which, and that a repetition sends nothing. */
import type { Actor } from '../core/accounts/actor.ts';
import type { Channel } from '../core/destination/channel.ts';
import { query, type Records, type Step, type Value } from '../core/sql/records.ts';
import { auditStep } from './audit.ts';

const WINDOW_MS = 3_600_000;
/** In an hour. Each one costs money and rings at somebody's. */
export const TESTS_PER_ACCOUNT = 5;
export const TESTS_PER_INSTALLATION = 20;
/** The newest that are shown. */
const SHOWN = 10;

export interface NewCarrierTest {
  /** Of the verification that its message will be. */
  readonly id: string;
  readonly accountId: string;
  readonly carrier: string;
  readonly channel: Channel;
  /** Masked. */
  readonly number: string;
  /** Hashes of its Idempotency-Key, now and under earlier secrets; none if it has none. */
  readonly keyHashes: readonly string[];
  readonly by: Actor;
  /** Unix ms. */
  readonly now: number;
}

export type Admitted =
  | { readonly kind: 'admitted' }
  /** One was asked for before with this Idempotency-Key. */
  | { readonly kind: 'repeated'; readonly id: string }
  | { readonly kind: 'too-many'; readonly retryAfterMs: number };

/** The lock of the row puts tests of all accounts in order, so that each counts those before it. */
const COUNT_UP: Step = {
  sql: "UPDATE carrier_test_counter SET value = value + 1 WHERE name = 'tests' RETURNING value",
  args: [],
  guard: true,
};

/** Symmetrical, so that a clock that was ahead does not keep tests away for longer than twice the window. */
const counts = (now: string) =>
  `asked_at > CAST(${now} AS BIGINT) - ${WINDOW_MS} AND asked_at < CAST(${now} AS BIGINT) + ${WINDOW_MS}`;

/** Takes a place, with its entry in the audit log, before anything is sent: what happens afterwards, it is not sent twice. */
export async function admitCarrierTest(records: Records, test: NewCarrierTest): Promise<Admitted> {
  const { id, accountId, carrier, channel, number, by, now } = test;
  // Without a key, no other request repeats it.
  const keyHashes = test.keyHashes.length === 0 ? [id] : test.keyHashes;
  const take: Step = {
    sql: `INSERT INTO carrier_test (id, account_id, carrier, channel, asked_by, asked_at, key_hash)
      SELECT $1, $2, $3, $4, $5, CAST($6 AS BIGINT), $7
      WHERE (SELECT count(*) FROM carrier_test WHERE account_id = $2 AND ${counts('$6')}) < ${TESTS_PER_ACCOUNT}
        AND (SELECT count(*) FROM carrier_test WHERE ${counts('$6')}) < ${TESTS_PER_INSTALLATION}
        AND NOT EXISTS (SELECT 1 FROM carrier_test WHERE account_id = $2 AND key_hash IN (${listOf(keyHashes, 7)}))
      RETURNING id`,
    args: [id, accountId, carrier, channel, by.name, now, ...keyHashes],
    guard: true,
  };
  const detail = `${channel} to ${number}, ${id}`;
  const entry = auditStep(records, {
    ...{ accountId, by, action: 'carrier.tested', subject: carrier, detail, at: now },
  });
  const answer = await records.transact([COUNT_UP, take, entry]);
  return answer.done ? { kind: 'admitted' } : explain(records, accountId, keyHashes, now);
}

/** Why no place was taken. */
async function explain(
  records: Records,
  accountId: string,
  keyHashes: readonly string[],
  now: number,
): Promise<Admitted> {
  const first = await findTestByKey(records, accountId, keyHashes);
  if (first !== undefined) return { kind: 'repeated', id: first };
  const frees = await Promise.all([
    freesAt(records, TESTS_PER_ACCOUNT, now, accountId),
    freesAt(records, TESTS_PER_INSTALLATION, now),
  ]);
  return { kind: 'too-many', retryAfterMs: Math.max(1_000, ...frees.map((at) => at - now)) };
}

/** The id of the test that was asked for with an Idempotency-Key of these hashes. */
export async function findTestByKey(
  records: Records,
  accountId: string,
  keyHashes: readonly string[],
): Promise<string | undefined> {
  const [first] = await query(
    records,
    `SELECT id FROM carrier_test WHERE account_id = $1 AND key_hash IN (${listOf(keyHashes, 2)})`,
    ...[accountId, ...keyHashes],
  );
  return first === undefined ? undefined : String(first.id);
}

/** When a place is free again within a limit; now, if one is. */
async function freesAt(records: Records, most: number, now: number, accountId?: string): Promise<number> {
  const [last] = await query(
    records,
    `SELECT asked_at FROM carrier_test WHERE ${counts('$1')} AND (CAST($2 AS TEXT) IS NULL OR account_id = $2)
      ORDER BY asked_at DESC LIMIT 1 OFFSET ${most - 1}`,
    ...[now, accountId ?? null],
  );
  return last === undefined ? now : Number(last.asked_at) + WINDOW_MS;
}

/** Of a test that was refused before its message was written: what comes under its Idempotency-Key is another try. */
export async function releaseKey(records: Records, id: string): Promise<void> {
  await records.transact([{ sql: 'UPDATE carrier_test SET key_hash = id WHERE id = $1', args: [id] }]);
}

export interface AskedTest {
  readonly id: string;
  readonly carrier: string;
  /** The name of the person. */
  readonly askedBy: string;
  /** Unix ms. */
  readonly askedAt: number;
}

/** The newest of an account, whether or not their messages were written; or one of them. */
export async function listCarrierTests(
  records: Records,
  accountId: string,
  id: string | null = null,
): Promise<AskedTest[]> {
  const rows = await query(
    records,
    `SELECT id, carrier, asked_by, asked_at FROM carrier_test
      WHERE account_id = $1 AND (CAST($2 AS TEXT) IS NULL OR id = $2) ORDER BY asked_at DESC, id DESC LIMIT ${SHOWN}`,
    ...[accountId, id],
  );
  return rows.map((row) => ({
    id: String(row.id),
    carrier: String(row.carrier),
    askedBy: String(row.asked_by),
    askedAt: Number(row.asked_at),
  }));
}

/** Placeholders for a list of values, the first of which is number `first`. */
const listOf = (values: readonly Value[], first: number): string =>
  values.map((_, index) => `$${first + index}`).join(', ');
