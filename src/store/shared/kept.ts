/**
 * What is past its retention is gone for whoever reads. It is there for some time yet: SQLite deletes rows in batches, PostgreSQL
 * whole days. Every read asks by this, so both stores forget a verification in the same moment.
 */

/** What was made then or before is past its retention. */
export const pastUntil = (now: number, retentionMs: number): number => now - retentionMs;

/** SQL for a verification that is not; `until` is SQL for `pastUntil`. The functions of PostgreSQL have it as text. */
export const isKept = (until: string): string => `verification.created_at > ${until}`;
