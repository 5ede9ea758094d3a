/** Deletes what is past its time, a batch at a time, once an hour. */
import type { Logger } from 'pino';
import { describeError } from '../core/error-facts.ts';
import type { Keyring } from '../core/keyring.ts';
import { query, type Records } from '../core/records.ts';
import { AUDIT_MS } from './audit.ts';
import { IDLE_MS, LONGEST_MS } from './session.ts';
import { resealTotp } from './totp-secret.ts';

const EVERY_MS = 3_600_000;
const BATCH = 500;

/** For how long what is looked up is kept, in ms. */
export interface LookupRetention {
  readonly verifications: number;
  readonly statistics: number;
}

/** What is kept by the day goes with the last of it. */
const WHOLE_DAYS_MS = 2 * 86_400_000;

export async function sweep(records: Records, retention: LookupRetention, now: number): Promise<void> {
  // For as long as anything shows that was done with a key, it has a name.
  const keysOver = now - Math.max(retention.verifications, retention.statistics) - WHOLE_DAYS_MS;
  const before: readonly (readonly [table: string, key: string, time: string, before: number])[] = [
    ['session', 'hash', 'last_used_at', now - IDLE_MS],
    ['session', 'hash', 'created_at', now - LONGEST_MS],
    ['invitation', 'id', 'expires_at', now],
    ['one_time', 'hash', 'expires_at', now],
    ['throttle', 'subject', 'forget_at', now],
    ['audit_entry', 'id', 'at', now - AUDIT_MS],
    ['api_key', 'id', 'revoked_at', keysOver],
    ['api_key', 'id', 'expires_at', keysOver],
  ];
  for (const [table, key, time, until] of before) {
    const sql = `DELETE FROM ${table} WHERE ${key} IN (
      SELECT ${key} FROM ${table} WHERE ${time} <= $1 LIMIT ${BATCH}) AND ${time} <= $1 RETURNING 1 AS gone`;
    while ((await query(records, sql, until)).length >= BATCH);
  }
}

/** Tends to the portal at once and then now and then, until disposed of; what fails is left to the next time. */
export function scheduleSweep(
  records: Records,
  {
    keyring,
    retention,
    log,
  }: { readonly keyring: Keyring; readonly retention: LookupRetention; readonly log: Logger },
): Disposable {
  const run = async () => {
    try {
      await sweep(records, retention, Date.now());
      const { sealed, lost } = await resealTotp(records, keyring);
      if (sealed > 0) log.info({ count: sealed }, 'authenticators sealed anew under the secret of now');
      if (lost > 0) log.warn({ count: lost }, 'authenticators are sealed under a secret that is gone');
    } catch (error) {
      log.warn({ error: describeError(error) }, 'sweep of the portal put off');
    }
  };
  void run();
  const timer = setInterval(() => void run(), EVERY_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
