/** A store that has been in use for a month: made with SQL, because the service would take an hour. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';

const DAY_MS = 86_400_000;
/** Spread over the default retention, which ends now. */
const SPREAD_MS = 30 * DAY_MS;
/** An older file is out of date: the service keeps its indexes by day, and today's part would be empty. */
const FRESH_MS = DAY_MS / 2;
const CHUNK = 100_000;

/** The path of a database with this many verifications: one made less than half a day ago, or a new one. */
export async function seededDatabase(cache: string, rows: number): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const path = join(cache, `countersign-bench-${rows}.db`);
  if (existsSync(path) && Date.now() - statSync(path).mtimeMs < FRESH_MS) return path;
  const unfinished = `${path}.part`;
  rmSync(path, { force: true });
  rmSync(unfinished, { force: true });
  const db = new DatabaseSync(unfinished);
  try {
    await fill(db, rows);
  } finally {
    db.close();
  }
  renameSync(unfinished, path);
  return path;
}

/** In order of time, as the service writes, and in chunks, so that an interrupt works. */
async function fill(db: DatabaseSync, rows: number): Promise<void> {
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144');
  migrate(db);
  const verifications = db.prepare(INSERT_VERIFICATIONS);
  const attempts = db.prepare(INSERT_ATTEMPTS);
  const begin = Date.now() - SPREAD_MS;
  const stepMs = SPREAD_MS / rows;
  for (let first = 0; first < rows; first += CHUNK) {
    const last = Math.min(rows, first + CHUNK);
    db.exec('BEGIN');
    verifications.run({ first, last, begin, stepMs });
    attempts.run({ first, last });
    db.exec('COMMIT');
    await nextTurn();
  }
}

/** Random text of the same length as the service's base64url. */
const text = (length: number) => `substr(hex(randomblob(${Math.ceil(length / 2)})), 1, ${length})`;

/** Four of five were confirmed, all were delivered; ids begin with their time, as UUIDv7 does. */
const INSERT_VERIFICATIONS = `
  WITH RECURSIVE row (number) AS (
    SELECT :first UNION ALL SELECT number + 1 FROM row WHERE number + 1 < :last
  ), dated AS (
    SELECT number, CAST(:begin + number * :stepMs AS INTEGER) AS at FROM row
  )
  INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash, destination_sealed,
    code_mac, guesses_left, created_at, expires_at, confirmed_at)
  SELECT 'ver_' || printf('%012x', at) || '7' || lower(${text(19)}), 'acc_' || '${'0'.repeat(32)}', 'key_${'0'.repeat(16)}',
    0, 'sms', 'DE', ${text(22)}, ${text(62)}, ${text(22)}, 4, at, at + 600000, CASE WHEN number % 5 > 0 THEN at + 20000 END
  FROM dated`;

const INSERT_ATTEMPTS = `
  INSERT INTO attempt (verification_id, fence, position, carrier, started_at, ended_at, outcome, reference, recipient_tag,
    receipt, receipt_at)
  SELECT id, 0, 0, 'gateway', created_at + 2, created_at + 80, 'accepted', lower(${text(32)}), ${text(22)},
    'delivered', created_at + 4000
  FROM verification WHERE rowid > :first AND rowid <= :last`;
