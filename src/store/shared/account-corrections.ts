/**
 * Corrects the times of accounts, people, alerts and the ends of numbers of missed calls that a clock left while it was ahead, in SQL
 * that both stores understand.
 *
 * Three things stay as they are: an end that somebody chose (of a key, of a rule of the guard), because nobody knows whether they
 * chose it by that clock; the audit log, because its chain holds its times; and until when something sealed counts as used,
 * because what is sealed expires no sooner.
 */
import {
  GUESSES_MS,
  INVITATION_MS,
  ONE_TIME_MS,
  TOTP_STEP_MS,
  TOTP_STEPS_AROUND,
} from '../../core/accounts/lasting.ts';
import { LONGEST_NOTICE_PAUSE_MS } from '../../core/alerts/pause.ts';
import { OVERLAP_MS } from '../../core/events/endpoint.ts';
import { LONGEST_ENDING_MS } from '../../core/verification/verification.ts';

/** `now` and `latest` are SQL of Unix ms: the present, and the latest time that a node may rightly have written. */
export function accountCorrections(now: string, latest: string): readonly string[] {
  /** These tell when something happened. */
  const happened = (table: string, ...columns: readonly string[]) => `UPDATE ${table} SET
    ${columns.map((column) => `${column} = CASE WHEN ${column} > ${latest} THEN ${now} ELSE ${column} END`).join(', ')}
    WHERE ${columns.map((column) => `${column} > ${latest}`).join(' OR ')}`;
  /** This is so far away at most. */
  const within = (span: number, table: string, column: string, condition = 'TRUE') =>
    `UPDATE ${table} SET ${column} = ${now} + ${span} WHERE ${column} > ${latest} + ${span} AND ${condition}`;
  return [
    // The waits keep their lengths: they end when the guesses are forgotten, less the time between.
    `UPDATE throttle SET
      next_at = CASE WHEN next_at > 0 THEN next_at - forget_at + ${now} + ${GUESSES_MS} ELSE 0 END,
      forget_at = ${now} + ${GUESSES_MS}
    WHERE forget_at > ${latest} + ${GUESSES_MS}`,
    happened('session', 'created_at', 'last_used_at', 'proven_at'),
    // The latest step that may have been used: no code is taken twice.
    `UPDATE totp SET last_step = ${now} / ${TOTP_STEP_MS} + ${TOTP_STEPS_AROUND}
    WHERE last_step > ${latest} / ${TOTP_STEP_MS} + ${TOTP_STEPS_AROUND}`,
    within(ONE_TIME_MS.setup, 'one_time', 'expires_at', "purpose = 'setup'"),
    within(ONE_TIME_MS.reset, 'one_time', 'expires_at', "purpose = 'reset'"),
    within(ONE_TIME_MS['second-factor'], 'one_time', 'expires_at', "purpose = 'second-factor'"),
    happened('invitation', 'created_at'),
    within(INVITATION_MS, 'invitation', 'expires_at'),
    happened('account', 'created_at'),
    happened('api_key', 'created_at', 'last_used_at', 'revoked_at'),
    happened('person', 'created_at'),
    happened('member', 'since'),
    happened('passkey', 'created_at', 'last_used_at'),
    happened('identity', 'created_at', 'last_used_at'),
    happened('start_dismissal', 'dismissed_at'),
    happened('webhook', 'created_at', 'failing_since', 'last_success_at', 'last_failure_at', 'disabled_at'),
    within(OVERLAP_MS, 'webhook', 'previous_until'),
    happened('guard_rule', 'created_at'),
    happened('guard_refusal', 'at'),
    happened('guard_event', 'at'),
    // The newest is what is shown of a place, and is written again within a minute.
    `DELETE FROM guard_evidence WHERE minute > ${latest}`,
    happened('messenger_user', 'created_at'),
    happened('trace_link', 'noted_at'),
    happened('carrier_test', 'asked_at'),
    happened('alert', 'bad_since', 'firing_since', 'good_since', 'told_at', 'over_at'),
    happened('alert_subscriber', 'since'),
    happened('alert_webhook', 'added_at'),
    happened('alert_notice', 'at', 'last_try_at', 'sent_at'),
    within(LONGEST_NOTICE_PAUSE_MS, 'alert_notice', 'due_at'),
    // Also of a code that had expired by that clock: it is valid again.
    within(LONGEST_ENDING_MS, 'used_ending', 'ends_at'),
  ];
}
