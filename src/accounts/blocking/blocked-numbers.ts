/**
 * The numbers that accounts send nothing to: hashed as verifications count them, so that `/verify` finds them, and sealed, so that
 * they can be shown masked and hashed again: under the next secret, and where their country has renumbered them.
 */
import type { Actor } from '../../core/accounts/actor.ts';
import { addressToday } from '../../core/destination/destination.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import { PLANS_ID } from '../../core/destination/renumbered.ts';
import { telephoneOf } from '../../core/destination/telephone.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact, openField, sealField } from '../../core/secrets/sealed-field.ts';
import { query, type Records, type Row, type Step } from '../../core/sql/records.ts';
import { auditStep } from '../audit.ts';
import { mintListId } from '../token.ts';

interface Deps {
  readonly records: Records;
  readonly keyring: Keyring;
}

/** Who put it there: a person of the account, or the number's owner by a message. */
export type BlockSource = 'person' | 'recipient';

interface BlockedNumber {
  readonly id: string;
  /** Masked. */
  readonly number: string;
  readonly source: BlockSource;
  /** Unix ms. */
  readonly createdAt: number;
}

/** That the list of an account has a number. */
export interface Listing {
  readonly accountId: string;
  readonly source: BlockSource;
  /** Unix ms. */
  readonly createdAt: number;
}

export interface BlockedPage {
  /** Newest first. */
  readonly numbers: readonly BlockedNumber[];
  /** The cursor of the next page. */
  readonly next: string | null;
}

/** One transaction adds no more, because it delays the writes of requests. */
export const MAX_NUMBERS_AT_ONCE = 100;
const PAGE = 50;
const REHASHED_AT_ONCE = 100;

/** In place of a number whose secret is gone. */
const UNREADABLE = '•••';

/** Adds those that are not there yet, at most MAX_NUMBERS_AT_ONCE canonical addresses, and answers how many they were. */
export async function blockNumbers(
  { records, keyring }: Deps,
  accountId: string,
  addresses: readonly string[],
  by: Actor,
  now: number,
): Promise<number> {
  const numbers = addresses.map((address) => ({ address, source: 'person', createdAt: now }) as const);
  return await addNumbers({ records, keyring }, accountId, numbers, by, now);
}

/** A number with who put it on a list and when, Unix ms. */
export interface ListedNumber {
  /** Canonical. */
  readonly address: string;
  readonly source: BlockSource;
  readonly createdAt: number;
}

