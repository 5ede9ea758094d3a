/** Which carriers of a route have a voice for a call. */
import type { Carrier, Spoken } from '../core/sending/carrier.ts';
import type { Route } from '../core/sending/routing.ts';
import type { RankedCarrier } from './order.ts';

export interface Speakers {
  /** How a carrier would speak a text in the language of a BCP 47 tag; undefined where any will do, or nobody knows. */
  how(carrier: string, locale: string): Spoken;
  /** Whether any carrier of a route of calls would speak at all. */
  serve(route: Route, locale: string): boolean;
  /**
   * Without those that would say nothing, in the same order: one that falls back to English keeps its place. All of them
   * when none would speak, so that each says so.
   */
  keepAble(places: readonly RankedCarrier[], locale: string): readonly RankedCarrier[];
}

export function createSpeakers(carriers: readonly Carrier[]): Speakers {
  const byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));
  const how = (carrier: string, locale: string) => byName.get(carrier)?.speaks?.(locale);
  const speaks = (carrier: string, locale: string) => how(carrier, locale) !== 'not-at-all';
  return {
    how,
    serve: ({ carriers }, locale) => carriers.some((carrier) => speaks(carrier, locale)),
    keepAble(places, locale) {
      const able = places.filter(({ carrier }) => speaks(carrier, locale));
      return able.length > 0 ? able : places;
    },
  };
}
