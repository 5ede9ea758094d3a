/** The database that is filled, in one transaction: until it commits, nothing is there. */
import type { ClientBase } from 'pg';
import { isLockTimeout } from '../postgres/connection/failure.ts';
import { inTransaction } from '../postgres/connection/transaction.ts';
import { ensurePartitions } from '../postgres/schema/partitions.ts';

/** Days whose partitions are made in one transaction. Each takes locks, and a server has only some thousands. */
const DAYS_AT_ONCE = 30;
/** How long the rollback of a killed move may take, or a statement of a service. */
const LOCK_PATIENCE_MS = 10_000;

/** The tables that have rows; a missing table has none. */
export async function findOccupied(client: ClientBase, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL',
    [tables],
  );
  const occupied: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`);
    if (rowCount !== 0) occupied.push(name);
  }
  return occupied;
}

export async function makePartitions(client: ClientBase, days: readonly number[]): Promise<void> {
  for (let first = 0; first < days.length; first += DAYS_AT_ONCE) {
    await ensurePartitions(client, days.slice(first, first + DAYS_AT_ONCE));
  }
}

/** Fills tables in a transaction that commits if `fill` answers true, and is rolled back otherwise. */
export async function fillTables(client: ClientBase, fill: () => Promise<boolean>): Promise<void> {
  const work = async () => {
    // Connections of the store are set up for short statements that find their rows by key.
    await client.query(
      'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL enable_seqscan = on',
    );
    return await fill();
  };
  await inTransaction(client, work, (done) => done);
}

/**
 * Keeps everyone else from writing to the tables until the transaction ends; answers false when someone else holds them.
 * A service on the database waits meanwhile, and another move finds what this one wrote.
 */
export async function lockTables(client: ClientBase, tables: readonly string[]): Promise<boolean> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_PATIENCE_MS}`);
  try {
    await client.query(`LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
  await client.query('SET LOCAL lock_timeout = 0');
  return true;
}
