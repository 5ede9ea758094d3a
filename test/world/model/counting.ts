import type { LiveOptions } from '../options.ts';
import { inEffect, must } from './common.ts';
import type { Command, Counted, Settings, Since, Span, State, Verification } from './state.ts';
import { listOf, liveNow, places } from './state.ts';
import { type Rate, rateOf } from './table.ts';

export interface Limit extends Rate {
  /** How many surely count, and how many may. */
  readonly count: { readonly least: number; readonly most: number };
  /** When it surely lets nothing through before. */
  readonly until: number;
}
const ALL = Number.NEGATIVE_INFINITY;
export function limit(rate: string, events: readonly Counted[], now: Span): Limit {
  const { most, window } = rateOf(rate);
  const sure = events.filter((it) => it.sure && now.until - it.at < window);
  const possible = events.filter((it) => now.at - it.until < window).length;
  const until = (sure.at(-most)?.at ?? ALL) + window;
  return { most, window, count: { least: sure.length, most: possible }, until };
}
export const mayBeFull = (limits: readonly Limit[]): boolean => limits.some((it) => it.count.most >= it.most);
export const isFull = (limits: readonly Limit[]): boolean => limits.some((it) => it.count.least >= it.most);

/** Requests with a key for codes, or for what became of them (api.md, Limits). */
export const limitsOfKey = (s: State, key: string, now: Span): readonly Limit[] =>
  s.fixed.limits.requestsPerKey.map((it) => limit(it, s.requests.get(key) ?? [], now));
export const spend = (s: State, key: string, { at, until }: Span, sure: boolean): unknown =>
  listOf(s.requests, key).push({ at, until, sure });

/** The settings that may be in effect; those of the last second, too. */
export const settingsOf = (s: State, account: string, now: Span): readonly Settings[] =>
  inEffect(s.settings.get(account) ?? [], now);

/** Whether the codes of an account are found by their number: at the doors that ask so (twilio.md; camara.md). */
export const isByNumber = ({ twilio, camara }: Settings): boolean => twilio || camara;

/** What no number of an account goes beyond: the service's limits, or what the operator set in their place (keys.md, More for one account). */
export function ceilingOf(
  { fixed: { limits } }: Pick<State, 'fixed'>,
  { ceilings }: LiveOptions,
  account: string,
  what: 'sends' | 'wrong',
): readonly string[] {
  const { sendsPerDestination, failedGuessesPerDestination } = limits;
  return (
    ceilings?.[account]?.[what] ?? (what === 'sends' ? sendsPerDestination : failedGuessesPerDestination)
  );
}

/**
 * The ceiling of a destination and the limits of its account: both apply, and new ones count what was before they were set, too (keys.md,
 * Settings of an account).
 */
export function limitsOfNumber(
  s: State,
  what: 'sends' | 'wrong',
  v: Pick<Verification, 'account' | 'test' | 'to'>,
  now: Span,
  settings: Settings,
  /** What counts for a moment only. */
  beside: readonly Counted[] = [],
): readonly Limit[] {
  if (v.test) return []; // api.md, Test keys
  const ceiling = ceilingOf(s, liveNow(s), v.account, what);
  const counted = what === 'sends' ? s.sends : s.guesses;
  const events = [...(counted.get(places(v)) ?? []), ...beside];
  return [...ceiling, ...settings[what]].map((it) => limit(it, events, now));
}

/** From when on it has been like this without a break. */
export function since<T>(changes: readonly Since<T>[], holds: (value: T) => boolean): number {
  const broken = changes.findLastIndex((it) => !holds(it.value));
  return (changes[broken + 1] ?? changes.at(-1))?.until ?? ALL;
}

/** RateLimit-Policy names the limit that refused (api.md; keys.md, Settings); the façade documents only Retry-After. */
export function namesLimit(
  command: Command,
  /** As they may be in effect. */
  either: readonly (readonly Limit[])[],
  page: string,
): void {
  const [first, ...others] = either.map((limits) => misnamed(command, limits));
  must(first === undefined || others.includes(undefined), `${first} (${page})`);
}
function misnamed({ until, answer: { headers } }: Command, limits: readonly Limit[]): string | undefined {
  const { 'ratelimit-policy': policy = '', 'retry-after': after, ratelimit } = headers;
  const full = limits.filter((it) => it.count.most >= it.most);
  const named = [...policy.matchAll(/q=(\d+);w=(\d+)/g)].map(([, q, w]) => `${q}/${w}`);
  const is = full.some((it) => named.includes(`${it.most}/${Math.ceil(it.window / 1000)}`));
  if (!is || ratelimit === undefined) return `RateLimit-Policy names no limit that is reached: ${policy}`;
  const longest = Math.ceil(Math.max(...full.map((it) => it.window)) / 1000);
  const early = full.some((it) => it.until - until > Number(after) * 1000);
  if (early) return `Retry-After ${after} ends before the limit lets anything through`;
  return Number(after) > longest ? `Retry-After ${after} is longer than the limit's window` : undefined;
}
