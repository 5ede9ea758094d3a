/** Who asked for silence about which alerts, until when and why. */
import { query, type Records, type Row, type Statement, type Step } from '../../core/accounts/records.ts';
import { isRuleName, type RuleName } from '../../core/alerts/rule.ts';
import { LONGEST_SILENCE_MS, MAX_SILENCES, type Silence } from '../../core/alerts/silence.ts';
import type { FieldError, FieldFault } from '../../core/field-error.ts';
import { lockAccount } from '../standing.ts';
import { mintEntryId, mintListId } from '../token.ts';
import { type AlertChange, auditAlerts } from './change.ts';

const COLUMNS = 'id, account_id, rule, subject, ends_at, reason, made_by, made_at';

/** Without an account it is about the installation, which whoever runs it decides. */
export type SilenceChange = Omit<AlertChange, 'accountId'> & { readonly accountId: string | null };

export interface SilenceWish {
  /** Null: all rules. */
  readonly rule: RuleName | null;
  /** Null: everything that the rule finds. */
  readonly subject: string | null;
  /** Unix ms. */
  readonly endsAt: number;
  readonly reason: string;
}

export type AddedSilence =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'wrong'; readonly error: FieldError<'until'> }
  | { readonly kind: 'too-many' };

/** Those of an account that last, or of the installation (null); without one, all. */
export async function readSilences(
  records: Records,
  now: number,
  accountId?: string | null,
): Promise<Silence[]> {
  const rows = await query(
    records,
    `SELECT ${COLUMNS} FROM alert_silence
      WHERE ends_at > $1 AND (CAST($2 AS TEXT) IS NULL OR account_id = $2) ORDER BY id`,
    now,
    accountId === undefined ? null : keptAs(accountId),
  );
  return rows.map(silenceOf);
}

export async function addSilence(
  records: Records,
  change: SilenceChange,
  { rule, subject, endsAt, reason }: SilenceWish,
): Promise<AddedSilence> {
  const { accountId, by, now } = change;
  if (!(endsAt > now)) return wrong({ code: 'not_in_future', detail: 'must be later than now' });
  if (endsAt - now > LONGEST_SILENCE_MS) {
    return wrong({ code: 'too_far_apart', detail: 'must be within 30 days' });
  }
  const id = mintListId('als', now, records.random);
  const insert: Step = {
    sql: `INSERT INTO alert_silence (${COLUMNS})
      SELECT $1, $2, $3, $4, CAST($5 AS BIGINT), $6, $7, CAST($8 AS BIGINT)
      WHERE (SELECT count(*) FROM alert_silence WHERE account_id = $2 AND ends_at > CAST($8 AS BIGINT)) < ${MAX_SILENCES}
      RETURNING id`,
    args: [id, keptAs(accountId), rule ?? '', subject ?? '', endsAt, reason, by.name, now],
    guard: true,
  };
  const until = new Date(endsAt).toISOString();
  const detail = `until ${until}: ${reason}`;
  const entry = auditSilence(records, 'alerts.silenced', wordsOf(rule, subject), change, detail);
  // The lock puts additions in order, so that each counts those before it.
  const lock = accountId === null ? LOCK_INSTALLATION : lockAccount(accountId);
  const answer = await records.transact([lock, insert, entry]);
  return answer.done ? { kind: 'added', id } : { kind: 'too-many' };
}

/** False if there is none, or it has ended. */
export async function liftSilence(records: Records, change: SilenceChange, id: string): Promise<boolean> {
  const { accountId, now } = change;
  const end: Step = {
    sql: `UPDATE alert_silence SET ends_at = CAST($3 AS BIGINT) WHERE id = $1 AND account_id = $2 AND ends_at > CAST($3 AS BIGINT)
      RETURNING id`,
    args: [id, keptAs(accountId), now],
    guard: true,
  };
  const entry = auditSilence(records, 'alerts.silence-lifted', id, change);
  return (await records.transact([end, entry])).done;
}

const keptAs = (accountId: string | null): string => accountId ?? '';

const LOCK_INSTALLATION: Step = {
  sql: "UPDATE alert_turn SET name = name WHERE name = 'turn' RETURNING name",
  args: [],
  guard: true,
};

/** What concerns the installation is in the log of every account: each sees its alerts. */
function auditSilence(
  records: Records,
  action: string,
  subject: string,
  change: SilenceChange,
  detail = '',
): Statement {
  const { accountId, by, now } = change;
  if (accountId !== null) return auditAlerts(records, action, subject, { accountId, by, now }, detail);
  return {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      SELECT id, $1, CAST($2 AS BIGINT), $3, $4, $5, $6, $7 FROM account`,
    args: [
      ...[mintEntryId(now, records.random), now, by.name, by.address, action],
      ...[`the installation: ${subject}`, detail],
    ],
  };
}

const wrong = (fault: FieldFault): AddedSilence => ({ kind: 'wrong', error: { field: 'until', ...fault } });

const wordsOf = (rule: string | null, subject: string | null): string =>
  rule === null ? 'all alerts' : [rule, ...(subject === null ? [] : [subject])].join(': ');

function silenceOf(row: Row): Silence {
  const [rule, subject] = [String(row.rule), String(row.subject)];
  return {
    id: String(row.id),
    accountId: row.account_id === '' ? null : String(row.account_id),
    rule: isRuleName(rule) ? rule : null,
    subject: subject === '' ? null : subject,
    endsAt: Number(row.ends_at),
    reason: String(row.reason),
    madeBy: String(row.made_by),
    madeAt: Number(row.made_at),
  };
}
