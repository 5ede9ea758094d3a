/** The audit log: its chain, its end, and what comes into it. */
import type { Mutant } from '../mutant.ts';

export const AUDIT: readonly Mutant[] = [
  {
    breaks: 'of two nodes that shorten an audit log, the slower does not take back how far it went',
    file: 'src/accounts/audit-log/sweep.ts',
    from: 'WHERE account_id = $1 AND removed_seq < CAST($2 AS BIGINT) RETURNING removed_seq',
    to: 'WHERE account_id = $1 RETURNING removed_seq',
    tests: ['test/store/sqlite.test.ts'],
    named: 'audit log',
  },
  {
    breaks: 'what is gone from an audit log is shown to have been old',
    file: 'src/accounts/audit-log/verify.ts',
    from: ' ?? this.#judgeAge(removed, removedEntry);',
    to: ';',
    tests: ['test/store/sqlite.test.ts'],
    named: 'audit log',
  },
  {
    breaks: 'what shows the age of an entry is what its hash is of',
    file: 'src/core/accounts/audit-chain.ts',
    from: "if (hash('sha256', text) !== link.hash) return undefined;",
    to: '',
    tests: ['test/store/sqlite.test.ts'],
    named: 'audit log',
  },
  {
    breaks: 'a young entry is not deleted with age',
    file: 'src/accounts/audit-log/verify.ts',
    from: 'if (at <= this.#keptSince) return undefined;',
    to: 'if (at >= 0) return undefined;',
    tests: ['test/store/sqlite.test.ts'],
    named: 'audit log',
  },
  {
    breaks: 'a noted entry that is gone is missed',
    file: 'src/accounts/audit-log/verify.ts',
    from: '(this.#noted?.at ?? 0) > this.#keptSince',
    to: '(this.#noted?.at ?? 0) < 0',
    tests: ['test/store/sqlite.test.ts'],
    named: 'audit log',
  },
  {
    breaks: 'a password that was refused is in the audit log of the member',
    file: 'src/identity/sign-in/sign-in.ts',
    from: "    else await noteRefusal(records, { personId: person.id, action: 'password.refused', address, at: now });\n",
    to: '',
    tests: ['test/portal/sign-in/device.test.ts'],
    named: 'refused passwords',
  },
];
