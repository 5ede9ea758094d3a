/** Deletes expired rows once an hour. */

import type { Logger } from 'pino';
import { ALERTS_MS } from '../accounts/alerts/alerts.ts';
import { resealAlertWebhooks } from '../accounts/alerts/channels.ts';
import { rehashNumbers } from '../accounts/blocking/blocked-numbers.ts';
import { rehashGuardRules } from '../accounts/guarding/guard-rules.ts';
import { deletePast, type LookupRetention, sweepAccounts } from '../accounts/sweep.ts';
import { resealWebhooks } from '../accounts/webhooks/secrets.ts';
import { describeError } from '../core/errors/error-facts.ts';
import type { Clock } from '../core/seams/clock.ts';
import { repeat } from '../core/seams/repeat.ts';
import { DAY_MS } from '../core/seams/spans.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Records } from '../core/sql/records.ts';
import { resealTotp } from '../identity/factors/totp-secret.ts';
import { IDLE_MS, LONGEST_MS } from '../identity/sign-in/session.ts';

const EVERY_MS = 3_600_000;
/** How long the guard's evidence is shown. */
const EVIDENCE_MS = 7 * DAY_MS;
const LOST = 'their secret is gone, or they were altered';

export async function sweep(records: Records, retention: LookupRetention, now: number): Promise<void> {
  await sweepAccounts(records, retention, now);
  const past = { verifications: now - retention.verifications, statistics: now - retention.statistics };
  await deletePast(records, { table: 'guard_refusal', key: 'id', time: 'at', until: past.verifications });
  await deletePast(records, { table: 'guard_event', key: 'id', time: 'at', until: past.verifications });
  const messengerUser = { table: 'messenger_user', key: 'user_tag', time: 'created_at' };
  await deletePast(records, { ...messengerUser, until: past.verifications });
  const evidence = { table: 'guard_evidence', key: 'minute', time: 'minute' };
  await deletePast(records, { ...evidence, until: now - EVIDENCE_MS });
  // Those of the last hour are counted, however short verifications are kept.
  const testsUntil = Math.min(past.verifications, now - DAY_MS);
  await deletePast(records, { table: 'carrier_test', key: 'id', time: 'asked_at', until: testsUntil });
  await deletePast(records, { table: 'guard_day', key: 'day', time: 'day', until: past.statistics });
  const alertsPast = now - ALERTS_MS;
  await deletePast(records, { table: 'alert', key: 'id', time: 'over_at', until: alertsPast });
  await deletePast(records, { table: 'alert_notice', key: 'id', time: 'at', until: alertsPast });
  const session = { table: 'session', key: 'hash' };
  await deletePast(records, { ...session, time: 'last_used_at', until: now - IDLE_MS });
  await deletePast(records, { ...session, time: 'created_at', until: now - LONGEST_MS });
  await deletePast(records, { table: 'one_time', key: 'hash', time: 'expires_at', until: now });
  await deletePast(records, { table: 'throttle', key: 'subject', time: 'forget_at', until: now });
}

/** Sweeps at once and then every hour, until disposed of. A failed run is left to the next one. */
export function scheduleSweep(
  records: Records,
  {
    clock,
    aged,
    keyring,
    retention,
    log,
  }: {
    readonly clock: Pick<Clock, 'after'>;
    /** What is as old as this may be deleted: a clock that is ahead would delete what is not over. */
    readonly aged: () => Promise<number>;
    readonly keyring: Keyring;
    readonly retention: LookupRetention;
    readonly log: Logger;
  },
): Disposable {
  const run = async () => {
    await sweep(records, retention, await aged());
    const { sealed, lost } = await resealTotp(records, keyring);
    if (sealed > 0) log.info({ count: sealed }, 'authenticators sealed again under the current secret');
    if (lost > 0) log.warn({ count: lost }, `authenticators cannot be read: ${LOST}`);
    const numbers = await rehashNumbers({ records, keyring });
    if (numbers.hashed > 0) {
      log.info({ count: numbers.hashed }, 'numbers to send nothing to hashed again');
    }
    if (numbers.lost > 0) log.warn({ count: numbers.lost }, `numbers to send nothing to are lost: ${LOST}`);
    const rules = await rehashGuardRules({ records, keyring });
    if (rules.hashed > 0) log.info({ count: rules.hashed }, 'rules of the guard hashed again');
    if (rules.lost > 0) log.warn({ count: rules.lost }, `rules of the guard are lost: ${LOST}`);
    const webhooks = await resealWebhooks(records, keyring);
    if (webhooks.sealed > 0)
      log.info({ count: webhooks.sealed }, 'secrets of webhooks sealed again under the current secret');
    if (webhooks.lost > 0) log.warn({ count: webhooks.lost }, `secrets of webhooks are lost: ${LOST}`);
    const alerts = await resealAlertWebhooks(records, keyring);
    if (alerts.sealed > 0)
      log.info({ count: alerts.sealed }, 'webhooks of alerts sealed again under the current secret');
    if (alerts.lost > 0) log.warn({ count: alerts.lost }, `webhooks of alerts are lost: ${LOST}`);
    return EVERY_MS;
  };
  return repeat(clock, 0, run, (error) => {
    log.warn({ error: describeError(error) }, 'portal sweep failed; trying again in an hour');
    return EVERY_MS;
  });
}
