/**
 * An index of what was confirmed, by number, for who asks when a number was last confirmed. It is made only where somebody asks, since
 * each confirmation then writes to it.
 */
import type { ClientBase } from 'pg';
import { inTurn, type Lend } from './migrate.ts';

const NAME = 'verification_confirmed';
const ON_CONFIRMED = '(destination_hash) WHERE confirmed_at IS NOT NULL';

/** Day by day, so that confirmations wait for no more than the index of theirs. A start that was killed goes on. */
export async function ensureConfirmedIndex(lend: Lend): Promise<void> {
  if (await lend(isWhole)) return;
  await inTurn(lend, (client) =>
    client.query(`CREATE INDEX IF NOT EXISTS ${NAME} ON ONLY verification ${ON_CONFIRMED}`),
  );
  while (await inTurn(lend, indexNextDay));
}

async function isWhole(client: ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid',
    [NAME],
  );
  return rowCount === 1;
}

/** False if no day lacks it. Who detaches a day meanwhile is about to drop it. */
async function indexNextDay(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ day: string }>(
    `SELECT relname AS day FROM pg_inherits AS part JOIN pg_class ON pg_class.oid = part.inhrelid
     WHERE part.inhparent = 'verification'::regclass AND NOT part.inhdetachpending AND NOT EXISTS (
       SELECT FROM pg_index JOIN pg_inherits AS own ON own.inhrelid = indexrelid
       WHERE indrelid = part.inhrelid AND own.inhparent = $1::regclass)
     ORDER BY relname DESC LIMIT 1`,
    [NAME],
  );
  const [{ day } = { day: undefined }] = rows;
  if (day === undefined) return false;
  const index = client.escapeIdentifier(`${day}_confirmed`);
  await client.query(`CREATE INDEX ${index} ON ${client.escapeIdentifier(day)} ${ON_CONFIRMED}`);
  await client.query(`ALTER INDEX ${NAME} ATTACH PARTITION ${index}`);
  return true;
}
