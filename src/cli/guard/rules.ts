/** The operator's own rules, which beat the guard. Works while the service runs, which notices within a second. */

import { findAccountId } from '../../accounts/accounts.ts';
import {
  addGuardRule,
  type GuardRule,
  liftGuardRule,
  listGuardRules,
  MAX_GUARD_RULES,
} from '../../accounts/guarding/guard-rules.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import { isWellFormedKey, prefixOf } from '../../core/accounts/api-key-format.ts';
import { describeCountedAs } from '../../core/destination/counted-as.ts';
import { RULE_SUBJECTS, type RuleAction, type RuleSubject } from '../../core/guarding/guard-rule.ts';
import type { Records } from '../../core/sql/records.ts';
import { parseDuration } from '../../core/verification/limits.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { openKeyring } from '../store/command-keyring.ts';
import { withStore } from '../store/command-store.ts';
import { formatTable } from '../table.ts';

/** What it is about is one of these; commander makes names of `--in-account` as it does. */
export type RuleOptions = { readonly [Subject in RuleSubject]?: string } & {
  readonly inAccount?: string;
  readonly for?: string;
  readonly until?: string;
  readonly reason: string;
};

export async function addRule(action: RuleAction, options: RuleOptions): Promise<void> {
  const [subject, given] = subjectOf(options);
  const config = await readConfiguration();
  const added = await withStore(config, async (store) => {
    const now = store.clock.now();
    const endsAt = endOf(options, now);
    const accountId =
      options.inAccount === undefined ? null : await accountOf(store, '--in-account', options.inAccount);
    const value =
      subject === 'account'
        ? await accountOf(store, '--account', given)
        : subject === 'key'
          ? keyOf(given)
          : given;
    const deps = { records: store, keyring: await openKeyring(config, store) };
    const { reason } = options;
    return await addGuardRule(deps, {
      accountId,
      action,
      subject,
      value,
      endsAt,
      reason,
      by: COMMAND_LINE,
      now,
    });
  });
  switch (added.kind) {
    case 'wrong': {
      const { field, detail } = added.error;
      const option = {
        value: subject,
        endsAt: options.for === undefined ? 'until' : 'for',
        reason: 'reason',
      }[field];
      throw new CommandFailure(`--${option} ${detail}; nothing was changed`);
    }
    case 'too-many':
      throw new CommandFailure(
        `there are ${MAX_GUARD_RULES} rules, which is the maximum; lift one, or several that a shorter range includes`,
      );
    case 'added':
      console.log(added.id);
      if (subject === 'country')
        for (const note of describeCountedAs([given.toUpperCase()])) console.error(note);
  }
}

/** Numbers are masked. */
export async function listRules({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = await readConfiguration();
  const rules = await withStore(config, async (store) => {
    const deps = { records: store, keyring: await openKeyring(config, store) };
    return await listGuardRules(deps, { accountId: null, now: store.clock.now() });
  });
  if (json) console.log(JSON.stringify(rules.map(shown), null, 2));
  else if (rules.length > 0) console.log(formatTable(rules.map(shown)));
  else console.error('no rules; `guard deny --range +9989939 --reason TEXT` makes one');
}

export async function liftRule(id: string): Promise<void> {
  const lifted = await withStore(await readConfiguration(), (store) =>
    liftGuardRule({ records: store }, { accountId: null, id, by: COMMAND_LINE, now: store.clock.now() }),
  );
  if (!lifted) throw new CommandFailure('there is no such rule; `guard rules` shows all ids');
  console.log('lifted');
}

const shown = ({ id, account, action, subject, value, endsAt, reason, madeBy, createdAt }: GuardRule) => ({
  id,
  action,
  of: subject,
  value,
  in_account: account,
  until: endsAt === null ? null : new Date(endsAt).toISOString(),
  reason,
  made_by: madeBy,
  made_at: new Date(createdAt).toISOString(),
});

function subjectOf(options: RuleOptions): readonly [RuleSubject, string] {
  const given = RULE_SUBJECTS.flatMap((subject) => {
    const value = options[subject];
    return value === undefined ? [] : [[subject, value] as const];
  });
  const [only, ...more] = given;
  if (only !== undefined && more.length === 0) return only;
  throw new CommandFailure(
    `expected one of ${RULE_SUBJECTS.map((subject) => `--${subject}`).join(', ')}; nothing was changed`,
  );
}

function endOf({ for: duration, until }: RuleOptions, now: number): number | null {
  if (duration === undefined && until === undefined) return null;
  if (duration !== undefined && until !== undefined) {
    throw new CommandFailure('expected --for or --until, not both; nothing was changed');
  }
  if (duration !== undefined) {
    const ms = parseDuration(duration);
    if (ms !== undefined) return now + ms;
    throw new CommandFailure('--for must be a duration such as 2h; nothing was changed');
  }
  const at = Date.parse(String(until));
  if (!Number.isNaN(at)) return at;
  throw new CommandFailure('--until must be a time such as 2026-11-01T00:00:00Z; nothing was changed');
}

async function accountOf(records: Records, option: string, name: string): Promise<string> {
  const id = await findAccountId(records, name);
  if (id !== undefined) return id;
  throw new CommandFailure(`${option} must be the name of an account; \`keys list\` shows them`);
}

/** Also takes the whole key, for one that was found where it should not be. */
const keyOf = (key: string): string => (isWellFormedKey(key) ? prefixOf(key) : key);
