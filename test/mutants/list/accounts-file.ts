/** Accounts as a file: nothing without being told, nothing twice, nothing over what others changed. */
import type { Mutant } from '../mutant.ts';

const COMMAND = ['src/cli/accounts/accounts.test.ts'];
const STORE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];
const NAMED = 'accounts as a file';
const MEANWHILE = 'accounts as a file, meanwhile';

export const ACCOUNTS_FILE: readonly Mutant[] = [
  {
    breaks: 'a plan changes nothing until it is told to',
    file: 'src/cli/accounts/apply.ts',
    from: 'if (!yes) return tell(',
    to: 'if (!yes) tell(',
    tests: COMMAND,
  },
  {
    breaks: 'what is wrong in a file ends it before the first change',
    file: 'src/cli/accounts/plan.ts',
    from: 'if (problems.length > 0) throw file.refuse(problems);',
    to: '',
    tests: COMMAND,
  },
  {
    breaks: 'what is unseen in a name does not reach the terminal',
    file: 'src/cli/accounts/accounts-file.ts',
    from: ".replaceAll(/\\p{C}/gu, '?')",
    to: '',
    tests: COMMAND,
  },
  {
    breaks: 'keys with one name are not taken for one',
    file: 'src/cli/accounts/plan-keys.ts',
    from: 'if (second !== undefined) {',
    to: 'if (second?.id === key?.id && second !== undefined) {',
    tests: COMMAND,
  },
  {
    breaks: 'what a file applies is done only if nobody else changed it meanwhile',
    file: 'src/accounts/unchanged.ts',
    from: 'if (answer.refusedBy < before.length) throw otherwise();',
    to: 'if (answer.refusedBy < before.length) return records.transact(steps, announce);',
    tests: STORE,
    named: NAMED,
  },
  {
    breaks: 'of two owners that files demote at once one remains',
    file: 'src/accounts/unchanged.ts',
    from: '[lockAccount(accountId), { ...condition, guard: true }]',
    to: '[{ ...condition, guard: true }]',
    tests: POSTGRES,
    named: MEANWHILE,
  },
  {
    breaks: 'a key that was changed meanwhile is not changed again',
    file: 'src/cli/accounts/carry-out.ts',
    from: "createAccountKeys(planned(sameKey(key)), 'owner')",
    to: "createAccountKeys(records, 'owner')",
    tests: STORE,
    named: MEANWHILE,
  },
  {
    breaks: 'an invitation that somebody made meanwhile is not replaced',
    file: 'src/cli/accounts/carry-out.ts',
    from: 'invite(unchanged, ',
    to: 'invite(records, ',
    tests: STORE,
    named: MEANWHILE,
  },
  {
    breaks: 'an account that was renamed meanwhile keeps its new name',
    file: 'src/accounts/unchanged.ts',
    from: 'account.id = $1 AND name = $2 AND',
    to: 'account.id = $1 AND $2 = $2 AND',
    tests: STORE,
    named: MEANWHILE,
  },
  {
    breaks: 'owners step down once others have become owners',
    file: 'src/cli/accounts/plan-members.ts',
    from: '[...others, ...down]',
    to: 'planned',
    tests: STORE,
    named: NAMED,
  },
  {
    breaks: 'a file that leaves an account without an owner is refused before the first change',
    file: 'src/cli/accounts/plan-members.ts',
    from: 'problems: isLeft',
    to: 'problems: isLeft || true',
    tests: STORE,
    named: NAMED,
  },
  {
    breaks: 'somebody who is only invited is no owner yet',
    file: 'src/cli/accounts/plan-members.ts',
    from: "change.kind === 'role' && change.role === 'owner'",
    to: "'role' in change && change.role === 'owner'",
    tests: STORE,
    named: NAMED,
  },
  {
    breaks: 'a role that was changed meanwhile is not changed again',
    file: 'src/cli/accounts/carry-out.ts',
    from: 'const by = { ...COMMAND_LINE, accountId, records: unchanged };',
    to: 'const by = { ...COMMAND_LINE, accountId, records };',
    tests: STORE,
    named: MEANWHILE,
  },
  {
    breaks: 'a time in the past ends no key that is in use, and makes none',
    file: 'src/cli/accounts/plan-keys.ts',
    from: 'if (key === undefined && isOver(wanted, now) && held?.ended.has(name)) {',
    to: 'if (isOver(wanted, now)) {',
    tests: STORE,
    named: NAMED,
  },
  {
    breaks: 'a file that makes more keys than an account may have is refused before the first change',
    file: 'src/cli/accounts/plan-keys.ts',
    from: 'if (made === 0 || inUse <= MAX_KEYS_IN_USE)',
    to: 'if (made <= MAX_KEYS_IN_USE)',
    tests: STORE,
    named: NAMED,
  },
  {
    breaks: 'a key that was replaced does not stand for its successor',
    file: 'src/cli/accounts/held.ts',
    from: 'inUse.filter((key) => key.replacedBy === null)',
    to: '[...inUse]',
    tests: STORE,
    named: NAMED,
  },
  {
    breaks: 'a misspelled setting is refused',
    file: 'src/cli/accounts/accounts-file.ts',
    from: 'validatorOf(closed(Accounts))',
    to: 'validatorOf(Accounts)',
    tests: COMMAND,
  },
];
