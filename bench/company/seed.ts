/**
 * An installation of a company that has sent for a year, made with SQL because the service would take hours. Everything that a page
 * shows is as the service writes it: numbers open and are found, and the audit log is chained. docs/benchmarks.md says what is not.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mintSealedSecret } from '../../src/accounts/webhooks/secrets.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';
import { writeCounts } from './counts.ts';
import { drawTraffic, type Extent, YEAR_MS } from './extent.ts';
import { writeGuarded } from './guarded.ts';
import { writeTeam } from './team.ts';
import { CONFIRMED_HOOK, FAILED_HOOK, writeVerifications } from './verifications.ts';

/** Fills the folder of a service that has stopped, for the account of its key; returns the account. */
export async function seedCompany(
  folder: string,
  secret: string,
  { rows, kept }: Pick<Extent, 'rows' | 'kept'>,
): Promise<string> {
  const path = join(folder, 'countersign.db');
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1048576');
    db.exec('PRAGMA temp_store = MEMORY');
    // It also defines the function that chains the audit log.
    migrate(db);
    const accountId = String(db.prepare('SELECT account_id FROM api_key').get()?.account_id);
    const extent: Extent = { accountId, rows, kept, now: Date.now() };
    drawTraffic(db);
    writeTeam(db, extent, secret);
    writeWebhooks(db, extent, secret);
    writeGuarded(db, extent);
    await writeCounts(db, extent);
    await writeVerifications(db, extent, secret);
    return accountId;
  } finally {
    db.close();
    // They belong to the file of before.
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}

function writeWebhooks(db: DatabaseSync, { accountId, now }: Extent, secret: string): void {
  const keyring = new Keyring(secret);
  const insert = db.prepare(`
    INSERT INTO webhook (id, account_id, url, types, secret_sealed, created_at, last_success_at, disabled_at, disabled_why)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'by-hand')`);
  for (const [id, types] of [
    [CONFIRMED_HOOK, ['verification.confirmed']],
    [FAILED_HOOK, ['delivery.failed', 'delivery.undelivered']],
  ] as const) {
    const { sealed } = mintSealedSecret({ records: { random: SYSTEM_RANDOM }, keyring }, id);
    // Disabled since just now: nobody listens there, and the tries would be a load of their own.
    insert.run(
      id,
      accountId,
      `https://hooks.invalid/${id}`,
      JSON.stringify(types),
      sealed,
      now - YEAR_MS,
      now,
      now,
    );
  }
}
