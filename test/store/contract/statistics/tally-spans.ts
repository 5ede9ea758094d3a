/** Whenever events were counted and however far they are merged, every span adds up to the same as a plain list of the events. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { LATENCY_BOUNDS, type Tally, type TallyQuery } from '../../../../src/core/counting/tally.ts';
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
  | { readonly do: 'issue'; readonly age: number; readonly many: number; readonly country: string }
  /** Happens to the oldest verification without it, so long after the request; perhaps long after its bucket was merged. */
  | { readonly do: Change; readonly many: number; readonly latency: number }
  /** Steps of merging, perhaps fewer than are due. */
  | { readonly do: 'merge'; readonly steps: number }
  | { readonly do: 'wait'; readonly ms: number };
type Change = 'settle' | 'guess wrong' | 'guess right';

/** Mostly a few hours around the ages at which buckets are merged, so that many events share a bucket. */
const times = fc.oneof(
  fc
    .tuple(fc.constantFrom(0, 1, 59, 60, 61), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 59 }))
    .map(([days, hours, minutes]) => days * DAY + hours * HOUR + minutes * MINUTE),
  fc.integer({ min: 0, max: 130 * DAY }),
);
const many = fc.integer({ min: 1, max: 5 });
const country = fc.constantFrom('DE', 'AT');
const change = fc.constantFrom('settle' as const, 'guess wrong' as const, 'guess right' as const);
const latency = fc.constantFrom(...LATENCY_BOUNDS, 3 * HOUR);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('issue' as const), age: times, many, country }) },
  { weight: 4, arbitrary: fc.record({ do: change, many, latency }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('merge' as const), steps: fc.constantFrom(1, 2, 99) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: times }) },
);

/** The ages of a span's two ends, and how its counts are grouped. */
const question = fc.record({
  ends: fc.tuple(times, times),
  by: fc.constantFrom<TallyQuery['by']>(
    [],
    ['time'],
    ['country'],
    ['time', 'country'],
    ['country', 'carrier', 'key'],
  ),
  step: fc.constantFrom(HOUR, 6 * HOUR, DAY, 4 * DAY),
  account: fc.constantFrom(0, 1),
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
  async check({ ends, by, step, account }: Question): Promise<void> {
    const [early, late] = ends.map((age) => this.now - age).sort((a, b) => a - b);
    const accountId = this.#accounts[account];
    if (early === undefined || late === undefined || accountId === undefined) return;
    // Sums are exact only over whole buckets, in steps no finer than they are.
    const times = mergeTimesAt(this.now);
    const from = startOf(early, widthAt(early, times));
    const width = widthAt(late, times);
    const query = {
      from,
      to: startOf(late + width, width),
      by,
      step: Math.max(step, widthAt(early, times)),
      accountId,
    };
    const tallies = await this.#store.tally(query);
    const counts = tallies.map((tally) => [nameOf(tally), countsIn(tally)] as const);
    assert.deepEqual(new Map(counts), new Map(this.#expected(query)));
    if (by.includes('key')) return;
    const latencies = await this.#store.latencies(query);
    const bins = latencies.map((each) => [`${nameOf(each)} ${each.stage}`, each.bins] as const);
    assert.deepEqual(new Map(bins), new Map(this.#expectedBins(query)));
  }

  async #issue({ age, many, country }: Action & { readonly do: 'issue' }): Promise<void> {
    const createdAt = this.now - age;
    for (let i = 0; i < many; i++) {
      const accountId = this.#accounts[i % 2] ?? '';
      const keyId = `${accountId} ${i % 3}`;
      const expiresAt = createdAt + 4_000 * DAY;
      const of = await issueOne(this.#store, { accountId, keyId, country, createdAt, expiresAt });
      this.#subjects.push({ of, happened: new Set() });
      this.#events.push({ of, carrier: '', measure: 'requested' });
    }
  }

  async #change({ do: change, many, latency }: Action & { readonly do: Change }): Promise<void> {
    const open = this.#subjects.filter(
      ({ happened }) => !happened.has(change) && !happened.has('guess right'),
    );
    for (const { of, happened } of open.slice(0, many)) {
      const at = of.createdAt + latency;
      if (change === 'settle') {
        await this.#store.settle(settlement(of, SUBMITTED, [{ endedAt: at, cost: 7 }]));
        this.#events.push({ of, carrier: 'smsc', measure: 'submitted', latency });
        this.#events.push({ of, carrier: 'smsc', measure: 'cost', amount: 7 });
      } else if (change === 'guess wrong') {
        await this.#store.confirm(guessAt(of, 'wrong', at));
        this.#events.push({ of, carrier: '', measure: 'mismatched' });
      } else {
        await this.#store.confirm(guessAt(of, 'right', at));
        const carrier = happened.has('settle') ? 'smsc' : '';
        this.#events.push({ of, carrier, measure: 'confirmed', latency });
      }
      happened.add(change);
    }
  }

  async #merge(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) if (!(await this.#store.purge(this.now))) return;
  }

  #within({ from, to, accountId }: TallyQuery): Event[] {
    return this.#events.filter(
      ({ of }) => of.createdAt >= from && of.createdAt < to && of.accountId === accountId,
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
  });
}

function nameOf({
  time,
  country,
  carrier,
  keyId,
}: Pick<Tally, 'time' | 'country' | 'carrier' | 'keyId'>): string {
  return [time, country, carrier, keyId].join();
}

function groupOf({ of, carrier }: Event, { by, step = 1 }: TallyQuery): string {
  return nameOf({
    time: by.includes('time') ? startOf(of.createdAt, step) : null,
    country: by.includes('country') ? of.country : null,
    carrier: by.includes('carrier') && carrier !== '' ? carrier : null,
    keyId: by.includes('key') ? of.keyId : null,
  });
}
