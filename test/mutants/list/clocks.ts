import type { Mutant } from '../mutant.ts';

const WATCH = ['src/store/watch-clock.test.ts'];
const DATABASE_CLOCK = ['src/store/postgres/connection/clock.test.ts'];

export const CLOCKS: readonly Mutant[] = [
  {
    breaks: 'a clock that was set back has its times put right',
    file: 'src/store/watch-clock.ts',
    from: 'isDue ||= latest - now >= STEP_MS;',
    to: 'isDue ||= step === null;',
    tests: WATCH,
  },
  {
    breaks: 'a clock that was ahead between two looks is seen',
    file: 'src/store/watch-clock.ts',
    from: 'if (now > latest) latest = now;',
    to: '',
    tests: WATCH,
  },
  {
    breaks: 'what a process before left dated ahead is put right at the start',
    file: 'src/store/watch-clock.ts',
    from: 'let isDue = true;',
    to: 'let isDue = false;',
    tests: WATCH,
  },
  {
    breaks: 'times that could not be put right are tried again',
    file: 'src/store/watch-clock.ts',
    from: 'if (isDue) await heal();',
    to: 'if (isDue) await heal().then(() => (isDue = false));',
    tests: WATCH,
  },
  {
    breaks: 'a clock that is behind is as wrong as one that is ahead',
    file: 'src/store/watch-clock.ts',
    from: 'Math.abs(offset) > MAX_OFFSET_MS',
    to: 'offset > MAX_OFFSET_MS',
    tests: WATCH,
  },
  {
    breaks: 'no request is served by a clock that is off from the start',
    file: 'src/store/watch-clock.ts',
    from: '  judge();\n  const looking',
    to: '  const looking',
    tests: WATCH,
  },
  {
    breaks: 'of several first answers of the database the quickest is believed',
    file: 'src/store/postgres/connection/clock.ts',
    from: 'if (next.took < best.took) best = next;',
    to: 'best = next;',
    tests: DATABASE_CLOCK,
  },
  {
    breaks: 'a slow answer of the database does not set the clock',
    file: 'src/store/postgres/connection/clock.ts',
    from: 'if (seen.took <= SLOWEST_MS) this.#last = seen;',
    to: 'this.#last = seen;',
    tests: DATABASE_CLOCK,
  },
  {
    breaks: 'an answer of the database is of the middle of asking',
    file: 'src/store/postgres/connection/clock.ts',
    from: 'at: asked + took / 2',
    to: 'at: asked + took',
    tests: DATABASE_CLOCK,
  },
  {
    breaks: 'between two looks the time of the database goes on with steady time',
    file: 'src/store/postgres/connection/clock.ts',
    from: 'this.#last.said + (performance.now() - this.#last.at)',
    to: 'Date.now()',
    tests: DATABASE_CLOCK,
  },
];
