/**
 * Every figure of the guard, and why it is what it is. They follow from odds and from how telephones are used, and are the
 * same for every country, account and width of range: nothing here was fitted to one kind of traffic.
 */
import { SECOND_MS } from '../core/seams/spans.ts';

const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Evidence is kept in three memories at once, as half-lives: a flood shows within minutes, a campaign within hours, and
 * slow pumping only over days (with half a day it passes).
 */
export const HALF_LIVES: readonly [number, number, number] = [8 * MINUTE_MS, 2 * HOUR_MS, 3 * DAY_MS];

/**
 * How sure a count is to be what is usual: the shape of a negative binomial. Honest traffic is rougher than dice, and what
 * is usual is itself an estimate. A hurried place must convert near normal; over days a place may be poor.
 */
export const STEADINESS: readonly [number, number, number] = [16, 12, 6];

/** Blocks of 10,000 numbers and less are steadier: their people share a carrier, and nothing else could excuse them. */
export const STEADIER_BLOCK = 3;

/**
 * A block of 10,000 is crowded if so much of its block of 100,000 went to it, and one of 100,000 if so much of its country did:
 * people have numbers in many blocks. Fewer codes are no crowd, and countries with shorter numbers (with the plus sign) have
 * few blocks.
 */
export const CROWDED = { share: 0.4, least: 10, shortest: 12 } as const;

/** Ages at which an open code is judged by the share of confirmations that would have come by then; at the last, wholly. */
export const STAGES: readonly [number, number, number] = [20 * SECOND_MS, 60 * SECOND_MS, 240 * SECOND_MS];

/**
 * The share of confirmations that has come by the first two stages before anything is learnt of a country: as slow as slow
 * countries are. Too slow costs a few messages more, too quick refuses people who are about to confirm.
 */
export const BASELINE_BY_STAGE: readonly [number, number] = [0.3, 0.7];

/** What a country's conversion is before anything is learnt; many services see 60 to 85 of 100. */
export const BASELINE_CONVERSION = 0.65;
/** A country that is new is assumed to be so much poorer than the others. */
export const NEW_COUNTRY = 0.8;
/** For how many codes that counts, for the installation and for a country. */
export const BASELINE_WEIGHT = 20;
/** A country may truly be as poor as this; below it nobody would send there. Usual is never learnt lower. */
export const POOREST_CONVERSION = 0.3;
/** Nor higher: one in ten never types a code anywhere. */
export const BEST_CONVERSION = 0.9;
/** A range may be this much poorer than its country (a carrier that delivers badly) and no more. */
export const RANGE_POORER = 0.6;
/** How many codes count for what is usual in a country; older ones fade, so that usual follows the year. */
export const BASELINE_MEMORY = 600;
/** What comes at more than this many times the usual pace teaches so little: an attack must not become usual. */
export const HURRY = 3;
export const HURRIED = 0.1;
/** Numbers of one range of 10,000 teach less the more of them came: a country is usual in many places. */
export const CROWD = 3;

/**
 * Silence must be unlikely by itself too, not only be more than a few confirmations explain. That more came than usual is
 * worth half as much again.
 */
export const CONVERSION_COUNTS = 1.5;

/** The log of the odds at which a place is closed. 1100 to 1: of a thousand places that look so by chance, one is. */
export const CERTAIN = 7;
/** Below this a code teaches what is usual: half way to being certain, or a poor country would never be learnt. */
export const UNSUSPECTED = CERTAIN / 2;
/** Patience lost for each closing in the same account or country (log of their number), and what is left at least. */
export const PATIENCE_LOST = 1.5;
export const LEAST_PATIENCE = 3;
/** What is left of patience where it burnt before: a place that is closed a second time needs less evidence. */
export const BURNT_BEFORE = 2;
/** A place with so many confirmations in days is proven: other places' burning takes no patience from it. */
export const PROVEN = 3;

/** Codes that a new country of a closed pool may have open or silent, beside one for each that was confirmed. */
export const UNTRIED = 1.6;
/** A country converts for an account with at most so many silent people for each who confirmed: 40 of 100 do. */
export const CONVERTING = 1.5;

/** Where nobody confirms, an outage explains as many silent people as usually come, for so long. */
export const LONGEST_OUTAGE = 6 * HOUR_MS;

