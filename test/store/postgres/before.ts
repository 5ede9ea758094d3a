/** A database of the version before. */
import { readdirSync, readFileSync } from 'node:fs';
import { lookAt } from './rig.ts';

const FOLDER = new URL('../../../src/store/postgres/schema/migrations/', import.meta.url);
const FILES = readdirSync(FOLDER).sort();
export const MIGRATIONS = FILES.length;
/** How many version 0.2 had. */
export const BEFORE = FILES.findIndex((name) => name.endsWith('-devices.sql')) + 1;

/** Writes a message to send, as it does to the tables of every version. */
export const ISSUE = `
  WITH made AS (
    INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash, destination_sealed, code_mac,
      guesses_left, created_at, expires_at)
    VALUES (('00000000-0000-0000-' || substr(gen_random_uuid()::text, 20))::uuid, 'a', 'k', false, 'sms', 'US', 'h', '2.s', 'm',
      5, 0, 1) RETURNING id
  ) INSERT INTO delivery (verification_id, code_sealed, due_at, expires_at) SELECT id, 'c', 0, 1 FROM made`;

/** Makes of an empty database what nodes of version 0.2 left: two accounts, a message to send, entries of the audit log. */
export async function makeBefore(url: string, entries = 0): Promise<void> {
  const migrations = FILES.slice(0, BEFORE).map(
    (name, index) =>
      `${readFileSync(new URL(name, FOLDER), 'utf8')};
       INSERT INTO schema_migration (number, name) VALUES (${index + 1}, '${name}')`,
  );
  const partitions = ['verification', 'attempt'].map(
    (table) =>
      `CREATE TABLE ${table}_all PARTITION OF ${table}
       FOR VALUES FROM (MINVALUE) TO ('00000000-0000-0001-0000-000000000000')`,
  );
  const all = [
    `CREATE TABLE schema_migration (
       number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    ...migrations,
    ...partitions,
    ISSUE,
    "INSERT INTO account (id, name, created_at) VALUES ('a', 'a', 0), ('b', 'b', 0)",
    `INSERT INTO audit_entry (account_id, id, at, who, action, subject, detail)
     SELECT CASE WHEN n % 2 = 0 THEN 'a' ELSE 'b' END, 'e' || lpad(n::text, 9, '0'), n, 'Ada', 'x', '', ''
     FROM generate_series(1, ${entries}) AS n`,
  ];
  await lookAt(url, all.join(';\n'));
}
