/** Codes that clients bring: stopped as floods, and nothing to anybody else. */
import type { Mutant } from '../../mutant.ts';

const BROUGHT = ['src/guard/custom-codes.test.ts'];

export const GUARD_BROUGHT: readonly Mutant[] = [
  {
    breaks: 'a range that is pumped with codes that the client brings is stopped',
    file: 'src/guard/guard.ts',
    from: 'return this.#state.judgeBrought(ask) ?? judgement;',
    to: 'return judgement;',
    tests: BROUGHT,
  },
  {
    breaks: 'a code that the client brings tries no closed place',
    file: 'src/guard/judge-places.ts',
    from: 'learns && isProbeDue(view, wide, now);',
    to: 'isProbeDue(view, wide, now);',
    tests: BROUGHT,
  },
  {
    breaks: 'a code that the client brings closes no place',
    file: 'src/guard/judge-places.ts',
    from: 'if (learns) this.#close(kind, now);',
    to: 'this.#close(kind, now);',
    tests: BROUGHT,
  },
  {
    breaks: 'codes that the client brings are counted apart from the others',
    file: 'src/guard/custom-codes.ts',
    from: 'if (ask === this.#asked) return this.#names;',
    to: 'if (names.tags.length > 0) return names;',
    tests: BROUGHT,
  },
  {
    breaks: 'a number that a client brings a code for is claimed by nobody',
    file: 'src/guard/custom-codes.ts',
    from: 'const NUMBER_SALT = 98;',
    to: 'const NUMBER_SALT = 99;',
    tests: BROUGHT,
  },
  {
    breaks: 'people who come back with the same number are no crowd',
    file: 'src/guard/custom-codes.ts',
    from: 'return now - since < BROUGHT.sameTryFor ? NUMBER.repeatCounts : BROUGHT.returning;',
    to: 'return NUMBER.repeatCounts;',
    tests: BROUGHT,
  },
  {
    breaks: 'a campaign is no crowd where it is spread over a country',
    file: 'src/guard/custom-codes.ts',
    from: ' || sent <= share * around[scale]) continue;',
    to: ') continue;',
    tests: BROUGHT,
  },
  {
    breaks: 'what is confirmed here after all is settled',
    file: 'src/guard/guard-state.ts',
    from: 'if (!isEvidence) this.#brought.settle(',
    to: 'if (isEvidence) this.#brought.settle(',
    tests: BROUGHT,
  },
  {
    breaks: 'a code that the client brought and that was not sent counts nothing',
    file: 'src/guard/custom-codes.ts',
    from: '    this.#take(this.#own(ask, names), weight, at, now);',
    to: '',
    tests: BROUGHT,
  },
  {
    breaks: 'who is refused a code that the client brought does not wait for the probes of others',
    file: 'src/guard/live/live-guard.ts',
    from: "if (judged === 'by-all') guard.refused(ask, judgement);",
    to: 'guard.refused(ask, judgement);',
    tests: ['src/guard/live/live-guard.test.ts'],
  },
];