/** A country has an outage if it is asked for as usual (so much in some ten minutes, and no more) and does not confirm. */
export const OUTAGE = { expected: 4, volume: 1.6, weight: 4 } as const;

/** Closed places: heat is the log of the odds that the flood goes on, as the probes tell. */
export const HEAT = {
  start: 2.8,
  /** A place that burnt before starts so much hotter: more of the probes must then confirm, not just some. */
  relapse: 0.6,
  mostRelapses: 1,
  most: 5,
  /** A confirmed probe: three of four confirm where people live, less than one in five in a flood. */
  confirmed: 1.4,
  /** A probe that nobody confirmed: four of five in a flood, one of four where people live. */
  silent: 1.1,
  /** Heat fades by half: a wide place is judged by today, a narrow range is remembered for days. */
  halfLifeNarrow: 3 * DAY_MS,
  halfLifeWide: 12 * HOUR_MS,
} as const;

/** Probes: the first after a dozen requests of the flood, then ever fewer while they fail; at most one in a hundred. */
export const PROBE = {
  every: 12,
  backOff: 1.4,
  rarest: 100,
  /** At most so often, and at least so often. */
  soonest: 20 * SECOND_MS,
  latestNarrow: 12 * HOUR_MS,
  latestWide: HOUR_MS,
  /** The flood is over where less than this share of it came, in the time of so many of its requests. */
  afterFlood: { requests: 8, share: 0.25, soonest: MINUTE_MS },
  /** How much longer the pause may get from one probe to the next when the flood slows down. */
  stretch: 1.5,
} as const;

/** What is left of a place's unconfirmed codes when it is opened again: not nothing, so that a relapse shows soon. */
export const LEFT_WHEN_OPENED = 0.25;
/** How much of its unconfirmed codes a closed range takes off the wider ranges around it: they are explained. */
export const EXPLAINED = 0.5;

/** Confirmations of the last minutes that open room for more, each for so many. Above 1 / 0.35 - 1, so that it grows. */
export const ROOM_PER_CONFIRMATION = 3;
/** Codes may be open for as much of the usual volume as comes in this time, at ten times the usual pace. */
export const ROOM_FOR_USUAL = 20 * MINUTE_MS;

/** A number that never confirms: so many codes within hours, then none until they fade. */
export const NUMBER = {
  halfLife: 3 * HOUR_MS,
  /** People whose code does not come ask two or three times, seldom five. */
  mostUnconfirmed: 6,
  /** An open code of another account at the same number: for so long it counts as bombing. */
  otherAccountFor: 40 * MINUTE_MS,
  /** A known number is bombed only by so many open codes of several accounts: people use two services within minutes. */
  bombedBy: 1.5,
  /** A repeat within this time is the same intent. */
  sameWishFor: 3 * HOUR_MS,
  /** It counts as so much of a code, a second repeat as the square of that: pumping resends, and so do some people. */
  repeatCounts: 0.5,
  /** A number that confirmed is known for so long. */
  knownFor: 180 * DAY_MS,
} as const;

/**
 * Codes that the client brings, which nobody may confirm here. What tells a pumped range from an office is how many of its numbers
 * are new, and how quickly they came.
 */
export const BROUGHT = {
  /**
   * A range has its room in minutes, and so many times that in hours and in days: a flood is stopped at once, a company of forty
   * whose people sign in for the first time one morning is not.
   */
  rooms: [1, 4, 6],
  /** A number that nothing was sent to yet counts wholly. */
  first: 1,
  /** Tries within this time are those of one person to whom nothing came. */
  sameTryFor: HOUR_MS,
  /** Later codes to a number count so much: people sign in again and again, with the same number. */
  returning: 0.1,
  /** A block of 100,000 has much of its country. Nothing else speaks against it, so it is less than what is `CROWDED`. */
  much: 0.25,
  /** One of a million has nearly all of it: the largest operator of a small country may have half of its people in one. */
  nearlyAll: 0.8,
  /** Numbers of this length (with the plus sign) have dozens of blocks of a million. */
  shortestOfMillions: 13,
} as const;

/** A wrong code counts as so much of an unconfirmed one: people mistype one in ten, and then most of them confirm. */
export const WRONG_CODE = 0.4;
/** For the address that it came from it says more than silence: one in ten of people's, nearly all of a guesser's. */
export const WRONG_CODE_OF_ADDRESS = 1.5;

