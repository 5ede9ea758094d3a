/**
 * The operator's own rules, which beat the guard. Every node hears of a change within a second, because the transaction of
 * the change counts up what nodes look at.
 */
import type { Actor } from '../../core/accounts/actor.ts';
import type { AuditAction } from '../../core/accounts/audit-action.ts';
import { isName, NAME_RULE } from '../../core/accounts/name.ts';
import { addressToday } from '../../core/destination/destination.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import type { FieldError, FieldFault } from '../../core/errors/field-error.ts';
import {
  hashRuleText,
  openRuleText,
  type RuleAction,
  type RuleSubject,
  sealRuleText,
} from '../../core/guarding/guard-rule.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact } from '../../core/secrets/sealed-field.ts';
import { query, type Records, type Row, type Step } from '../../core/sql/records.ts';
import { mintEntryId, mintListId } from '../token.ts';
import { readRuleValue } from './rule-value.ts';

interface Deps {
  readonly records: Records;
  readonly keyring: Keyring;
}

export interface NewGuardRule {
  /** Whose requests it applies to; null for all accounts, which only the command line may ask for. */
  readonly accountId: string | null;
  readonly action: RuleAction;
  readonly subject: RuleSubject;
  /** As people name it: `+99899394`, a number, `BR`, the id of an account, the id or prefix of a key, an IP address. */
  readonly value: string;
  /** Unix ms; null: until it is lifted. A pause needs one. */
  readonly endsAt: number | null;
  readonly reason: string;
  readonly by: Actor;
  readonly now: number;
}

export type AddedGuardRule =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'wrong'; readonly error: FieldError<'value' | 'endsAt' | 'reason'> }
  /** There are MAX_GUARD_RULES already. */
  | { readonly kind: 'too-many' };

export interface GuardRule {
  readonly id: string;
  /** Null for all accounts. */
  readonly account: string | null;
  readonly action: RuleAction;
  readonly subject: RuleSubject;
  /** For people: a number masked, an account and a key by their names. */
  readonly value: string;
  /** Unix ms; null: until it is lifted. */
  readonly endsAt: number | null;
  readonly reason: string;
  readonly madeBy: string;
  /** Unix ms. */
  readonly createdAt: number;
}

/** Of an account, and of all accounts together: each node holds all in memory. */
export const MAX_GUARD_RULES = 1_000;
const MAX_REASON = 200;

/** In place of what no secret opens any more. */
const UNREADABLE = '•••';

const LAST_TIME = 8.64e15;

/** The lock of the row puts changes in order, so that each counts the rules of those before it. */
const COUNT_UP: Step = {
  sql: "UPDATE guard_counter SET value = value + 1 WHERE name = 'rules' RETURNING value",
  args: [],
  guard: true,
};

export async function addGuardRule(deps: Deps, rule: NewGuardRule): Promise<AddedGuardRule> {
  const { records, keyring } = deps;
  const { accountId, action, subject, endsAt, by, now } = rule;
  const reason = rule.reason.trim();
  const fault = faultOfReason(reason);
  if (fault !== undefined) return { kind: 'wrong', error: { field: 'reason', ...fault } };
  const late = faultOfEnd(rule);
  if (late !== undefined) return { kind: 'wrong', error: { field: 'endsAt', ...late } };
  const value = await readRuleValue(records, accountId, subject, rule.value);
  if (!value.ok) return { kind: 'wrong', error: { field: 'value', code: value.code, detail: value.detail } };

  const id = mintListId('grl', now, records.random);
  const kept = value.clear ? value.text : hashRuleText(keyring, subject, value.text);
  const sealed = value.clear ? null : sealRuleText(keyring, id, value.text);
  const add: Step = {
    sql: `INSERT INTO guard_rule
        (id, account_id, action, subject, value, value_sealed, ends_at, reason, made_by, created_at)
      SELECT $1, $2, $3, $4, $5, $6, CAST($7 AS BIGINT), $8, $9, CAST($10 AS BIGINT)
      WHERE (SELECT count(*) FROM guard_rule WHERE account_id IS NOT DISTINCT FROM $2
        AND (ends_at IS NULL OR ends_at > CAST($10 AS BIGINT))) < ${MAX_GUARD_RULES}
      RETURNING id`,
    args: [id, accountId, action, subject, kept, sealed, endsAt, reason, by.name, now],
    guard: true,
  };
  const detail = endsAt === null ? reason : `until ${new Date(endsAt).toISOString()}: ${reason}`;
  const entry = auditRule(records, id, { by, action: AUDITED[action], detail, at: now });
  const answer = await records.transact([COUNT_UP, add, entry]);
  return answer.done ? { kind: 'added', id } : { kind: 'too-many' };
}

