/** The places that evidence is kept for: each as it is now, which are closed, and what changed at them for the other nodes. */
import type { Tried } from '../ask.ts';
import { coolDown, isClosed, probe, takeBackProbe } from '../closing.ts';
import { HEAT, KINDS } from '../parameters.ts';
import { PLACE_KINDS } from '../request-places.ts';
import { absorbInto, Changes, type PlaceShare, shareOfPlace } from '../sharing.ts';
import type { Touched } from './buckets.ts';
import type { Name } from './hash.ts';
import { memoryOf, Place, PlaceTable, SCALES } from './place-table.ts';

const HEAT_HALF_LIFE = PLACE_KINDS.map((kind) =>
  KINDS[kind].wide ? HEAT.halfLifeWide : HEAT.halfLifeNarrow,
);

interface PlaceBounds {
  /** A power of two. */
  readonly capacity: number;
  /** The earliest time, in Unix ms. */
  readonly origin: number;
}

/** What was added at a place. */
interface Added {
  readonly trials?: number;
  readonly confirmed?: number;
  readonly alarms?: number;
}

export class Places {
  readonly #table: PlaceTable;
  readonly #changes: Changes | undefined;
  readonly #one = new Place();
  /** Those that were closed when they were last seen. */
  readonly #closed = new Set<number>();

  /** `shares`: whether changes are kept until they are taken. */
  constructor({ capacity, origin }: PlaceBounds, touched: Touched, shares: boolean) {
    this.#table = new PlaceTable(capacity, origin, touched);
    this.#changes = shares ? new Changes() : undefined;
  }

  /** Where a place is kept; -1 if it is not. */
  find(name: Name | undefined): number {
    return name === undefined ? -1 : this.#table.find(name.a, name.b);
  }

  /** Where a place is kept, which is made if it is new. */
  claim(name: Name, kind: number, now: number): number {
    return this.#table.claim(name.a, name.b, kind, now);
  }

  bornAt(slot: number): number {
    return this.#table.bornAt(slot);
  }

  read(kind: number, slot: number, now: number, into: Place): Place {
    return this.#table.read(slot, now, into, HEAT_HALF_LIFE[kind] ?? HEAT.halfLifeWide);
  }

  /** Writes what concerns nobody else. */
  write(view: Place): void {
    this.#table.write(view);
  }

  /** Writes what other nodes are told of, too. */
  tell(kind: number, view: Place, added: Added, isHeatChanged: boolean): void {
    this.#table.write(view);
    this.#changes?.note(kind, this.#table.keyOf(view.slot), view, added, isHeatChanged);
  }

  /** Writes a place that may have been closed just now. */
  keep(kind: number, view: Place, added: Added): void {
    if (isClosed(view)) this.#closed.add(view.slot);
    this.tell(kind, view, added, isClosed(view));
  }

  addTrials(kind: number, slot: number, weight: number, now: number): void {
    const view = this.read(kind, slot, now, this.#one);
    for (const scale of SCALES) view.trials[scale] += weight;
    this.tell(kind, view, { trials: weight }, false);
  }

  /** Takes back what was added at a time, as it has faded since. */
  takeTrials(kind: number, slot: number, weight: number, at: number, now: number): void {
    const view = this.read(kind, slot, now, this.#one);
    for (const scale of SCALES) {
      const left = weight * Math.exp((at - now) / memoryOf(scale));
      view.trials[scale] = Math.max(0, view.trials[scale] - left);
    }
    this.tell(kind, view, { trials: -weight }, false);
  }

  /** A code was confirmed, of which `rest` was still open. It `counts` 0 if another node counts it. */
  confirm(kind: number, slot: number, rest: number, counts: 0 | 1, now: number): void {
    const view = this.read(kind, slot, now, this.#one);
    for (const scale of SCALES) view.confirmed[scale] += counts;
    view.open = Math.max(0, view.open - rest);
    const wasClosed = isClosed(view);
    if (wasClosed) coolDown(view);
    if (counts === 1 || wasClosed) this.tell(kind, view, { confirmed: counts }, wasClosed);
    else this.write(view);
  }

  /** Somebody waits before a place, if it is closed. */
  wait(kind: number, name: Name | undefined, now: number): void {
    const view = this.#readClosed(kind, name, now);
    if (view === undefined) return;
    view.waiting += 1;
    this.keep(kind, view, {});
  }

  /** A probe tries a place, if it is closed. Answers how it was before. */
  tryClosed(kind: number, name: Name | undefined, now: number): Tried | undefined {
    const view = this.#readClosed(kind, name, now);
    if (view === undefined) return undefined;
    const { probedAt, spacing, waiting } = view;
    probe(view, now);
    this.keep(kind, view, {});
    return { kind, probedAt, spacing, waiting, at: now };
  }

  takeBackProbe(before: Tried, name: Name | undefined, now: number): void {
    const view = this.#readClosed(before.kind, name, now);
    if (view === undefined) return;
    takeBackProbe(view, before);
    this.keep(before.kind, view, {});
  }

  /** How many of each kind are closed. Heat fades by itself, so each that was closed is looked at. */
  closed(now: number): readonly number[] {
    const counts = PLACE_KINDS.map(() => 0);
    for (const slot of this.#closed) {
      const kind = this.#table.kindOf(slot);
      if (isClosed(this.read(kind, slot, now, this.#one))) counts[kind] = (counts[kind] ?? 0) + 1;
      else this.#closed.delete(slot);
    }
    return counts;
  }

  /** What changed since it was last taken. */
  takeChanges(): PlaceShare[] {
    return this.#changes?.take() ?? [];
  }

  /** All that is known of the places in some buckets. */
  snapshot(buckets: readonly number[], now: number): PlaceShare[] {
    const shareOf = (slot: number) => {
      const kind = this.#table.kindOf(slot);
      return shareOfPlace(kind, this.#table.keyOf(slot), this.read(kind, slot, now, this.#one));
    };
    return buckets.flatMap((bucket) => Array.from(this.#table.slots(bucket), shareOf));
  }

  #readClosed(kind: number, name: Name | undefined, now: number): Place | undefined {
    const slot = this.find(name);
    const view = slot < 0 ? undefined : this.read(kind, slot, now, this.#one);
    return view !== undefined && isClosed(view) ? view : undefined;
  }

  absorb(shares: readonly PlaceShare[], now: number): void {
    for (const share of shares) {
      const slot = this.#table.claim(share.hash, share.tag, share.kind, now);
      const view = this.read(share.kind, slot, now, this.#one);
      absorbInto(view, share);
      this.#table.write(view);
      if (isClosed(view)) this.#closed.add(slot);
    }
  }
}
