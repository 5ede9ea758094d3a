/** The same month of verifications as `seed.ts`, in PostgreSQL. */
import pg from 'pg';
import { ensurePartitions } from '../../src/store/postgres/schema/partitions.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;

/** Fills a database whose schema a service has made: `rows` verifications and their attempts, a day at a time. */
export async function seedPostgres(url: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET synchronous_commit = off');
    const today = Math.floor(Date.now() / DAY_MS);
    const days = Array.from({ length: DAYS }, (_, i) => today - DAYS + i);
    await ensurePartitions(client, days);
    const perDay = Math.ceil(rows / DAYS);
    for (const day of days) {
      await client.query(INSERT_DAY, [day * DAY_MS, perDay]);
    }
    // As autovacuum leaves tables that are no longer written to.
    await client.query('VACUUM (ANALYZE, FREEZE) verification');
    await client.query('VACUUM (ANALYZE, FREEZE) attempt');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** Random text of the same length as the service's base64url. */
const text = (length: number) => `left(md5(random()::text) || md5(random()::text), ${length})`;

const INSERT_DAY = `
  WITH made AS (
    INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash, destination_sealed,
      code_mac, guesses_left, created_at, expires_at, confirmed_at)
    SELECT (lpad(to_hex(at), 12, '0') || '7' || left(md5(random()::text), 19))::uuid, 'acc_' || repeat('0', 32),
      'key_' || repeat('0', 16), false, 'sms', 'DE', ${text(22)}, ${text(62)}, ${text(22)}, 4,
      at, at + 600000, CASE WHEN number % 5 > 0 THEN at + 20000 END
    FROM generate_series(0, $2::bigint - 1) AS number
    CROSS JOIN LATERAL (SELECT $1::bigint + number * ${DAY_MS} / $2::bigint AS at) AS dated
    RETURNING id, created_at
  )
  INSERT INTO attempt (verification_id, fence, position, carrier, started_at, ended_at, outcome, reference,
    recipient_tag, receipt, receipt_at)
  SELECT id, 0, 1, 'gateway', created_at + 2, created_at + 80, 'accepted', ${text(32)}, ${text(22)},
    'delivered', created_at + 4000
  FROM made`;
