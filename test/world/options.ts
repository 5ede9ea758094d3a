/** The options of the simulated service: those that a reload may change, and those that hold for a whole history. */
import type { Channel } from './command.ts';
import type { Lookup } from './lookup.ts';

export type Route = readonly {
  readonly carrier: string;
  readonly price: number;
  /** `dailyCap`: how many messages it takes on one day. */
  readonly cap?: number;
}[];

/** Of an account, by its name here: what holds for its numbers in place of the service's. What is left out is the service's. */
type Ceilings = Readonly<
  Record<string, { readonly sends?: readonly string[]; readonly wrong?: readonly string[] }>
>;

/** What may change by a reload. */
export interface LiveOptions {
  /** `accounts.ID.limits` */
  readonly ceilings?: Ceilings;
  /** `guard.countries`; an empty list allows all. */
  readonly countries: readonly string[];
  /** `dailyCap` of the route of each channel: how many codes go over it on one day. */
  readonly routeCap?: number;
  /** Every destination's route for texts and calls: its carriers in order, each with the price of one message in the currency's units. */
  readonly route: Route;
  /** Those of the channels that are there only while a route serves them. A carrier has one price, in whichever route it is. */
  readonly further?: { readonly rcs?: Route; readonly flashcall?: Route };
  /** How the route of one channel goes on by another one: after so many ms or only then, and by these carriers or by its own route. */
  readonly next?: {
    readonly from: Channel;
    readonly to: Channel;
    readonly after?: number;
    /** None of them is in `route`, where each has another price. */
    readonly carriers?: Route;
  };
  readonly budgets: readonly {
    readonly of: 'installation' | 'account' | 'key' | 'country';
    readonly per: 'hour' | 'day';
    readonly money?: number;
    readonly messages?: number;
  }[];
}

/** The options that hold for a whole history. */
export interface FixedOptions {
  readonly code: { readonly length: number; readonly validFor: number; readonly guesses: number };
  readonly limits: {
    readonly sendsPerDestination: readonly string[];
    readonly failedGuessesPerDestination: readonly string[];
    readonly requestsPerKey: readonly string[];
  };
  /** `retention.verifications` and `retention.events`, in ms. */
  readonly retention: { readonly verifications: number; readonly events: number };
  /** `guard.mode`. The model knows only its rules, and one allows whatever no other rule is about. */
  readonly guard: 'off' | 'enforce';
  /** In order. */
  readonly lookups?: readonly Lookup[];
}
