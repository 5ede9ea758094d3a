/**
 * What was learnt, in a form that can be sent to other nodes and kept for the next start: counts of places by the hash of
 * their name, numbers by an opaque hash, and what is usual by country. No number, no address and no range can be read from it.
 */

import type { BaselineOf } from './memory/baseline.ts';
import type { NumberShares } from './memory/number-shares.ts';
import { memoryOf, type Place, SCALES } from './memory/place.ts';
import type { PlaceShare, PlaceShares } from './memory/place-shares.ts';

export interface Share {
  readonly places: PlaceShares;
  readonly numbers: NumberShares;
  readonly baseline: readonly BaselineOf[];
}

/** Adds what another node saw, faded to the time of the place. What was seen later than that was seen by a clock that is ahead. */
export function absorbInto(place: Place, share: PlaceShare): void {
  const age = Math.max(0, place.time - share.at);
  for (const scale of SCALES) {
    const left = Math.exp(-age / memoryOf(scale));
    place.trials[scale] += share.trials[scale] * left;
    // What is taken back there may not have been told here.
    place.confirmed[scale] = Math.max(0, place.confirmed[scale] + share.confirmed[scale] * left);
  }
  place.alarms += share.alarms * Math.exp(-age / memoryOf(1));
  place.failures = Math.max(place.failures, share.failures);
  place.bornAt = Math.min(place.bornAt, share.bornAt);
  if (share.heat === undefined) return;
  if (share.heat > 0 && place.heat === 0) place.probedAt = Math.min(share.at, place.time);
  place.heat = share.heat === 0 ? 0 : Math.max(place.heat, share.heat);
  place.spacing = place.spacing === 0 ? share.spacing : Math.min(place.spacing, share.spacing);
}