/** The same of numbers that were on a list before. */
export async function addNumbers(
  { records, keyring }: Deps,
  accountId: string,
  numbers: readonly ListedNumber[],
  by: Actor,
  now: number,
): Promise<number> {
  const added = numbers.map(({ address, source, createdAt }) =>
    addNumber({ records, keyring }, { accountId, address, source, now: createdAt }),
  );
  const ids = added.map(({ id }) => id);
  const told = { accountId, by, action: 'number.blocked' as const, subject: '', detail: '', at: now };
  const entry = auditStep(records, told);
  const places = ids.map((_, i) => `$${entry.args.length + i + 1}`).join(', ');
  const counted: Step = {
    // With what was added, so that nothing is recorded where nothing was done.
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      SELECT $1, $2, CAST($3 AS BIGINT), $4, $5, $6,
        $7 || CASE count(*) WHEN 1 THEN 'a number' ELSE count(*) || ' numbers' END, $8
      FROM blocked_number WHERE id IN (${places}) HAVING count(*) > 0`,
    args: [...entry.args, ...ids],
  };
  const answer = await records.transact([...added.map(({ step }) => step), counted]);
  return answer.done ? answer.rows.slice(0, ids.length).filter((rows) => rows.length > 0).length : 0;
}

/** Adds a number unless it is there, under the current secret or the previous one. Returns its id if it added it. */
export function addNumber(
  { records, keyring }: { readonly records: Pick<Records, 'random'>; readonly keyring: Keyring },
  number: {
    readonly accountId: string;
    readonly address: string;
    readonly source: BlockSource;
    readonly now: number;
  },
): { readonly id: string; readonly step: Step } {
  const { accountId, address, source, now } = number;
  const id = mintListId('blk', now, records.random);
  const { current, earlier } = hashOf(keyring, accountId, address);
  const sealed = sealField(keyring, telephoneToday(address), id, 'destination');
  return {
    id,
    step: {
      sql: `INSERT INTO blocked_number (id, account_id, hash, number_sealed, secret_id, source, created_at, plans)
        SELECT $1, $2, $3, $4, $5, $6, CAST($7 AS BIGINT), $9
        WHERE NOT EXISTS (SELECT 1 FROM blocked_number WHERE hash = $8)
        ON CONFLICT DO NOTHING RETURNING id`,
      args: [id, accountId, current, sealed, keyring.secretId, source, now, earlier, PLANS_ID],
    },
  };
}

/** Refused if it is not there. */
export function removeNumber(keyring: Keyring, accountId: string, address: string): Step {
  const { current, earlier } = hashOf(keyring, accountId, address);
  return {
    sql: 'DELETE FROM blocked_number WHERE hash IN ($1, $2) RETURNING id',
    args: [current, earlier],
    guard: true,
  };
}

/** Which of these accounts have a number on their list, by its canonical address. */
export async function findListings(
  { records, keyring }: Deps,
  accountIds: readonly string[],
  address: string,
): Promise<Listing[]> {
  const steps = accountIds.map((accountId): Step => {
    const { current, earlier } = hashOf(keyring, accountId, address);
    return {
      sql: 'SELECT account_id, source, created_at FROM blocked_number WHERE hash IN ($1, $2)',
      args: [current, earlier],
    };
  });
  const answer = await records.transact(steps);
  return (answer.done ? answer.rows.flat() : []).map((row) => ({
    accountId: String(row.account_id),
    source: sourceOf(row),
    createdAt: Number(row.created_at),
  }));
}

/** By its canonical address. False if it is not there. */
export function unblockNumber(deps: Deps, accountId: string, address: string, by: Actor, now: number) {
  return unblock(deps.records, removeNumber(deps.keyring, accountId, address), accountId, by, now);
}

/** By the id that lists show. False if it is not there. */
export function unblockListed({ records }: Deps, accountId: string, id: string, by: Actor, now: number) {
  const remove: Step = {
    sql: 'DELETE FROM blocked_number WHERE id = $1 AND account_id = $2 RETURNING id',
    args: [id, accountId],
    guard: true,
  };
  return unblock(records, remove, accountId, by, now);
}

async function unblock(
  records: Records,
  remove: Step,
  accountId: string,
  by: Actor,
  at: number,
): Promise<boolean> {
  return (await records.transact([remove, auditRemoval(records, accountId, by, at)])).done;
}

/** The entry of a number that somebody takes off. */
export const auditRemoval = (
  records: Pick<Records, 'random'>,
  accountId: string,
  by: Actor,
  at: number,
): Step =>
  auditStep(records, {
    ...{ accountId, by, action: 'number.unblocked', subject: 'a number', detail: '', at },
  });

/** `before` is `next` of the previous page. */
export async function listBlockedNumbers(
  { records, keyring }: Deps,
  accountId: string,
  before?: string,
): Promise<BlockedPage> {
  const rows = await query(
    records,
    `SELECT id, number_sealed, source, created_at FROM blocked_number
      WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT ${PAGE + 1}`,
    accountId,
    before ?? '~',
  );
  const numbers = rows.slice(0, PAGE).map((row): BlockedNumber => {
    const [id, sealed] = [String(row.id), String(row.number_sealed)];
    return {
      id,
      number: keyring.canOpen(sealed)
        ? maskDestination(openField(keyring, sealed, id, 'destination'))
        : UNREADABLE,
      source: sourceOf(row),
      createdAt: Number(row.created_at),
    };
  });
  return { numbers, next: rows.length > PAGE ? (numbers.at(-1)?.id ?? null) : null };
}

/**
 * Hashes and seals again what was hashed under an earlier secret, before that secret is gone, or by earlier numbering plans: a list
 * outlives many of both. Returns how many those were, and how many can no longer be read.
 */
export async function rehashNumbers({
  records,
  keyring,
}: Deps): Promise<{ readonly hashed: number; readonly lost: number }> {
  const of = ({ secret, plans }: HashedBy, after: string) =>
    query(
      records,
      `SELECT id, account_id, number_sealed FROM blocked_number
        WHERE secret_id = $1 AND plans = $2 AND id > $3 ORDER BY id LIMIT ${REHASHED_AT_ONCE}`,
      ...[secret, plans, after],
    );
  let [hashed, lost] = [0, 0];
  for (const by of await hashedByOthers({ records, keyring })) {
    let rows = await of(by, '');
    if (!keyring.canOpen(String(rows[0]?.number_sealed))) {
      const sql = 'SELECT count(*) AS lost FROM blocked_number WHERE secret_id = $1 AND plans = $2';
      lost += Number((await query(records, sql, by.secret, by.plans))[0]?.lost);
      continue;
    }
    for (; rows.length > 0; rows = await of(by, String(rows.at(-1)?.id))) {
      const steps = rows.map((row) => rehash(keyring, row));
      await records.transact(steps.flat());
      const intact = steps.filter((each) => each.length > 0).length;
      hashed += intact;
      lost += rows.length - intact;
    }
  }
  return { hashed, lost };
}

/** What the hash of a number follows from. */
interface HashedBy {
  readonly secret: string;
  readonly plans: string;
}

async function hashedByOthers({ records, keyring }: Deps): Promise<HashedBy[]> {
  const found: HashedBy[] = [];
  const secrets = 'SELECT min(secret_id) AS next FROM blocked_number WHERE secret_id > $1';
  const all = 'SELECT min(plans) AS next FROM blocked_number WHERE plans > $1 AND secret_id = $2';
  for (const secret of await listValues(records, secrets)) {
    for (const plans of await listValues(records, all, secret))
      if (secret !== keyring.secretId || plans !== PLANS_ID) found.push({ secret, plans });
  }
  return found;
}

/** The index leads from one value to the next, past all numbers between them. */
async function listValues(records: Records, sql: string, ...of: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const [row] = await query(records, sql, found.at(-1) ?? '', ...of);
    if (typeof row?.next !== 'string') return found;
    found.push(row.next);
  }
}

/** Leaves one of two rows if the number was added again in the meantime, and does nothing to a row that changed, or was altered. */
function rehash(keyring: Keyring, row: Row): Step[] {
  const [id, accountId, sealed] = [String(row.id), String(row.account_id), String(row.number_sealed)];
  const number = ifIntact(() => openField(keyring, sealed, id, 'destination'));
  if (number === undefined) return [];
  const { current } = hashOf(keyring, accountId, number);
  const again = sealField(keyring, telephoneToday(number), id, 'destination');
  return [
    {
      sql: `UPDATE blocked_number SET hash = $3, number_sealed = $4, secret_id = $5, plans = $6 WHERE id = $1 AND number_sealed = $2
        AND NOT EXISTS (SELECT 1 FROM blocked_number AS other WHERE other.hash = $3 AND other.id <> $1)`,
      args: [id, sealed, current, again, keyring.secretId, PLANS_ID],
    },
    { sql: 'DELETE FROM blocked_number WHERE id = $1 AND number_sealed = $2', args: [id, sealed] },
  ];
}

export const sourceOf = (row: Row): BlockSource => (row.source === 'recipient' ? 'recipient' : 'person');

function hashOf(keyring: Keyring, accountId: string, address: string) {
  const { current, earlier } = keyring.destinationHash(accountId, false, telephoneToday(address));
  return { current, earlier: earlier[0] ?? null };
}

/** In the form that requests name it in. */
const telephoneToday = (address: string): string => addressToday(telephoneOf(address));
