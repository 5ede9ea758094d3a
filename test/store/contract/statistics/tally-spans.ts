/** Whenever events were counted and however far they are merged, every span adds up to the same as a plain list of the events. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  LATENCY_BOUNDS,
  type Tally,
  type TallyDimension,
  type TallyQuery,
} from '../../../../src/core/counting/tally.ts';
import { mergeTimesAt, startOf, widthAt } from '../../../../src/core/counting/tally-resolution.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  HOUR,
  issueOne,
  LAX,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  openFor,
  SUBMITTED,
  settlement,
  unique,
} from '../rig.ts';
import { countsIn } from './counting.ts';

const START = Date.UTC(2026, 10, 20, 7, 5);
const RULES = { ...LAX, retention: { ...LAX.retention, verifications: 3_000 * DAY } };

type Action =
  /** Some verifications at once, so long ago. */
  | ({ readonly do: 'issue'; readonly age: number; readonly many: number } & Cohort)
  /** Happens to the oldest verification without it, so long after the request; perhaps long after its bucket was merged. */
  | { readonly do: Change; readonly many: number; readonly latency: number; readonly carrier: string }
  /** Steps of merging, perhaps fewer than are due. */
  | { readonly do: 'merge'; readonly steps: number }
  | { readonly do: 'wait'; readonly ms: number };
type Change = 'settle' | 'guess wrong' | 'guess right';
type Cohort = Pick<NewVerification, 'test' | 'channel' | 'country'>;

/** Mostly a few hours around the ages at which buckets are merged, so that many events share a bucket. */
const times = fc.oneof(
  fc
    .tuple(fc.constantFrom(0, 1, 59, 60, 61), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 59 }))
    .map(([days, hours, minutes]) => days * DAY + hours * HOUR + minutes * MINUTE),
  fc.integer({ min: 0, max: 130 * DAY }),
);
const many = fc.integer({ min: 1, max: 5 });
const isTest = fc.boolean();
const channel = fc.constantFrom('sms' as const, 'voice' as const);
const country = fc.constantFrom('DE', 'AT');
const carrier = fc.constantFrom('a', 'b');
const KEYS = 3;
const key = fc.nat({ max: KEYS - 1 });
const change = fc.constantFrom('settle' as const, 'guess wrong' as const, 'guess right' as const);
const latency = fc.constantFrom(...LATENCY_BOUNDS, 3 * HOUR);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant('issue' as const), age: times, many },
      ...{ test: isTest, channel, country },
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: change, many, latency, carrier }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('merge' as const), steps: fc.constantFrom(1, 2, 99) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: times }) },
);

const DIMENSIONS: readonly TallyDimension[] = ['time', 'channel', 'country', 'carrier', 'key'];

/** The ages of a span's two ends, which counts are asked for, and how they are grouped. */
const question = fc.record({
  ends: fc.tuple(times, times),
  by: fc.subarray([...DIMENSIONS]),
  step: fc.constantFrom(HOUR, 6 * HOUR, DAY, 4 * DAY),
  account: fc.constantFrom(0, 1),
  only: fc.record({ test: isTest, channel, country, carrier, key }, { requiredKeys: [] }),
});
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

interface Event {
  readonly of: NewVerification;
  readonly carrier: string;
  readonly measure: 'requested' | 'submitted' | 'cost' | 'mismatched' | 'confirmed';
  readonly amount?: number;
  /** Only for events that have one. */
  readonly latency?: number;
}

interface Subject {
  readonly of: NewVerification;
  readonly happened: Set<Change>;
  /** The one that took the message. */
  carrier: string;
}