/** Those in force, newest first: of an account, or of all and for all (null). */
export async function listGuardRules(
  { records, keyring }: Deps,
  { accountId, now }: { readonly accountId: string | null; readonly now: number },
): Promise<GuardRule[]> {
  const rows = await query(
    records,
    `SELECT rule.*, own.name AS account,
        (SELECT name FROM account WHERE id = value) AS account_name,
        (SELECT name || ' (' || prefix || ')' FROM api_key WHERE account_id || '/' || id = value) AS key_name
      FROM guard_rule AS rule LEFT JOIN account AS own ON own.id = rule.account_id
      WHERE (CAST($1 AS TEXT) IS NULL OR rule.account_id = $1) AND (ends_at IS NULL OR ends_at > $2)
      ORDER BY rule.id DESC`,
    accountId,
    now,
  );
  return rows.map((row) => ({
    id: String(row.id),
    account: row.account === null ? null : String(row.account),
    action: String(row.action) as RuleAction,
    subject: String(row.subject) as RuleSubject,
    value: shownValue(keyring, row),
    endsAt: row.ends_at === null ? null : Number(row.ends_at),
    reason: String(row.reason),
    madeBy: String(row.made_by),
    createdAt: Number(row.created_at),
  }));
}

/** A rule that sends nothing to a country. */
export interface CountryStop extends Pick<GuardRule, 'id' | 'reason' | 'endsAt'> {
  readonly country: string;
  /** It holds for all accounts, and the operator made it. */
  readonly ofService: boolean;
}

/** Those in force for an account, its own and those for all, by country. */
export async function listCountryStops(
  records: Records,
  { accountId, now }: { readonly accountId: string; readonly now: number },
): Promise<CountryStop[]> {
  const rows = await query(
    records,
    `SELECT id, value, account_id, ends_at, reason FROM guard_rule
      WHERE subject = 'country' AND action <> 'allow' AND (account_id IS NULL OR account_id = $1)
        AND (ends_at IS NULL OR ends_at > $2)
      ORDER BY value, id`,
    accountId,
    now,
  );
  return rows.map((row) => ({
    id: String(row.id),
    country: String(row.value),
    ofService: row.account_id === null,
    endsAt: row.ends_at === null ? null : Number(row.ends_at),
    reason: String(row.reason),
  }));
}

/** One of an account, or any (null). False if it is not there. */
export async function liftGuardRule(
  { records }: Pick<Deps, 'records'>,
  { accountId, id, by, now }: Pick<NewGuardRule, 'accountId' | 'by' | 'now'> & { readonly id: string },
): Promise<boolean> {
  const entry = auditRule(records, id, { by, action: 'guard.lifted', detail: null, at: now });
  const remove: Step = {
    sql: `DELETE FROM guard_rule WHERE id = $1 AND (CAST($2 AS TEXT) IS NULL OR account_id = $2) RETURNING id`,
    args: [id, accountId],
    guard: true,
  };
  return (await records.transact([COUNT_UP, entry, remove])).done;
}

/**
 * Hashes and seals again what an earlier secret did, before that secret is gone, and numbers that their country has changed.
 */
