/** What the guard promises: nobody pays for an attack, and nobody honest is turned away. */
import type { Mutant } from '../mutant.ts';

const GUARD = ['src/guard/guard.test.ts'];

export const GUARD_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'people who never type their code are explained by those who do',
    file: 'src/guard/evidence.ts',
    from: 'return idle + (confirmed * (1 - conversion)) / conversion + silent;',
    to: 'return idle + silent;',
    tests: ['src/guard/evidence.test.ts'],
  },
  {
    breaks: 'an outage of the rest of the country is none while more come than usual',
    file: 'src/guard/evidence.ts',
    from: 'if (expected < OUTAGE.expected || trials > expected * OUTAGE.volume) return usual;',
    to: '',
    tests: ['src/guard/evidence.test.ts'],
  },
  {
    breaks: 'silence must be unlikely by itself',
    file: 'src/guard/evidence.ts',
    from: 'if (share >= conversion) return 0;',
    to: 'return Number.POSITIVE_INFINITY;',
    tests: ['src/guard/evidence.test.ts'],
  },
  {
    breaks: 'a number under codes from several accounts is refused to all',
    file: 'src/guard/memory/number-table.ts',
    from: 'this.#whole[at + ACCOUNT] = NOBODY;',
    to: '',
    tests: ['src/guard/memory/memory.test.ts', ...GUARD],
  },
  {
    breaks: 'wrong codes count against the address',
    file: 'src/guard/book.ts',
    from: '[NETWORK]: WRONG_CODE_OF_ADDRESS,',
    to: '',
    tests: GUARD,
  },
  {
    breaks: 'confirmed probes open a place',
    file: 'src/guard/closing.ts',
    from: 'place.heat -= HEAT.confirmed;',
    to: '',
    tests: GUARD,
  },
  {
    breaks: 'failing probes become fewer',
    file: 'src/guard/closing.ts',
    from: 'if (wasProbe) place.failures += share;',
    to: 'if (wasProbe) place.failures = 0;',
    tests: GUARD,
  },
  {
    breaks: 'ranges are remembered for days',
    file: 'src/guard/parameters.ts',
    from: '[8 * MINUTE, 2 * HOUR, 3 * DAY]',
    to: '[8 * MINUTE, 2 * HOUR, 2 * HOUR]',
    tests: GUARD,
  },
  {
    breaks: 'what was taken is not told again',
    file: 'src/guard/sharing.ts',
    from: 'this.#bySlot.clear();',
    to: '',
    tests: ['src/guard/sharing.test.ts'],
  },
  {
    breaks: 'a closed place makes room last',
    file: 'src/guard/memory/place-table.ts',
    from: '(closed ? CLOSED_LASTS / TICK : 0)',
    to: '0',
    tests: ['src/guard/memory/memory.test.ts'],
  },
  {
    breaks: 'the plain limits hold in a replay',
    file: 'src/guard/recorded/plain-limits.ts',
    from: 'if (oldest !== undefined && oldest > now - windowMs) return false;',
    to: '',
    tests: ['src/cli/guard/replay.test.ts'],
  },
  {
    breaks: 'a rule of an account cannot undo a refusal that holds for all',
    file: 'src/guard/rules.ts',
    from: "if (general !== undefined && general.action !== 'allow') return general;",
    to: '',
    tests: ['src/guard/rules.test.ts'],
  },
  {
    breaks: 'a rule of an account applies to no other',
    file: 'src/guard/rules.ts',
    from: '(forOne.get(asked.account) ?? NO_RULE)',
    to: 'compileEqual(rules)',
    tests: ['src/guard/rules.test.ts'],
  },
  {
    breaks: 'nodes hear of a change of the rules',
    file: 'src/accounts/guarding/guard-rules.ts',
    from: 'await records.transact([COUNT_UP, add, entry])',
    to: 'await records.transact([add, entry])',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    breaks: 'an account lifts only its own rules',
    file: 'src/accounts/guarding/guard-rules.ts',
    from: 'AND (CAST($2 AS TEXT) IS NULL OR account_id = $2) RETURNING id',
    to: 'AND (TRUE OR account_id = $2) RETURNING id',
    tests: ['test/store/sqlite.test.ts'],
  },
];
