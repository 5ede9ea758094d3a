/** A database of the version before. */
import { readFileSync } from 'node:fs';
import { SCHEMA_OF_0_2 } from '../../../src/store/shared/schema-files.ts';
import { lookAt } from './rig.ts';

const TABLES = new URL('../version-before/postgres.sql', import.meta.url);

/** Writes a message to send, as it does to the tables of every version. */
export const ISSUE = `
  WITH made AS (
    INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash, destination_sealed, code_mac,
      guesses_left, created_at, expires_at)
    VALUES (('00000000-0000-0000-' || substr(gen_random_uuid()::text, 20))::uuid, 'a', 'k', false, 'sms', 'US', 'h', '2.s', 'm',
      5, 0, 1) RETURNING id
  ) INSERT INTO delivery (verification_id, code_sealed, due_at, expires_at) SELECT id, 'c', 0, 1 FROM made`;

/** Makes the tables of version 0.2 in an empty database. */
export async function makeTablesBefore(url: string): Promise<void> {
  await lookAt(
    url,
    `CREATE TABLE schema_migration (
       number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
     INSERT INTO schema_migration (number, name) SELECT number, '' FROM generate_series(1, ${SCHEMA_OF_0_2}) AS number;
     ${readFileSync(TABLES, 'utf8')}`,
  );
}

/** Makes of an empty database what nodes of version 0.2 left: two accounts, a message to send, entries of the audit log. */
export async function makeBefore(url: string, entries = 0): Promise<void> {
  await makeTablesBefore(url);
  const partitions = ['verification', 'attempt'].map(
    (table) =>
      `CREATE TABLE ${table}_all PARTITION OF ${table}
       FOR VALUES FROM (MINVALUE) TO ('00000000-0000-0001-0000-000000000000')`,
  );
  const all = [
    ...partitions,
    ISSUE,
    "INSERT INTO account (id, name, created_at) VALUES ('a', 'a', 0), ('b', 'b', 0)",
    `INSERT INTO audit_entry (account_id, id, at, who, action, subject, detail)
     SELECT CASE WHEN n % 2 = 0 THEN 'a' ELSE 'b' END, 'e' || lpad(n::text, 9, '0'), n, 'Ada', 'x', '', ''
     FROM generate_series(1, ${entries}) AS n`,
  ];
  await lookAt(url, all.join(';\n'));
}
