/** By which channels codes are asked for, which routes serve them, and how those go on. */
import type { Channel } from '../command.ts';
import type { Draw } from '../machine/random.ts';
import { liveNow, type State } from '../model/state.ts';
import { SECOND } from '../model/table.ts';
import type { LiveOptions } from '../options.ts';
import { FURTHER_CHANNELS, routeOf } from '../routes.ts';
import { one, pick } from './chance.ts';

type Next = NonNullable<LiveOptions['next']>;
type Further = NonNullable<LiveOptions['further']>;

/** Shorter than any code is valid. */
const AFTER = [5 * SECOND, 20 * SECOND, 20 * SECOND, 50 * SECOND];
const THIRD = [{ carrier: 'three', price: 0.2 }];
/** The first of them takes back what it has not delivered. */
export const FOUR = { carrier: 'four', price: 0.02 };
export const FIVE = { carrier: 'five', price: 0.03 };

/** Routes of RCS, of missed calls, or of both. */
export function someFurther(draw: Draw): Further {
  const rcs = pick(draw, [[FOUR], [FOUR], [FIVE], [FOUR, FIVE], [FIVE, FOUR]]) ?? [FOUR];
  const flashcall = pick(draw, [[FIVE], [FOUR, FIVE]]) ?? [FIVE];
  return pick(draw, [{ rcs }, { flashcall }, { rcs, flashcall }]) ?? {};
}

/** Mostly by a text or a call, and seldom as no configuration may have it. */
const WAYS: readonly (readonly [from: Channel, to: Channel])[] = [
  ...(['sms', 'sms', 'sms'] as const).map((from) => [from, 'voice'] as const),
  ...[['voice', 'sms'] as const, ['sms', 'rcs'] as const, ['sms', 'flashcall'] as const],
  ...(['sms', 'sms', 'sms', 'sms', 'voice'] as const).map((to) => ['rcs', to] as const),
  ...(['sms', 'sms', 'voice', 'rcs'] as const).map((to) => ['flashcall', to] as const),
];

/** How a route goes on: by carriers of the second channel’s own route as often as by another one; in time, or only after a failure. */
export function drawNext(draw: Draw, live: Pick<LiveOptions, 'route' | 'further'>): Next {
  const isServed = (channel: Channel) =>
    routeOf({ ...live, countries: [], budgets: [] }, channel) !== undefined;
  const [from, to] = pick(draw, WAYS, (way) => isServed(way[0])) ?? ['sms', 'voice'];
  const after = one(draw, 3) ? {} : { after: pick(draw, AFTER) ?? 0 };
  const carriers = one(draw, 2) ? {} : { carriers: one(draw, 4) ? [FOUR] : THIRD };
  return { from, to, ...after, ...carriers };
}

/** One that is offered, or now and then another one. */
export function anyChannel(s: State, draw: Draw): Channel {
  const live = liveNow(s);
  const isOffered = (channel: Channel) => routeOf(live, channel) !== undefined || one(draw, 8);
  const further = !one(draw, 3) ? pick(draw, FURTHER_CHANNELS, isOffered) : undefined;
  return further ?? (one(draw, 4) ? 'voice' : 'sms');
}
