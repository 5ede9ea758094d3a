/** Finds statements of the embedded store that go over whole tables, by SQLite's own plans, which do not depend on how many rows there are. */
import type { DatabaseSync } from 'node:sqlite';

/** With every request, every change, or every refusal. */
const GROWING = [
  ...[
    'verification',
    'attempt',
    'inbox_message',
    'idempotency',
    'failed_guess',
    'early_receipt',
    'webhook_message',
  ],
  ...['tally', 'tally_day', 'tally_keyless_hour', 'tally_keyless_day', 'tally_key_day'],
  ...['latency_tally', 'latency_tally_day', 'audit_entry', 'blocked_number'],
  ...['guard_refusal', 'guard_evidence', 'guard_event', 'trace_link', 'messenger_user'],
];

/** Indexes that have only what is open now. */
const SHORT = /USING (COVERING )?INDEX (delivery_(due|fallback)|webhook_message_due)\b/;
/** Takes so many from the end. */
const isBounded = (table: string, sql: string): boolean =>
  new RegExp(`FROM ${table}( AS \\w+)? ORDER BY [\\w, ]+ LIMIT \\d+`).test(sql);

/** The parts of a plan that go over all rows of a table that grows, under its name or another. */
export function scansOf(db: DatabaseSync, sql: string): string[] {
  const aliases = Array.from(sql.matchAll(/\b(\w+)\s+AS\s+(\w+)/g)).flatMap(([, table = '', alias = '']) =>
    GROWING.includes(table) ? [alias] : [],
  );
  const names = new Set([...GROWING, ...aliases]);
  return db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail))
    .filter((detail) => {
      // A search without a condition walks from one end, for a minimum that may be at the other.
      const [, name = ''] = /^SCAN (\w+)|^SEARCH (\w+)[^(]*$/.exec(detail)?.filter(Boolean) ?? [];
      return names.has(name) && !SHORT.test(detail) && !isBounded(name, sql);
    });
}
