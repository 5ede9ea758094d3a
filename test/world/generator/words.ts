/** Small choices of what is said: verdicts, and what identity systems call their messages. */
import type { Command } from '../command.ts';
import type { Draw } from '../machine/random.ts';
import { NAMES_MESSAGES, SIGNS_TIME, SYSTEMS } from '../model/hooks.ts';
import { one, pick } from './chance.ts';

/** Few, so that a string comes again with the same and with another body, and a number has one code twice. */
export const STRINGS = ['once-1', 'once-2', 'once-3'];

/** Few words, so that the same is said again, and another one. */
export function verdict(draw: Draw, kind: 'feedback' | 'twilio-feedback', key: string, id: number): Command {
  if (kind === 'feedback') return { do: kind, key, id, verdict: one(draw, 2) ? 'fraud' : 'good' };
  const outcome = pick(draw, [undefined, 'confirmed', 'unconfirmed'] as const);
  return { do: kind, key, id, ...(outcome && { outcome }), sid: one(draw, 4) ? 'VE' : 'SM' };
}

/** Now and then one that is not the system. */
export function hook(draw: Draw) {
  const system = pick(draw, SYSTEMS) ?? '';
  const odd = one(draw, 12)
    ? ('forged' as const)
    : one(draw, 12) && SIGNS_TIME.includes(system)
      ? ('late' as const)
      : undefined;
  const once = NAMES_MESSAGES.includes(system) ? { once: pick(draw, STRINGS) ?? '' } : {};
  return { do: 'hook' as const, system, ...once, ...(odd && { odd }) };
}
