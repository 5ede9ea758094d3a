/** The embedded store of version 0.2.0. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';

/** Its file, as its service left it. */
export const embeddedFile = (): Buffer =>
  gunzipSync(readFileSync(new URL('./countersign.db.gz', import.meta.url)));

/** Makes its tables in an empty database. */
export function makeEmbeddedTables(db: DatabaseSync): void {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-before-'));
  try {
    const file = join(folder, 'countersign.db');
    writeFileSync(file, embeddedFile());
    using before = new DatabaseSync(file);
    const made = before.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all();
    for (const { sql } of made) db.exec(String(sql));
    const [{ user_version: schema } = {}] = before.prepare('PRAGMA user_version').all();
    db.exec(`PRAGMA user_version = ${schema}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
