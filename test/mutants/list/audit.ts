/** The audit log: its chain, its end, and what comes into it. */
import type { Mutant } from '../mutant.ts';

export const AUDIT: readonly Mutant[] = [
  {
    breaks: 'of two nodes that shorten an audit log, the slower does not take back how far it went',
    file: 'src/accounts/audit-log/sweep.ts',
    from: 'WHERE account_id = $1 AND removed_seq < CAST($2 AS BIGINT) RETURNING removed_seq',
    to: 'WHERE account_id = $1 RETURNING removed_seq',
    tests: ['test/store/sqlite.test.ts'],
    named: 'the chain of an audit log',
  },
  {
    breaks: 'a password that was refused is in the audit log of the member',
    file: 'src/portal/sign-in/sign-in.ts',
    from: "    else await noteRefusal(records, { personId: person.id, action: 'password.refused', address, at: now });\n",
    to: '',
    tests: ['test/portal/sign-in/device.test.ts'],
    named: 'refused passwords',
  },
];
