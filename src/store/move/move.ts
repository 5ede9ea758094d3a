/** Moves an embedded store into an empty database: everything that the service has promised. */
import type { DatabaseSync } from 'node:sqlite';
import type { ClientBase } from 'pg';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import type { DatabaseAddress } from '../../options/database-address.ts';
import type { StoreRules } from '../port.ts';
import { Database } from '../postgres/connection/database.ts';
import { migrate } from '../postgres/schema/migrate.ts';
import { daysAhead, partitionDayOf } from '../postgres/schema/partitions.ts';
import { idOf, lowestUuid, ownUuidOf, timeOf } from '../postgres/verifications/verification-id.ts';
import { moveTable } from './move-table.ts';
import { mergeRequests } from './requests.ts';
import { type NoSource, openSource, type SourceOrder } from './source.ts';
import { tablesToMove } from './tables.ts';
import { fillTables, findOccupied, lockTables, makePartitions } from './target.ts';

/** With the rules of the service that will run on the database. */
export interface MoveOrder extends StoreRules, SourceOrder {
  readonly address: DatabaseAddress;
}

export type MoveOutcome =
  /** `counts` by name. */
  | { readonly kind: 'moved'; readonly counts: ReadonlyMap<string, number> }
  | NoSource
  /** These tables of the database have rows. */
  | { readonly kind: 'occupied'; readonly tables: readonly string[] }
  /** Someone else is writing to the database. */
  | { readonly kind: 'busy-target' };

/** A move takes as long as it takes. */
const PATIENCE = { patienceMs: 7 * 86_400_000 };

/**
 * Leaves rows in the database only if it answers `moved`. Rejects with StoreUnavailable when the database cannot be used.
 */
export async function moveStore(order: MoveOrder): Promise<MoveOutcome> {
  const source = openSource(order);
  if (source.kind !== 'open') return source;
  using held = source;
  const target = new Database(order.address, SYSTEM_CLOCK);
  try {
    return await target.session((client) => move(held.db, client, order), PATIENCE);
  } finally {
    await target.close();
  }
}

async function move(
  source: DatabaseSync,
  client: ClientBase,
  { limits, retention, report }: MoveOrder,
): Promise<MoveOutcome> {
  const now = Date.now();
  const tables = tablesToMove(now, limits, retention);
  const targets = [...new Set(tables.map(({ target }) => target))];
  // Before we create anything in a database that is already in use.
  let occupied = await findOccupied(client, targets);
  if (occupied.length > 0) return { kind: 'occupied', tables: occupied };
  await migrate((use) => use(client), report);
  await makePartitions(client, [...daysOf(source, now - retention.verifications), ...daysAhead(now)]);
  mergeRequests(source, limits, now);

  const counts = new Map<string, number>();
  let isFree = true;
  await fillTables(client, async () => {
    isFree = await lockTables(client, targets);
    if (!isFree) return false;
    occupied = await findOccupied(client, targets);
    if (occupied.length > 0) return false;
    for (const table of tables) counts.set(table.name, await moveTable(source, client, table, report));
    // A running node may have cached that these keys do not exist.
    await client.query('UPDATE installation SET keys_revision = keys_revision + 1');
    return true;
  });
  if (!isFree) return { kind: 'busy-target' };
  return occupied.length > 0 ? { kind: 'occupied', tables: occupied } : { kind: 'moved', counts };
}

/** Days of the verifications since then, by their ids, as for partitions. The index leads from one day to the next. */
function* daysOf(source: DatabaseSync, since: number): Iterable<number> {
  const next = source.prepare('SELECT min(id) AS id FROM verification WHERE id >= ?');
  // An id is made a moment before its verification.
  let from = idOf(lowestUuid(since - DAY_MS));
  for (;;) {
    const id = next.get(from)?.id ?? null;
    if (id === null) return;
    const day = partitionDayOf(timeOf(ownUuidOf(String(id))));
    yield day;
    from = idOf(lowestUuid((day + 1) * DAY_MS));
  }
}