class Run {
  now = START;
  readonly #store: Store;
  readonly #accounts = [unique('acc'), unique('acc')];
  readonly #subjects: Subject[] = [];
  readonly #events: Event[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async take(action: Action): Promise<void> {
    if (action.do === 'wait') this.now += action.ms;
    else if (action.do === 'merge') await this.#merge(action.steps);
    else if (action.do === 'issue') await this.#issue(action);
    else await this.#change(action);
  }

  /** Compares the store with the list of events. */
  async check({ ends, by, step, account, only: { key, ...only } }: Question): Promise<void> {
    const [early, late] = ends.map((age) => this.now - age).sort((a, b) => a - b);
    const accountId = this.#accounts[account];
    if (early === undefined || late === undefined || accountId === undefined) return;
    // Sums are exact only over whole buckets, in steps no finer than they are.
    const times = mergeTimesAt(this.now);
    const from = startOf(early, widthAt(early, times));
    const width = widthAt(late, times);
    const query: TallyQuery = {
      from,
      to: startOf(late + width, width),
      by,
      step: Math.max(step, widthAt(early, times)),
      accountId,
      ...only,
      ...(key !== undefined && { keyId: keyOf(accountId, key) }),
    };
    const tallies = await this.#store.tally(query);
    const counts = tallies.map((tally) => [nameOf(tally), countsIn(tally)] as const);
    assert.deepEqual(new Map(counts), new Map(this.#expected(query)));
    if (by.includes('key') || key !== undefined) return;
    const latencies = await this.#store.latencies(query);
    const bins = latencies.map((each) => [`${nameOf(each)} ${each.stage}`, each.bins] as const);
    assert.deepEqual(new Map(bins), new Map(this.#expectedBins(query)));
    const stage = 'confirmed';
    const confirmed = latencies.filter((each) => each.stage === stage);
    assert.deepEqual(await this.#store.latencies({ ...query, stage }), confirmed);
  }

  async #issue({ do: _, age, many, ...cohort }: Action & { readonly do: 'issue' }): Promise<void> {
    const createdAt = this.now - age;
    // Together, as requests come; each has its own times.
    await Promise.all(
      Array.from({ length: many }, async (_, i) => {
        const accountId = this.#accounts[i % 2] ?? '';
        const keyId = keyOf(accountId, i % KEYS);
        const expiresAt = createdAt + 4_000 * DAY;
        const of = await issueOne(this.#store, { accountId, keyId, ...cohort, createdAt, expiresAt });
        this.#subjects.push({ of, happened: new Set(), carrier: '' });
        this.#events.push({ of, carrier: '', measure: 'requested' });
      }),
    );
  }

  async #change({ do: change, many, latency, carrier }: Action & { readonly do: Change }): Promise<void> {
    const open = this.#subjects.filter(
      ({ happened }) => !happened.has(change) && !happened.has('guess right'),
    );
    await Promise.all(
      open.slice(0, many).map(async (subject) => {
        const { of, happened } = subject;
        const at = of.createdAt + latency;
        if (change === 'settle') {
          await this.#store.settle(settlement(of, SUBMITTED, [{ carrier, endedAt: at, cost: 7 }]));
          subject.carrier = carrier;
          this.#events.push({ of, carrier, measure: 'submitted', latency });
          this.#events.push({ of, carrier, measure: 'cost', amount: 7 });
        } else if (change === 'guess wrong') {
          await this.#store.confirm(guessAt(of, 'wrong', at));
          this.#events.push({ of, carrier: '', measure: 'mismatched' });
        } else {
          await this.#store.confirm(guessAt(of, 'right', at));
          this.#events.push({ of, carrier: subject.carrier, measure: 'confirmed', latency });
        }
        happened.add(change);
      }),
    );
  }

  async #merge(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) if (!(await this.#store.purge(this.now))) return;
  }

  #within(query: TallyQuery): Event[] {
    const { from, to } = query;
    return this.#events.filter(
      ({ of, carrier }) =>
        of.createdAt >= from &&
        of.createdAt < to &&
        OF_COHORT.every((name) => query[name] === undefined || query[name] === of[name]) &&
        (query.carrier === undefined || query.carrier === carrier),
    );
  }

  #expected(query: TallyQuery): [string, Record<string, number>][] {
    const groups = Map.groupBy(this.#within(query), (event) => groupOf(event, query));
    return [...groups].map(([group, events]) => {
      const measures = Map.groupBy(events, ({ measure }) => measure);
      const sum = (each: readonly Event[]) => each.reduce((total, { amount = 1 }) => total + amount, 0);
      return [group, Object.fromEntries([...measures].map(([measure, each]) => [measure, sum(each)]))];
    });
  }

  #expectedBins(query: TallyQuery): [string, number[]][] {
    const timed = this.#within(query).filter(({ latency }) => latency !== undefined);
    const groups = Map.groupBy(timed, (event) => `${groupOf(event, query)} ${event.measure}`);
    return [...groups].map(([group, events]) => {
      const bins = Map.groupBy(events, ({ latency = 0 }) => BOUNDS.findIndex((bound) => latency <= bound));
      return [group, BOUNDS.map((_, bin) => bins.get(bin)?.length ?? 0)];
    });
  }
}

