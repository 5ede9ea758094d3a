/** Where the guard only observes. */
import type { Mutant } from '../../mutant.ts';

export const GUARD_OBSERVING: readonly Mutant[] = [
  {
    breaks: 'a repetition is no observed refusal',
    file: 'src/guard/live/live-guard.ts',
    from: 'observed = refused;',
    to: 'refused();',
    tests: ['src/guard/live/live-guard.test.ts'],
  },
  {
    breaks: "the operator's rules hold in every mode, because they are decisions and not guesses",
    file: 'src/guard/live/live-guard.ts',
    from: "mode === 'enforce' || judgement.isDecided === true",
    to: "mode === 'enforce'",
    tests: ['src/guard/live/live-guard.test.ts'],
  },
  {
    breaks: 'what another version wrote is not read',
    file: 'src/guard/live/encoding.ts',
    from: 'bytes[0] !== VERSION || ',
    to: '',
    tests: ['src/guard/live/encoding.test.ts'],
  },
  {
    breaks: 'a code is judged as of when it was due',
    file: 'src/guard/open-codes.ts',
    from: 'this.#judgeNext(next, due);',
    to: 'this.#judgeNext(next, now);',
    tests: ['src/guard/confirming-all.test.ts'],
  },
  {
    breaks: 'an hour of confirmations excuses a crowd no longer than it came',
    file: 'src/guard/judge-places.ts',
    from: '  learntOver: LONGEST_OUTAGE,\n',
    to: '',
    tests: ['test/guard/ours.test.ts'],
    named: 'faked-30',
  },
];
