/** One place as it is at a moment, and how long evidence lasts. */
import { HALF_LIVES } from '../parameters.ts';

export const SCALES = [0, 1, 2] as const;
export type Scale = (typeof SCALES)[number];

const MS_PER_NAT = HALF_LIVES.map((halfLife) => halfLife / Math.LN2) as [number, number, number];

/** The mean length of a memory, in ms. */
export function memoryOf(scale: Scale): number {
  return MS_PER_NAT[scale];
}

/** One place, read at a moment: all that fades has faded. */
export class Place {
  /** Where it is kept; -1 if it is not. */
  slot = -1;
  /** What its chance is drawn by, while it is closed. */
  lot = 0;
  time = 0;
  /** Codes that had their time to be confirmed, and those confirmed, in each of the three memories. */
  readonly trials: [number, number, number] = [0, 0, 0];
  readonly confirmed: [number, number, number] = [0, 0, 0];
  /** Codes that may yet be confirmed. */
  open = 0;
  /** Above 0 while it is closed. */
  heat = 0;
  probedAt = 0;
  /** Between two requests of its flood, in ms. */
  spacing = 0;
  /** Requests refused since the last probe. */
  waiting = 0;
  /** Failed probes in a row; after it was opened again, that it burnt. */
  failures = 0;
  /** Places closed within it of late. */
  alarms = 0;
  bornAt = 0;

  /** As a place that nothing is known of. */
  clear(now: number): void {
    this.slot = -1;
    this.time = now;
    this.bornAt = now;
    this.trials[0] = 0;
    this.trials[1] = 0;
    this.trials[2] = 0;
    this.confirmed[0] = 0;
    this.confirmed[1] = 0;
    this.confirmed[2] = 0;
    this.open = 0;
    this.heat = 0;
    this.failures = 0;
    this.alarms = 0;
  }

  /** So much was asked for, in all memories. */
  addTrials(weight: number): void {
    this.trials[0] += weight;
    this.trials[1] += weight;
    this.trials[2] += weight;
  }
}