const BOUNDS = [...LATENCY_BOUNDS, Number.POSITIVE_INFINITY];
const OF_COHORT = ['accountId', 'test', 'channel', 'country', 'keyId'] as const;
const keyOf = (accountId: string, key: number): string => `${accountId} ${key}`;

/** What happens at each of these ages. */
const AGES = [62 * DAY + 5 * HOUR, 61 * DAY, 59 * DAY, DAY, 3 * HOUR, MINUTE, 0];
const EVERYTHING: readonly Action[] = AGES.flatMap((age): Action[] => [
  ...(['sms', 'voice'] as const).flatMap((channel) =>
    ['DE', 'AT'].map(
      (country): Action => ({ do: 'issue', age, many: 2 * KEYS, test: age === 3 * HOUR, channel, country }),
    ),
  ),
  ...['a', 'b'].map((carrier): Action => ({ do: 'settle', many: 10, latency: 400, carrier })),
  { do: 'guess wrong', many: 5, latency: 9_000, carrier: '' },
  { do: 'guess right', many: 12, latency: 20_000, carrier: '' },
]);
const ONLY = { channel: 'sms', country: 'DE', carrier: 'a', key: 1 } as const;
const FILTERS = ['channel', 'country', 'carrier', 'key'] as const;

/** Each choice of some of them. */
const choicesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: 2 ** all.length }, (_, choice) => all.filter((__, n) => (choice & (1 << n)) !== 0));

/** Live traffic, with these filters. */
const onlyBy = (names: readonly (typeof FILTERS)[number][]): Question['only'] => ({
  test: false,
  ...(names.includes('channel') && { channel: ONLY.channel }),
  ...(names.includes('country') && { country: ONLY.country }),
  ...(names.includes('carrier') && { carrier: ONLY.carrier }),
  ...(names.includes('key') && { key: ONLY.key }),
});

export function describeTallySpans(open: OpenStore): void {
  suite('spans of tallies', () => {
    test('add up to what happened in them, however far it was merged', async (t) => {
      const opened: OpenedStore = await openFor(t, open, RULES);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(action, question), { minLength: 10, maxLength: 60, size: 'max' }),
          async (script) => {
            const run = new Run(opened.store);
            for (const [each, asked] of script) {
              await run.take(each);
              await run.check(asked);
            }
          },
        ),
        { numRuns: 10, endOnFailure: true },
      );
    });

    test('add up to the same by any dimensions and for any', async (t) => {
      const { store } = await openFor(t, open, RULES);
      const run = new Run(store);
      for (const action of EVERYTHING) await run.take(action);
      await run.take({ do: 'merge', steps: 99 });
      for (const by of choicesOf(DIMENSIONS)) {
        // By the day over everything, and by the hour over what is kept in hours.
        const days = { age: 365 * DAY, step: DAY };
        const hours = { age: 59 * DAY, step: HOUR };
        for (const { age, step } of by.includes('time') ? [days, hours] : [days]) {
          for (const names of [[], ...FILTERS.map((name) => [name]), FILTERS]) {
            await run.check({ ends: [age, 0], by, step, account: 0, only: onlyBy(names) });
          }
        }
      }
    });
  });
}

function nameOf({
  time,
  channel,
  country,
  carrier,
  keyId,
}: Pick<Tally, 'time' | 'channel' | 'country' | 'carrier' | 'keyId'>): string {
  return [time, channel, country, carrier, keyId].join();
}

function groupOf({ of, carrier }: Event, { by, step = 1 }: TallyQuery): string {
  return nameOf({
    time: by.includes('time') ? startOf(of.createdAt, step) : null,
    channel: by.includes('channel') ? of.channel : null,
    country: by.includes('country') ? of.country : null,
    carrier: by.includes('carrier') && carrier !== '' ? carrier : null,
    keyId: by.includes('key') ? of.keyId : null,
  });
}
