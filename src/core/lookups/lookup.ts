/** The port of look-ups: providers that are asked about a number, for money, before a code is sent to it. */
import type { NumberFact, NumberFacts } from './facts.ts';

export interface NumberQuestion {
  /** In E.164. */
  readonly number: string;
  /** Undefined if nobody wants to know. */
  readonly swappedWithinHours: number | undefined;
  /** The same. */
  readonly portedWithinHours: number | undefined;
  /** When the account last confirmed the number, Unix ms; undefined if it never did, or nobody wants to know. */
  readonly confirmedAt: number | undefined;
}

/** `failed`: there was no answer. An answer that lacks a fact is none: the provider does not know. */
export type NumberAnswer = NumberFacts | 'failed';

export interface NumberLookup {
  readonly name: string;
  /** Of one question, in millionths of the currency. */
  readonly price: number;
  /** Whether a code is refused when there was no answer. */
  readonly failsClosed: boolean;
  readonly tells: ReadonlySet<NumberFact>;
  /** What is known without asking: an answer of lately, or that there would be none now. `of` is the keyed hash of the number. */
  recall(of: string, question: NumberQuestion): NumberAnswer | undefined;
  /** Undefined while it would not answer: who gets none pays for nothing. */
  permit(): LookupPermit | undefined;
}

/** Leave to ask once. It is used or given back: of a provider that was away, one asks for all. */
export interface LookupPermit {
  /** Asks, and remembers the answer. Never rejects. */
  ask(of: string, question: NumberQuestion): Promise<NumberAnswer>;
  giveBack(): void;
}

/** What people may see of one: never how it is reached. */
export interface ShownLookup extends Pick<NumberLookup, 'name' | 'price' | 'failsClosed' | 'tells'> {
  /** Those whose numbers it is asked about; undefined for all. */
  readonly countries: readonly string[] | undefined;
}

export interface Lookups {
  readonly all: readonly ShownLookup[];
  /** In the order of the configuration: those that are for numbers of the country, and can tell any of these facts. */
  that(country: string, wanted: readonly NumberFact[]): readonly NumberLookup[];
  /** Runs one at a time for each number, so that whoever comes meanwhile finds what the first was answered. */
  inTurn<T>(of: string, run: () => Promise<T>): Promise<T>;
}
