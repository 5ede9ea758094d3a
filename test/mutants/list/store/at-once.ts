import type { Mutant } from '../../mutant.ts';

const POSTGRES = { tests: ['test/store/postgres/contract.test.ts'], named: 'store calls at once' };

/** What is carried out together in one statement is judged by the first, or by all, or answered to another. */
export const AT_ONCE: readonly Mutant[] = [
  {
    breaks: 'an earlier hash counts beside calls that have none',
    file: 'src/store/postgres/verifications/issue.ts',
    from: 'calls.some(({ earlierDestinationHashes })',
    to: 'calls.every(({ earlierDestinationHashes })',
    ...POSTGRES,
  },
  {
    breaks: 'a budget holds beside calls that have none',
    file: 'src/store/postgres/verifications/issue.ts',
    from: 'calls.some(({ reservation })',
    to: 'calls.every(({ reservation })',
    ...POSTGRES,
  },
  {
    breaks: 'a code is found by its number, also if it was issued beside others that are not',
    file: 'src/store/postgres/verifications/issue.ts',
    from: 'calls.some(({ byNumber })',
    to: 'calls.every(({ byNumber })',
    ...POSTGRES,
  },
  {
    breaks: 'an Idempotency-Key is heeded beside calls that have none',
    file: 'src/store/postgres/verifications/issue.ts',
    from: 'calls.some(({ idempotency }) => idempotency !== null)',
    to: 'calls.every(({ idempotency }) => idempotency !== null)',
    ...POSTGRES,
  },
  {
    breaks: 'a settlement is answered with its own early receipts',
    file: 'src/store/postgres/messages/settle.ts',
    from: 'outcomes[indexOf(row.call_number)]',
    to: 'outcomes[row.call_number - 1]',
    ...POSTGRES,
  },
  {
    breaks: 'a receipt is answered with its own status',
    file: 'src/store/postgres/messages/receipts.ts',
    from: 'return receiptOutcomeOf(row, receipt);',
    to: 'return confirmOutcomeOf(row, calls[0] ?? receipt);',
    ...POSTGRES,
  },
  {
    breaks: 'a guess is judged within the limits of its own account',
    file: 'src/store/postgres/verifications/confirm.ts',
    from: 'groupOf: ({ guess }: Asked) => limitsGroup(guess)',
    to: "groupOf: () => ''",
    ...POSTGRES,
  },
  {
    breaks: 'a guess for a number is judged within the limits of its own account',
    file: 'src/store/postgres/verifications/by-number.ts',
    from: 'groupOf: limitsGroup',
    to: "groupOf: () => ''",
    ...POSTGRES,
  },
  {
    breaks: 'each lease is renewed by its own fence',
    file: 'src/store/postgres/messages/queue.ts',
    from: 'ours.map(({ fence }) => fence)',
    to: 'ours.map(() => ours[0]?.fence ?? 0)',
    tests: ['test/store/postgres/contract.test.ts'],
    named: 'each lease is renewed by its own fence',
  },
];
