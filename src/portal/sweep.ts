/** Deletes what is past its time, a batch at a time, once an hour. */
import type { Logger } from 'pino';
import { query, type Records } from '../core/records.ts';
import { describeError } from '../http/report.ts';
import { AUDIT_MS } from './audit.ts';
import { IDLE_MS, LONGEST_MS } from './session.ts';

const EVERY_MS = 3_600_000;
const BATCH = 500;

export async function sweep(records: Records, now: number): Promise<void> {
  const before: readonly (readonly [table: string, key: string, time: string, before: number])[] = [
    ['session', 'hash', 'last_used_at', now - IDLE_MS],
    ['session', 'hash', 'created_at', now - LONGEST_MS],
    ['invitation', 'id', 'expires_at', now],
    ['one_time', 'hash', 'expires_at', now],
    ['throttle', 'subject', 'forget_at', now],
    ['audit_entry', 'id', 'at', now - AUDIT_MS],
  ];
  for (const [table, key, time, until] of before) {
    const sql = `DELETE FROM ${table} WHERE ${key} IN (
      SELECT ${key} FROM ${table} WHERE ${time} <= $1 LIMIT ${BATCH}) AND ${time} <= $1 RETURNING 1 AS gone`;
    while ((await query(records, sql, until)).length >= BATCH);
  }
}

/** Sweeps now and then, until disposed of; one that fails is left to the next. */
export function scheduleSweep(records: Records, log: Logger): Disposable {
  const run = () =>
    sweep(records, Date.now()).catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'sweep of the portal put off');
    });
  const timer = setInterval(run, EVERY_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
