/** What live options say of carriers and their routes, for the world and for the model of the service. */
import type { Channel } from './command.ts';
import type { LiveOptions, Route } from './options.ts';

/** The channels that are offered only while a route serves them. */
export const FURTHER_CHANNELS = ['rcs', 'flashcall'] as const;
/** The carriers that take back what they have not delivered, over RCS. */
const TAKE_BACK: readonly string[] = ['four'];
export const takesBack = (carrier: string): boolean => TAKE_BACK.includes(carrier);

/** Undefined where no route serves the channel. */
export function routeOf({ route, further }: LiveOptions, channel: Channel): Route | undefined {
  return channel === 'rcs' || channel === 'flashcall' ? further?.[channel] : route;
}

/** Each carrier once: it has one price for all channels. */
export function carriersOf(live: LiveOptions): Route {
  const { route, next, further = {} } = live;
  const isRouted = next !== undefined && routeOf(live, next.from) !== undefined;
  const all = [...route, ...(isRouted ? (next.carriers ?? []) : []), ...Object.values(further).flat()];
  return [...new Map(all.map((it) => [it.carrier, it])).values()];
}

/** Whether `then` of a route is one that a configuration may have: no missed call comes later, and somebody is to take it (routing.md). */
export function mayBeNext(live: LiveOptions): boolean {
  const { next } = live;
  if (next === undefined || routeOf(live, next.from) === undefined) return true;
  return next.to !== 'flashcall' && (next.carriers ?? routeOf(live, next.to)) !== undefined;
}

/** The ends of numbers of so many calls of others, which the world chooses: the odd ones first. */
export const endingsOf = (many: number): readonly string[] =>
  Array.from({ length: many }, (_, n) => String(2 * n + 1).padStart(4, '0'));
