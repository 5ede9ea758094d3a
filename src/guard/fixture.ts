/** Small scenes for the tests of the guard: people and bots at given times. */
import type { Ask, GuardJudgement } from './ask.ts';
import { Guard, type GuardOptions } from './guard.ts';
import type { BaselineOf } from './memory/baseline.ts';
import { NumberShare, NumberShares } from './memory/number-shares.ts';
import { PlaceShare, PlaceShares } from './memory/place-shares.ts';
import type { Share } from './sharing.ts';

export const START = Date.UTC(2026, 10, 2);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A share row by row. */
export interface ShareRows {
  readonly places: readonly Omit<PlaceShare, 'setTo'>[];
  readonly numbers: readonly NumberShare[];
  readonly baseline: readonly BaselineOf[];
}

export const NOTHING_SHARED: ShareRows = { places: [], numbers: [], baseline: [] };

export function rowsOf({ places, numbers, baseline }: Share): ShareRows {
  return {
    places: Array.from({ length: places.length }, (_, index) => places.read(index, new PlaceShare())),
    numbers: Array.from({ length: numbers.length }, (_, index) => numbers.read(index, new NumberShare())),
    baseline,
  };
}

export function shareOf({ places, numbers, baseline }: ShareRows): Share {
  const share = { places: new PlaceShares(), numbers: new NumberShares(), baseline };
  for (const place of places) share.places.add(Object.assign(new PlaceShare(), place));
  for (const number of numbers) share.numbers.add(number);
  return share;
}

/** Enough for any of them: the room that a service has takes longer to make than a test to run. */
const ROOM = { places: 2 ** 14, numbers: 2 ** 14, open: 2 ** 14 };

export class Stage {
  readonly guard: Guard;
  now = START;
  #people = 0;

  constructor(options: Partial<GuardOptions> = {}) {
    this.guard = new Guard({ origin: START, bounds: ROOM, ...options });
  }

  ask(destination: string, rest: Partial<Ask> = {}): Ask {
    const who = { account: 'acme', key: 'web', country: 'MA' };
    return { at: this.now, ...who, number: `hash of ${destination}`, destination, ...rest };
  }

  /** Asks, and sends what is allowed. */
  request(destination: string, rest: Partial<Ask> = {}): GuardJudgement {
    const ask = this.ask(destination, rest);
    const judgement = this.guard.judge(ask);
    if (judgement.allow) this.guard.written(this.guard.sent(ask, judgement));
    else this.guard.refused(ask, judgement);
    return judgement;
  }

  /** The client brings a code, which may be confirmed elsewhere, and sends what is allowed. */
  bring(destination: string, rest: Partial<Ask> = {}): GuardJudgement {
    const ask = this.ask(destination, rest);
    const judgement = this.guard.judgeBrought(ask);
    if (judgement.allow) this.guard.written(this.guard.sentBrought(ask));
    return judgement;
  }

  /** A person who asks and, some seconds later, confirms. Whether the code was sent. */
  person(destination: string, rest: Partial<Ask> = {}): boolean {
    const { allow } = this.request(destination, rest);
    this.wait(10 * SECOND);
    if (allow) this.guard.confirmed(this.ask(destination, rest));
    return allow;
  }

  /** Everyday traffic: people all over the country, of whom three in four confirm. How many were sent a code. */
  everyday(count: number, gap: number, rest: Partial<Ask> = {}): number {
    let sent = 0;
    for (let index = 0; index < count; index++) {
      const destination = this.somebody();
      const allowed =
        index % 4 === 3 ? this.request(destination, rest).allow : this.person(destination, rest);
      if (allowed) sent += 1;
      this.wait(gap);
    }
    return sent;
  }

  /** Bots that ask for numbers of one range, one after the other. How many were sent a code. */
  flood(prefix: string, count: number, gap: number, rest: Partial<Ask> = {}): number {
    let sent = 0;
    for (let index = 0; index < count; index++) {
      const free = 13 - prefix.length;
      const destination = prefix + `${index % 10 ** free}`.padStart(free, '0');
      if (this.request(destination, rest).allow) sent += 1;
      this.wait(gap);
    }
    return sent;
  }

  /** A number that nobody has had yet, far from all others. */
  somebody(): string {
    this.#people += 1;
    return `+2126${`${(this.#people * 7_919_123) % 100_000_000}`.padStart(8, '0')}`;
  }

  wait(ms: number): void {
    this.now += ms;
  }
}