/** Bounds of memory: places (77 bytes each), numbers (49 bytes), open codes (72 bytes), rounded to powers of two. */
export interface Bounds {
  readonly places: number;
  readonly numbers: number;
  readonly open: number;
}
export const BOUNDS: Bounds = { places: 2 ** 19, numbers: 2 ** 19, open: 2 ** 18 };
/** So many places, and so many numbers, are told to other nodes at a time; what happens at more of them in between is not told. */
export const MOST_CHANGES = 50_000;

export type PlaceKind =
  | 'range3'
  | 'range4'
  | 'range5'
  | 'range6'
  | 'account-country'
  | 'unproven'
  | 'country'
  | 'key'
  | 'account'
  | 'network'
  | 'device';

export interface KindParameters {
  /** For people. */
  readonly label: string;
  /** Unconfirmed codes that nobody wonders about, anywhere: the prior of its count. */
  readonly idle: number;
  /** How many codes may be open before the first is confirmed. */
  readonly room: number;
  /** Wide places are judged by what is some four minutes old, and only where most of their volume is unexplained. */
  readonly wide: boolean;
  /** How many times the explained volume must be unexplained before it closes: wide places hold people too. */
  readonly majority: number;
  /** Whether it may be poorer than its country: carriers are, single blocks of numbers are not. */
  readonly poorer: boolean;
  /** How many times as steady as other places. */
  readonly steadiness: number;
  /** Whether it closes by itself, or only takes patience from others. */
  readonly closes: boolean;
  /** An outage excuses by what is usual as if that was learnt over so long at least, in ms; otherwise over an hour. */
  readonly learntOver?: number;
}

/** Ranges by the last digits left free. Order is from narrow to wide. */
export const KINDS: Readonly<Record<PlaceKind, KindParameters>> = {
  range3: {
    poorer: false,
    steadiness: STEADIER_BLOCK,
    majority: 0,
    label: 'range of 1,000',
    idle: 0.6,
    room: 10,
    wide: false,
    closes: true,
  },
  range4: {
    poorer: false,
    steadiness: STEADIER_BLOCK,
    majority: 0,
    label: 'range of 10,000',
    idle: 0.8,
    room: 14,
    wide: false,
    closes: true,
  },
  range5: {
    poorer: true,
    steadiness: 1,
    majority: 0.5,
    label: 'range of 100,000',
    idle: 1.1,
    room: 20,
    wide: false,
    closes: true,
  },
  range6: {
    poorer: true,
    steadiness: 1,
    majority: 1,
    label: 'range of a million',
    idle: 1.5,
    room: 30,
    wide: false,
    closes: true,
  },
  // A spot on television brings a hundred people in the half minute before the first of them confirms.
  'account-country': {
    poorer: true,
    steadiness: 1,
    majority: 1,
    label: 'country of the account',
    idle: 4,
    room: 60,
    wide: true,
    closes: true,
  },
  unproven: {
    poorer: false,
    steadiness: 1,
    majority: 1,
    label: 'countries where nothing was confirmed yet',
    idle: 3,
    room: 14,
    wide: false,
    closes: true,
  },
  country: {
    poorer: true,
    steadiness: 1,
    majority: 1,
    label: 'country',
    idle: 6,
    room: 150,
    wide: true,
    closes: true,
  },
  key: {
    poorer: true,
    steadiness: 1,
    majority: 1,
    label: 'key',
    idle: 8,
    room: Number.POSITIVE_INFINITY,
    wide: true,
    closes: true,
  },
  account: {
    poorer: false,
    steadiness: 1,
    majority: 1,
    label: 'account',
    idle: 8,
    room: Number.POSITIVE_INFINITY,
    wide: true,
    closes: false,
  },
  // A campus or a carrier's shared address brings many at once; they confirm.
  network: {
    poorer: true,
    steadiness: 1,
    majority: 1,
    label: "client's network",
    idle: 2,
    room: 40,
    wide: false,
    closes: true,
  },
  // One person has it, or a household; farms of telephones change it, and cannot do without any.
  device: {
    poorer: false,
    steadiness: 1,
    majority: 1,
    label: "client's device",
    idle: 2,
    room: 10,
    wide: false,
    closes: true,
  },
};
