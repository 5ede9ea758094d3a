/** Keeps the guard's copy of the operator's rules as new as a second ago, on every node. */

import { describeError } from '../../core/errors/error-facts.ts';
import { hashRuleText, openRuleText, RULE_ACTIONS, RULE_SUBJECTS } from '../../core/guarding/guard-rule.ts';
import type { Clock } from '../../core/seams/clock.ts';
import { repeat } from '../../core/seams/repeat.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact } from '../../core/secrets/sealed-field.ts';
import type { Log } from '../../core/sending/carrier.ts';
import type { Records, Row, Step } from '../../core/sql/records.ts';
import type { Guard } from '../guard.ts';
import type { OperatorRule } from '../rules.ts';

export type RuleKeyring = Pick<Keyring, 'recipientTag' | 'clientNetworkHash' | 'open' | 'isCurrent'>;

interface KeeperParts {
  readonly guard: Pick<Guard, 'setRules'>;
  readonly records: Records;
  readonly keyring: RuleKeyring;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 1_000;

/** A start waits so often for a store that cannot be read, and then goes on: what cannot be read cannot be written either. */
const TRIES = 3;

/** Resolves once the guard has the rules, or the store failed too often. Then it follows them until disposed of. */
export async function keepRules(
  { guard, records, keyring, clock, log }: KeeperParts,
  everyMs = EVERY_MS,
): Promise<Disposable> {
  let revision: number | undefined;
  const follow = async () => {
    if (revision === undefined || (await readRevision(records)) !== revision) {
      const read = await readRules(records, keyring);
      guard.setRules(read.rules);
      ({ revision } = read);
    }
    return everyMs;
  };
  const fail = (error: unknown) => {
    log('warn', 'the rules of the guard cannot be read; the old ones hold', { error: describeError(error) });
    return everyMs;
  };
  for (let tries = 0; tries < TRIES && revision === undefined; tries++) await follow().catch(fail);
  return repeat(clock, everyMs, follow, fail);
}

const REVISION: Step = { sql: "SELECT value FROM guard_counter WHERE name = 'rules'", args: [] };
const RULES: Step = {
  sql: 'SELECT id, account_id, action, subject, value, value_sealed, ends_at, reason FROM guard_rule',
  args: [],
};

async function readRevision(records: Records): Promise<number> {
  const answer = await records.transact([REVISION]);
  return revisionOf(answer.done ? answer.rows[0] : undefined);
}

/** The revision is read first: what changes in between is read again. */
export async function readRules(
  records: Records,
  keyring: RuleKeyring,
): Promise<{ readonly revision: number; readonly rules: readonly OperatorRule[] }> {
  const answer = await records.transact([REVISION, RULES]);
  const [revision, rows = []] = answer.done ? answer.rows : [];
  return { revision: revisionOf(revision), rules: rows.flatMap((row) => ruleOf(row, keyring)) };
}

const revisionOf = (rows: readonly Row[] | undefined): number => Number(rows?.[0]?.value ?? 0);

/** None if it is about a number or an address and its secret is gone: nothing could match it. */
function ruleOf(row: Row, keyring: RuleKeyring): OperatorRule[] {
  const action = RULE_ACTIONS.find((known) => known === row.action);
  const of = RULE_SUBJECTS.find((known) => known === row.subject);
  if (action === undefined || of === undefined) return [];
  let value = String(row.value);
  if (typeof row.value_sealed === 'string' && !keyring.isCurrent(row.value_sealed)) {
    // From before the secret was changed.
    const [id, sealed] = [String(row.id), row.value_sealed];
    const text = ifIntact(() => openRuleText(keyring, id, sealed));
    if (text === undefined) return [];
    value = hashRuleText(keyring, of, text);
  }
  const until = row.ends_at === null ? undefined : Number(row.ends_at);
  const account = row.account_id === null ? undefined : String(row.account_id);
  return [{ action, of, value, account, until, reason: String(row.reason) }];
}
