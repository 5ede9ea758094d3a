/** The plan of the week: who asks for a code and when, and what becomes of it. */
import { SECOND_MS } from '../core/seams/spans.ts';
import { Chance } from './chance.ts';
import { DEMO_COUNTRIES, drawNumber } from './countries.ts';
import { type Asked, drawFate, drawTrial, type Fate } from './fate.ts';
import { attackOf, drawTime, isDuring, outageOf } from './times.ts';

export interface PlannedCode extends Asked, Fate {
  /** That of staging is a test key. */
  readonly key: 'web' | 'app' | 'staging';
  /** The address of the person's device. */
  readonly ip: string;
}

const SEED = 7;
const CODES = 4_600;
const ATTACK = 320;
const TRIALS = 70;
const VOICE = 0.09;
const APP = 0.4;
const OFFICE_OFFSET = 1;
/** By now each code has been handed to its last carrier. */
const SETTLED_MS = 15 * SECOND_MS;

/** In order of time. Nothing of it is later than `now`. `guesses`: how many one code allows. */
export function planWeek(now: number, guesses: number): readonly PlannedCode[] {
  const chance = new Chance(SEED);
  const outage = outageOf(now);
  const people = DEMO_COUNTRIES.flatMap(({ code: country, share, offset, typed, ranges }) =>
    Array.from({ length: Math.round(share * CODES) }, (): PlannedCode => {
      const at = drawTime(now - SETTLED_MS, offset, chance);
      const channel = chance.happens(VOICE) ? 'voice' : 'sms';
      const asked = { at, country, channel, number: drawNumber(ranges, chance) } as const;
      const fate = drawFate(asked, { typed, isOutage: isDuring(outage, at) }, guesses, chance);
      const key = chance.happens(APP) ? 'app' : 'web';
      return { ...asked, ...fate, key, ip: drawHome(chance) };
    }),
  );
  const planned = [...people, ...planAttack(now, guesses, chance), ...planTrials(now, chance)];
  return planned.map((code) => untilNow(code, now)).sort((a, b) => a.at - b.at);
}

/** Pumping: one number after the other of one range, from a few addresses, and nobody types a code. */
function planAttack(now: number, guesses: number, chance: Chance): PlannedCode[] {
  const { from, to } = attackOf(now);
  const country = 'ID';
  return Array.from({ length: ATTACK }, (_, n): PlannedCode => {
    const at = from + Math.floor(((to - from) * (n + chance.fraction())) / ATTACK);
    const number = `+6284077${String(31_000 + 3 * n).padStart(5, '0')}`;
    const asked = { at, country, number, channel: 'sms' } as const;
    const fate = drawFate(asked, { typed: 0, isOutage: false }, guesses, chance);
    return { ...asked, ...fate, key: 'web', ip: `2001:db8:bad::${1 + (n % 3)}` };
  });
}

function planTrials(now: number, chance: Chance): PlannedCode[] {
  return Array.from({ length: TRIALS }, (): PlannedCode => {
    const at = drawTime(now - SETTLED_MS, OFFICE_OFFSET, chance);
    const asked = { at, country: 'US', number: '+14155550123', channel: 'sms' } as const;
    return { ...asked, ...drawTrial(asked, chance), key: 'staging', ip: drawHome(chance) };
  });
}

/** Of the block that is for documentation (RFC 3849), a network of its own for each. */
const drawHome = ({ below }: Chance): string =>
  `2001:db8:${below(2 ** 16).toString(16)}:${below(2 ** 16).toString(16)}::1`;

/** Without what is still to come. */
function untilNow(code: PlannedCode, now: number): PlannedCode {
  const { attempts, guesses, cancelledAt } = code;
  return {
    ...code,
    attempts: attempts.map(({ receipt, ...attempt }) => {
      return { ...attempt, receipt: receipt !== undefined && receipt.at <= now ? receipt : undefined };
    }),
    guesses: guesses.filter(({ at }) => at <= now),
    cancelledAt: cancelledAt !== undefined && cancelledAt <= now ? cancelledAt : undefined,
  };
}
