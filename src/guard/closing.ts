/** Places that are closed: how they are probed, and how what becomes of the probes keeps them closed or opens them. */
import type { Tried } from './ask.ts';
import { chance } from './memory/hash.ts';
import { memoryOf, type Place, SCALES } from './memory/place.ts';
import { PLACE_TICK } from './memory/place-table.ts';
import { HEAT, LEFT_WHEN_OPENED, PROBE } from './parameters.ts';

export function isClosed(place: Place): boolean {
  return place.heat > 0;
}

/** Closes a place. The pace of its flood, which paces the probes, is the quickest that any memory saw. */
export function close(place: Place, now: number): void {
  const age = now - place.bornAt + PROBE.soonest;
  const paces = SCALES.map(
    (scale) => Math.min(memoryOf(scale), age) / (place.trials[scale] + place.open + 1),
  );
  // Who was let in again and burnt again has to show more.
  place.heat = HEAT.start * (1 + HEAT.relapse * Math.min(place.failures, HEAT.mostRelapses));
  place.spacing = Math.min(...paces);
  place.probedAt = now;
  place.waiting = 0;
}

/** Whether the next request may pass as a probe. Its moment is drawn, so that nobody can wait for it. */
export function isProbeDue(place: Place, wide: boolean, now: number): boolean {
  const drawn = 0.5 + chance(place.lot, Math.floor(place.probedAt));
  const elapsed = (now - place.probedAt) / drawn;
  return elapsed >= pauseOf(place, wide) || isFloodOver(place, elapsed);
}

/** Whether far fewer came since the last probe than the flood would have brought: those who come now are others. */
function isFloodOver({ spacing, waiting }: Place, elapsed: number): boolean {
  if (elapsed < PROBE.afterFlood.soonest) return false;
  const expected = elapsed / spacing;
  return expected >= PROBE.afterFlood.requests && waiting < expected * PROBE.afterFlood.share;
}

/** From one probe to the next: so many requests of the flood, at its own pace. */
export function pauseOf(place: Place, wide: boolean): number {
  const every = Math.min(PROBE.rarest, PROBE.every * PROBE.backOff ** place.failures);
  const latest = wide ? PROBE.latestWide : PROBE.latestNarrow;
  return Math.min(latest, Math.max(PROBE.soonest, place.spacing * every));
}

/** A probe passes. A flood that slows down is followed slowly: people who come after it are let through sooner. */
export function probe(place: Place, now: number): void {
  const measured = (now - place.probedAt) / (place.waiting + 1);
  place.spacing = Math.min(measured, place.spacing * PROBE.stretch);
  place.probedAt = now;
  place.waiting = 0;
}

/** The message that tried it was not sent: the next one may, unless another has since. */
export function takeBackProbe(place: Place, before: Tried): void {
  if (Math.abs(place.probedAt - before.at) > PLACE_TICK) return;
  place.probedAt = before.probedAt;
  place.spacing = before.spacing;
  place.waiting += before.waiting;
}

/** A code was not confirmed in the share of the time that passed. */
export function heatUp(place: Place, share: number, wasProbe: boolean): void {
  place.heat = Math.min(HEAT.most, place.heat + HEAT.silent * share);
  if (wasProbe) place.failures += share;
}

/** A code was confirmed. Whether the place is open again. */
export function coolDown(place: Place): boolean {
  place.heat -= HEAT.confirmed;
  place.failures /= 2;
  if (place.heat > 0) return false;
  place.heat = 0;
  place.failures += 1;
  for (const scale of SCALES) {
    const unconfirmed = Math.max(0, place.trials[scale] - place.confirmed[scale]);
    place.trials[scale] -= unconfirmed * (1 - LEFT_WHEN_OPENED);
  }
  return true;
}
