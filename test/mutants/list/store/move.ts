import type { Mutant } from '../../mutant.ts';

const STATE = ['test/store/move-state.test.ts'];

export const MOVE: readonly Mutant[] = [
  {
    breaks: 'sends that count against a limit of an account move',
    file: 'src/store/move/tables.ts',
    from: 'longestWindow(limits.sendsPerDestination)',
    to: 'Math.max(...limits.sendsPerDestination.map(({ windowMs }) => windowMs))',
    tests: STATE,
    named: 'limits, guesses',
  },
  {
    breaks: 'failed guesses that count against a limit of an account move',
    file: 'src/store/move/tables.ts',
    from: 'longestWindow(limits.failedGuessesPerDestination)',
    to: 'Math.max(...limits.failedGuessesPerDestination.map(({ windowMs }) => windowMs))',
    tests: STATE,
    named: 'limits, guesses',
  },
  {
    breaks: 'a failed guess from a rotation of the secret moves once under each hash',
    file: 'src/store/move/tables.ts',
    from: '(id IS NULL OR failed_guess.destination_hash = verification.destination_hash)',
    to: 'true',
    tests: STATE,
    named: 'while a secret is rotated',
  },
];
