import type { Ledger } from '../ledger.ts';
import type { Random } from '../random.ts';
import type { Stage } from '../stage.ts';
import { type Crowd, drawPerson, type Person } from './account.ts';
import { visit } from './visit.ts';

export interface Arrivals {
  readonly from: number;
  readonly to: number;
  /** Arrivals in a millisecond at this time; never above the peak. */
  readonly rate: (at: number) => number;
  readonly peak: number;
}

/** People who come independently of each other, more at some times than at others. */
export function arrive(
  { stage, ledger }: { readonly stage: Stage; readonly ledger: Ledger },
  { from, to, rate, peak }: Arrivals,
  random: Random,
  draw: (random: Random) => Person,
): void {
  let at = from;
  function next(): void {
    do at += random.exponential(1 / peak);
    while (at < to && random.next() * peak > rate(at));
    if (at >= to) return;
    stage.at(at, () => {
      next();
      const own = random.fork();
      visit(stage, ledger, draw(own), own);
    });
  }
  next();
}

export interface Rhythm {
  /** How much quieter nights are than days: 0 for not at all, below 1. */
  readonly swing: number;
  /** What Saturdays and Sundays have of other days. */
  readonly weekend: number;
  /** The local hour at which the most people come. */
  readonly noon: number;
}

const HOUR = 3_600_000;

/** Everyday traffic of a crowd: `perDay` on weekdays. */
export function keepComing(
  scene: { readonly stage: Stage; readonly ledger: Ledger },
  crowd: Crowd,
  { from, to, perDay, rhythm }: { from: number; to: number; perDay: number; rhythm: Rhythm },
  random: Random,
): void {
  const mean = perDay / (24 * HOUR);
  const rate = (at: number) => {
    const local = at / HOUR + crowd.land.ahead;
    const isWeekend = [6, 0].includes(new Date(local * HOUR).getUTCDay());
    const day = 1 + rhythm.swing * Math.cos((2 * Math.PI * (local - rhythm.noon)) / 24);
    return mean * day * (isWeekend ? rhythm.weekend : 1);
  };
  const peak = mean * (1 + rhythm.swing) * Math.max(1, rhythm.weekend);
  arrive(scene, { from, to, rate, peak }, random, (own) => drawPerson(crowd, scene.stage.now, own));
}
