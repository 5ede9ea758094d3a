import type { Mutant } from '../../mutant.ts';

const SQLITE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];
const CORRECTIONS = 'src/store/shared/account-corrections.ts';

/** One statement is left out. */
const without = (what: string, statement: string, named: string): Mutant => ({
  breaks: `dated ahead, accounts: ${what}`,
  file: CORRECTIONS,
  from: `    ${statement},\n`,
  to: '',
  tests: SQLITE,
  named,
});

export const ACCOUNT_HEAL: readonly Mutant[] = [
  {
    breaks: 'dated ahead, accounts: the wait after wrong passwords',
    file: CORRECTIONS,
    from: 'THEN next_at - forget_at +',
    to: 'THEN next_at + 0 *',
    tests: SQLITE,
    named: 'whoever mistyped',
  },
  {
    breaks: 'dated ahead, accounts: when guesses are forgotten',
    file: CORRECTIONS,
    from: 'forget_at = ',
    to: 'forget_at = forget_at + 0 * ',
    tests: SQLITE,
    named: 'guesses are forgotten a day from now',
  },
  {
    breaks: 'dated ahead, accounts: the last code of an authenticator',
    file: CORRECTIONS,
    from: 'SET last_step = ',
    to: 'SET last_step = last_step + 0 * ',
    tests: SQLITE,
    named: 'an authenticator is taken again',
  },
  {
    breaks: 'dated ahead, accounts: no code of an authenticator is taken twice',
    file: CORRECTIONS,
    from: 'TOTP_STEPS_AROUND}\n    WHERE',
    to: '-TOTP_STEPS_AROUND}\n    WHERE',
    tests: SQLITE,
    named: 'an authenticator is taken again',
  },
  without(
    'a session and its proof',
    "happened('session', 'created_at', 'last_used_at', 'proven_at')",
    'a session lasts from now on',
  ),
  without(
    'a link for a new password',
    `within(ONE_TIME_MS.reset, 'one_time', 'expires_at', "purpose = 'reset'")`,
    'links and steps of a sign-in',
  ),
  without(
    'the step of a sign-in before the second factor',
    `within(ONE_TIME_MS['second-factor'], 'one_time', 'expires_at', "purpose = 'second-factor'")`,
    'links and steps of a sign-in',
  ),
  without(
    'a link for the first owner',
    `within(ONE_TIME_MS.setup, 'one_time', 'expires_at', "purpose = 'setup'")`,
    'links and steps of a sign-in',
  ),
  without(
    'an invitation',
    "within(INVITATION_MS, 'invitation', 'expires_at')",
    'links and steps of a sign-in',
  ),
  {
    breaks: 'dated ahead, accounts: what was used once stays used',
    file: CORRECTIONS,
    from: `"purpose = 'reset'"`,
    to: '"TRUE"',
    tests: SQLITE,
    named: 'what was used once stays used',
  },
  without(
    'the last use of a key',
    "happened('api_key', 'created_at', 'last_used_at', 'revoked_at')",
    'the next use of a key',
  ),
  without(
    'the last use of a passkey',
    "happened('passkey', 'created_at', 'last_used_at')",
    'the next use of a key',
  ),
  without(
    'the last use of an identity',
    "happened('identity', 'created_at', 'last_used_at')",
    'the next use of a key',
  ),
  without(
    'since when an endpoint fails',
    "happened('webhook', 'created_at', 'failing_since', 'last_success_at', 'last_failure_at', 'disabled_at')",
    'is corrected when a clock that was ahead is',
  ),
  without('a refusal of the guard', "happened('guard_refusal', 'at')", 'is corrected when a clock'),
  without('a test of a carrier', "happened('carrier_test', 'asked_at')", 'tests of carriers count'),
  without(
    'an alert',
    "happened('alert', 'bad_since', 'firing_since', 'good_since', 'told_at', 'over_at')",
    'alerts go on',
  ),
  without('a letter', "happened('alert_notice', 'at', 'last_try_at', 'sent_at')", 'alerts go on'),
  without(
    'the next try of a letter',
    "within(LONGEST_NOTICE_PAUSE_MS, 'alert_notice', 'due_at')",
    'alerts go on',
  ),
  {
    breaks: 'dated ahead, accounts: the embedded store corrects them',
    file: 'src/store/sqlite/upkeep/clamp-future-times.ts',
    from: "    ...accountCorrections('CAST(:now AS INTEGER)', 'CAST(:now AS INTEGER)'),\n",
    to: '',
    tests: SQLITE,
    named: 'a session lasts from now on',
  },
  {
    breaks: 'dated ahead, accounts: PostgreSQL corrects them',
    file: 'src/store/postgres/upkeep/clamp-future-times.ts',
    from: 'for (const sql of CORRECTIONS)',
    to: 'for (const sql of CORRECTIONS.slice(99))',
    tests: POSTGRES,
    named: 'a session lasts from now on',
  },
  {
    breaks: 'dated ahead, accounts: what a node writes that is ahead a little stays as it is',
    file: 'src/store/postgres/upkeep/clamp-future-times.ts',
    from: 'MAX_OFFSET_MS})',
    to: '0 * MAX_OFFSET_MS})',
    tests: POSTGRES,
    named: 'and people',
  },
  {
    breaks: 'the portal: a proof of the future is none',
    file: 'src/identity/sign-in/session.ts',
    from: ' && provenAt <= now + MAX_AHEAD_MS;',
    to: ';',
    tests: ['src/identity/sign-in/session.test.ts'],
  },
  {
    breaks: 'the portal: what carries its own end is not valid before a clock that was ahead',
    file: 'src/core/accounts/lasting.ts',
    from: ' && endsAt <= now + lasts + MAX_AHEAD_MS;',
    to: ';',
    tests: ['src/identity/sign-in/device.test.ts', 'src/identity/oidc/flow.test.ts'],
  },
  {
    breaks: 'the portal: what another node sealed whose clock is ahead a little is valid',
    file: 'src/core/accounts/lasting.ts',
    from: 'now + lasts + MAX_AHEAD_MS',
    to: 'now + lasts',
    tests: ['src/identity/sign-in/device.test.ts', 'src/identity/oidc/flow.test.ts'],
  },
  {
    breaks: 'the portal: a wait on this node goes by steady time',
    file: 'src/portal/routing/pace.ts',
    from: 'this.#clock.steady()',
    to: 'Date.now()',
    tests: ['src/portal/routing/pace.test.ts'],
  },
  {
    breaks: 'the portal: a refusal is not counted in an entry of the future',
    file: 'src/identity/sign-in/refusals.ts',
    from: 'WHERE id >= $2 AND id < $4 AND',
    to: "WHERE id >= $2 AND $4 <> '' AND",
    tests: ['test/portal/store/stores-signing-in.test.ts'],
    named: 'clock that was ahead',
  },
  {
    breaks: 'the portal: a refusal has an entry, although there is one of the future',
    file: 'src/identity/sign-in/refusals.ts',
    from: ' AND noted.id < $6',
    to: " AND $6 <> ''",
    tests: ['test/portal/store/stores-signing-in.test.ts'],
    named: 'clock that was ahead',
  },
  {
    breaks: 'alerts: refused sign-ins of the future are not of this hour',
    file: 'src/alerts/watch/people.ts',
    from: ' AND at <= CAST($2 AS BIGINT)',
    to: ' AND CAST($2 AS BIGINT) > 0',
    tests: SQLITE,
    named: 'refused sign-ins, new owners',
  },
];
