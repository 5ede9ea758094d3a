/**
 * What was learnt, in a form that can be sent to other nodes and kept for the next start: counts of places by the hash of
 * their name, numbers by an opaque hash, and what is usual by country. No number, no address and no range can be read from it.
 */
import type { NumberShare } from './memory/number-changes.ts';
import { memoryOf, type Place, SCALES } from './memory/place-table.ts';
import type { UsualOf } from './memory/usual.ts';
import { MOST_CHANGES } from './parameters.ts';

type Three = readonly [number, number, number];

/** What was added to a place, or all that is known of it. Both are absorbed by adding, in any order. */
export interface PlaceShare {
  readonly kind: number;
  readonly hash: number;
  readonly tag: number;
  /** Unix ms: what follows is as of then. */
  readonly at: number;
  readonly bornAt: number;
  readonly trials: Three;
  readonly confirmed: Three;
  readonly alarms: number;
  /** If it was closed (above 0) or opened (0) since; undefined if nothing changed. */
  readonly heat?: number | undefined;
  readonly spacing: number;
  readonly failures: number;
}

export interface Share {
  readonly places: readonly PlaceShare[];
  readonly numbers: readonly NumberShare[];
  readonly usual: readonly UsualOf[];
}

interface Change {
  readonly kind: number;
  readonly hash: number;
  readonly tag: number;
  at: number;
  bornAt: number;
  trials: number;
  confirmed: number;
  alarms: number;
  heat: number | undefined;
  spacing: number;
  failures: number;
}

/** What changed at places since it was last taken. */
export class Changes {
  readonly #bySlot = new Map<number, Change>();

  note(
    kind: number,
    { hash, tag }: { readonly hash: number; readonly tag: number },
    place: Place,
    added: { readonly trials?: number; readonly confirmed?: number; readonly alarms?: number },
    isHeatChanged = false,
  ): void {
    let change = this.#bySlot.get(place.slot);
    if (change === undefined || change.tag !== tag) {
      if (this.#bySlot.size >= MOST_CHANGES) return;
      const none = { trials: 0, confirmed: 0, alarms: 0, heat: undefined, spacing: 0, failures: 0 };
      change = { kind, hash, tag, at: 0, bornAt: 0, ...none };
      this.#bySlot.set(place.slot, change);
    }
    change.at = place.time;
    change.bornAt = place.bornAt;
    change.trials += added.trials ?? 0;
    change.confirmed += added.confirmed ?? 0;
    change.alarms += added.alarms ?? 0;
    change.spacing = place.spacing;
    change.failures = place.failures;
    if (isHeatChanged) change.heat = place.heat;
  }

  take(): PlaceShare[] {
    const shares = [...this.#bySlot.values()].map(({ trials, confirmed, ...rest }): PlaceShare => {
      return { ...rest, trials: [trials, trials, trials], confirmed: [confirmed, confirmed, confirmed] };
    });
    this.#bySlot.clear();
    return shares;
  }
}

/** All that is known of a place. */
export function shareOfPlace(
  kind: number,
  { hash, tag }: { hash: number; tag: number },
  place: Place,
): PlaceShare {
  return {
    kind,
    hash,
    tag,
    at: place.time,
    bornAt: place.bornAt,
    trials: [...place.trials],
    confirmed: [...place.confirmed],
    alarms: place.alarms,
    heat: place.heat > 0 ? place.heat : undefined,
    spacing: place.spacing,
    failures: place.failures,
  };
}

/** Adds what another node saw, faded to the time of the place. What was seen later than that was seen by a clock that is ahead. */
export function absorbInto(place: Place, share: PlaceShare): void {
  const age = Math.max(0, place.time - share.at);
  for (const scale of SCALES) {
    const left = Math.exp(-age / memoryOf(scale));
    place.trials[scale] += share.trials[scale] * left;
    place.confirmed[scale] += share.confirmed[scale] * left;
  }
  place.alarms += share.alarms * Math.exp(-age / memoryOf(1));
  place.failures = Math.max(place.failures, share.failures);
  place.bornAt = Math.min(place.bornAt, share.bornAt);
  if (share.heat === undefined) return;
  if (share.heat > 0 && place.heat === 0) place.probedAt = Math.min(share.at, place.time);
  place.heat = share.heat === 0 ? 0 : Math.max(place.heat, share.heat);
  place.spacing = place.spacing === 0 ? share.spacing : Math.min(place.spacing, share.spacing);
}
