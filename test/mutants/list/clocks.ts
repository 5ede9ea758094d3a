import type { Mutant } from '../mutant.ts';

const WATCH = ['src/store/watch-clock.test.ts'];
const LATE = ['src/delivery/late-renewal.test.ts'];
const DATABASE_CLOCK = ['src/store/postgres/connection/clock.test.ts'];

export const CLOCKS: readonly Mutant[] = [
  {
    breaks: 'what failed without another try failed at the time of the database',
    file: 'src/store/postgres/store.ts',
    from: 'settle: createSettle(db, schema, clock),',
    to: 'settle: createSettle(db, schema, { now: db.machine.wall }),',
    tests: ['test/world/histories/channels.test.ts'],
    named: 'what fails once its other channel is gone',
  },
  {
    breaks: 'times are corrected when the clock is set back',
    file: 'src/store/watch-clock.ts',
    from: 'isDue ||= latest - now >= STEP_MS;',
    to: 'isDue ||= step === null;',
    tests: WATCH,
  },
  {
    breaks: 'a clock that was ahead only between two checks is noticed',
    file: 'src/store/watch-clock.ts',
    from: 'if (now > latest) latest = now;',
    to: '',
    tests: WATCH,
  },
  {
    breaks: 'times in the future that an earlier process wrote are corrected at the start',
    file: 'src/store/watch-clock.ts',
    from: 'let isDue = true;',
    to: 'let isDue = false;',
    tests: WATCH,
  },
  {
    breaks: 'a correction of times that failed is tried again',
    file: 'src/store/watch-clock.ts',
    from: 'if (isDue) await clampFutureTimes();',
    to: 'if (isDue) await clampFutureTimes().then(() => (isDue = false));',
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
    breaks: 'a node whose clock is off at the start serves no requests',
    file: 'src/store/watch-clock.ts',
    from: '  judge();\n  const looking',
    to: '  const looking',
    tests: WATCH,
  },
  {
    breaks: 'of the first answers of the database, the quickest is used',
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
    breaks: 'the time of the database counts for the middle of the query',
    file: 'src/store/postgres/connection/clock.ts',
    from: 'at: asked + took / 2',
    to: 'at: asked + took',
    tests: DATABASE_CLOCK,
  },
  {
    breaks: "between two queries the database's time advances with the monotonic clock",
    file: 'src/store/postgres/connection/clock.ts',
    from: 'this.#last.said + (this.steady() - this.#last.at)',
    to: 'Date.now()',
    tests: DATABASE_CLOCK,
  },
  {
    breaks: 'the lease of a new message counts from before the store was asked',
    file: 'src/delivery/dispatcher.ts',
    from: 'this.#one(first, leasedSince)',
    to: 'this.#one(first, leasedSince < 0 ? leasedSince : this.#deps.clock.steady())',
    tests: LATE,
  },
  {
    breaks: 'a clock that was ahead only between two looks is corrected, too',
    file: 'src/store/watch-clock.ts',
    from: 'isDue ||= latest - now >= STEP_MS;',
    to: 'isDue ||= step <= -STEP_MS;',
    tests: WATCH,
  },
  {
    breaks: 'a lease is renewed by the clock of the store',
    file: 'src/delivery/dispatcher.ts',
    from: 'queue.renew(leases, clock.now() + this.#options.lease)',
    to: 'queue.renew(leases, Date.now() + this.#options.lease)',
    tests: LATE,
  },
  {
    breaks: 'an error that a clock dated ahead is old',
    file: 'src/core/sending/carrier-state.ts',
    from: ' && at - now <= MAX_AHEAD_MS',
    to: '',
    tests: ['src/core/sending/carrier-state.test.ts'],
  },
  {
    breaks: 'an error of a clock that was ahead is not written ahead again',
    file: 'src/delivery/health.ts',
    from: 'lastError.at > at)',
    to: 'lastError.at < 0)',
    tests: ['src/delivery/health.test.ts'],
  },
];
