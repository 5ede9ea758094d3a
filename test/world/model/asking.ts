/** What a request for a code asks for. */
import { NAMES_MESSAGES } from './hooks.ts';
import type { Command, State } from './state.ts';
import { type Channel, type Door, HOOK_KEY, HOOK_REPEAT, MINUTE, NO_KEY, ONCE } from './table.ts';

/** A request for a code, by whichever door it came: one engine is behind all of them (ARCHITECTURE.md). */
export interface Ask {
  readonly door: Door;
  readonly key: string;
  readonly to: string;
  readonly channel: Channel;
  readonly code?: string;
  readonly length?: number;
  readonly once?: string;
  /** The carrier that it is a test of. */
  readonly only?: string;
  /** How long the same is a repetition. */
  readonly repeat: number;
}
export function askOf({ command: it, n }: Command): Ask | undefined {
  if (it.do === 'verify') return { door: 'rest', repeat: ONCE, ...it };
  if (it.do === 'app-start') return { door: 'rest', repeat: ONCE, ...it, once: `page ${n}` };
  const channel = 'sms';
  if (it.do === 'twilio-send')
    return { door: 'twilio', repeat: ONCE, ...it, channel: it.channel === 'call' ? 'voice' : it.channel };
  if (it.do === 'camara-send') return { door: 'camara', repeat: 0, ...it, channel };
  if (it.do === 'test-carrier') return { door: 'portal', repeat: 0, ...it, key: NO_KEY, only: it.carrier };
  if (it.do !== 'hook') return undefined;
  // the same code to the same number is a repetition, or the same name of a message (hooks.md, What holds for all)
  const { to, code, system } = it;
  const names = NAMES_MESSAGES.includes(system);
  const [once, repeat] = names ? [`${system} ${it.once}`, ONCE] : [`${system} ${to} ${code}`, HOOK_REPEAT];
  return { door: 'hook', key: HOOK_KEY, channel, to, code, once, repeat };
}

/** The first request may be under way: it is of the group, or its answer is unknown and its node may have died. */
export function mayBeInProgress(
  s: State,
  command: Command,
  group: readonly Command[],
  place: string,
  same: (it: Command) => boolean,
): boolean {
  if ((s.hanging.get(place) ?? Number.NEGATIVE_INFINITY) > command.at - MINUTE) return true;
  const { n, at, until } = command;
  return group.some((it) => it.n !== n && it.at <= until && it.until >= at && same(it));
}
