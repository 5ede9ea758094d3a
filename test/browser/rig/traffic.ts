/** Something to see on the portal's pages. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Client } from '../../acceptance/client.ts';

/** Three countries in turn; two digits follow. */
const STEMS = ['+4474001234', '+336123456', '+49151230000'] as const;

/** Requests codes, and confirms three of four. */
export async function sendCodes(client: Client, key: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const destination = `${STEMS[n % STEMS.length]}${String(Math.floor(n / STEMS.length)).padStart(2, '0')}`;
    const channel = n % 4 === 1 ? 'voice' : 'sms';
    const asked = await client.verify(destination, channel, { key });
    assert.equal(asked.status, 200, `${destination}: ${asked.text}`);
    const { id = '' } = asked.json;
    if (n % 4 === 3) continue;
    const { code } = await client.message(destination, id, { key });
    assert.equal((await client.confirm(id, code, { key })).status, 200);
  }
}

const DAY_MS = 86_400_000;
const STEPS = 96;
const DAYS = 2;
const BUSY_MS = 20_000;
/** Who carried it, and how many of a hundred confirmations are left: one carrier does worse. */
const CARRIERS = [
  { carrier: 'smsc', share: 100 },
  { carrier: 'gateway', share: 85 },
] as const;

/**
 * Turns what was counted until now into the end of two days with more traffic by day than by night, over two carriers, and
 * records that the keys were used from their owners' servers.
 */
export function fillDay(dataDir: string): void {
  // The service writes at the same time.
  using db = new DatabaseSync(join(dataDir, 'countersign.db'), { timeout: BUSY_MS });
  const copies = ['tally', 'latency_tally'].map((table) => prepareCopy(db, table));
  const since = Date.now() - 60_000;
  const { width } = db.prepare('SELECT min(width) AS width FROM tally').get() ?? {};
  db.exec('BEGIN IMMEDIATE');
  for (let n = 1; n < DAYS * STEPS; n++) {
    const times = 3 + Math.round(2 * Math.cos((n / STEPS) * 2 * Math.PI) + ((n * 7) % 3) / 2);
    const step = Math.round((n * DAY_MS) / STEPS / Number(width));
    // Two of three go over the first carrier.
    const { carrier, share } = CARRIERS[n % 3 === 0 ? 1 : 0];
    for (const copy of copies) {
      copy.run({ $step: step, $times: times, $since: since, $carrier: carrier, $share: share });
    }
  }
  db.prepare(`UPDATE api_key SET last_used_at = ?, last_used_from = '192.0.2.17'`).run(Date.now());
  db.exec('COMMIT');
}

/** Copies what was counted since a time into an earlier bucket, so many times over. */
function prepareCopy(db: DatabaseSync, table: string): StatementSync {
  const columns = db.prepare(`SELECT name, pk FROM pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => String(name));
  const values = columns.map(({ name, pk }) => {
    if (name === 'at') return 'at - $step * width';
    if (name === 'carrier') return `CASE carrier WHEN '' THEN '' ELSE $carrier END`;
    if (name === 'confirmed') return 'CAST(confirmed * $times * $share / 100 AS INTEGER)';
    return pk === 0 ? `${name} * $times` : name;
  });
  const statement = db.prepare(
    `INSERT OR IGNORE INTO ${table} (${names}) SELECT ${values} FROM ${table} WHERE at > $since`,
  );
  // Not each table has a column for each of them.
  statement.setAllowUnknownNamedParameters(true);
  return statement;
}