export async function rehashGuardRules({
  records,
  keyring,
}: Deps): Promise<{ readonly hashed: number; readonly lost: number }> {
  const rows = await query(
    records,
    'SELECT id, subject, value_sealed FROM guard_rule WHERE value_sealed IS NOT NULL',
  );
  const steps: Step[] = [];
  let lost = 0;
  for (const row of rows) {
    const [id, sealed] = [String(row.id), String(row.value_sealed)];
    const isNumber = row.subject === 'number';
    const kept = ifIntact(() => openRuleText(keyring, id, sealed));
    const text = kept !== undefined && isNumber ? addressToday(kept) : kept;
    if (text === undefined) lost += 1;
    else if (text !== kept || !keyring.isCurrent(sealed)) {
      const hash = hashRuleText(keyring, isNumber ? 'number' : 'address', text);
      steps.push({
        sql: 'UPDATE guard_rule SET value = $3, value_sealed = $4 WHERE id = $1 AND value_sealed = $2',
        args: [id, sealed, hash, sealRuleText(keyring, id, text)],
      });
    }
  }
  if (steps.length > 0) await records.transact([COUNT_UP, ...steps]);
  return { hashed: steps.length, lost };
}

const AUDITED = {
  allow: 'guard.allowed',
  deny: 'guard.denied',
  pause: 'guard.paused',
} as const satisfies Record<RuleAction, AuditAction>;

/**
 * The entry of a rule that is there, in the log of every account that it concerns. Without a detail it says what the rule was.
 * A number and an address are not named.
 */
function auditRule(
  { random }: Records,
  id: string,
  {
    by,
    action,
    detail,
    at,
  }: {
    readonly by: Actor;
    readonly action: AuditAction;
    readonly detail: string | null;
    readonly at: number;
  },
): Step {
  return {
    sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
      SELECT account.id, $2, CAST($3 AS BIGINT), $4, $5, $6,
        CASE subject WHEN 'range' THEN 'the range ' || value WHEN 'number' THEN 'a number'
          WHEN 'country' THEN 'the country ' || value WHEN 'address' THEN 'an address'
          WHEN 'account' THEN 'the account'
          ELSE coalesce((SELECT 'the key ' || name || ' (' || prefix || ')' FROM api_key
            WHERE account_id || '/' || id = value), 'a key') END,
        coalesce(CAST($7 AS TEXT), rule.action || ': ' || reason)
      FROM guard_rule AS rule JOIN account ON CASE
        WHEN rule.account_id IS NOT NULL THEN account.id = rule.account_id
        WHEN subject = 'account' THEN account.id = value
        WHEN subject = 'key' THEN substr(value, 1, length(account.id) + 1) = account.id || '/'
        ELSE TRUE END
      WHERE rule.id = $1`,
    args: [id, mintEntryId(at, random), at, by.name, by.address, action, detail],
  };
}

function shownValue(keyring: Keyring, row: Row): string {
  if (row.subject === 'account') return String(row.account_name ?? row.value);
  if (row.subject === 'key') return String(row.key_name ?? row.value);
  const sealed = row.value_sealed;
  if (typeof sealed !== 'string') return String(row.value);
  const text = ifIntact(() => openRuleText(keyring, String(row.id), sealed));
  if (text === undefined) return UNREADABLE;
  return row.subject === 'number' ? maskDestination(text) : text;
}

function faultOfReason(reason: string): FieldFault | undefined {
  if (reason === '') return { code: 'missing', detail: 'is needed: why is this rule made?' };
  if ([...reason].length > MAX_REASON) {
    return { code: 'too_long', detail: `must have at most ${MAX_REASON} characters` };
  }
  if (isName(reason)) return undefined;
  return {
    code: 'wrong_format',
    detail: `must be ${NAME_RULE.charAt(0).toLowerCase()}${NAME_RULE.slice(1, -1)}`,
  };
}

function faultOfEnd({ action, endsAt, now }: NewGuardRule): FieldFault | undefined {
  if (endsAt === null) {
    return action === 'pause' ? { code: 'missing', detail: 'is needed: a pause has an end' } : undefined;
  }
  if (endsAt > now && endsAt <= LAST_TIME) return undefined;
  return { code: 'not_in_future', detail: 'must be a time in the future' };
}
