/** The places that evidence is kept for: each as it is now, which are closed, and what changed at them for the other nodes. */
import type { Tried } from '../ask.ts';
import { coolDown, isClosed, probe, takeBackProbe } from '../closing.ts';
import { HEAT, KINDS } from '../parameters.ts';
import { PLACE_KINDS, type PlaceNames } from '../request-places.ts';
import { absorbInto } from '../sharing.ts';
import type { Touched } from './buckets.ts';
import { memoryOf, Place, SCALES } from './place.ts';
import { type Added, NOTHING, ONE_CONFIRMED, PlaceChanges, trialsOf } from './place-changes.ts';
import { PlaceShare, PlaceShares } from './place-shares.ts';
import { PlaceTable } from './place-table.ts';

const HEAT_HALF_LIFE = PLACE_KINDS.map((kind) =>
  KINDS[kind].wide ? HEAT.halfLifeWide : HEAT.halfLifeNarrow,
);

interface PlaceBounds {
  /** A power of two. */
  readonly capacity: number;
  /** The earliest time, in Unix ms. */
  readonly origin: number;
}

export class PlaceMemory {
  readonly #table: PlaceTable;
  readonly #changes: PlaceChanges | undefined;
  readonly #one = new Place();
  readonly #share = new PlaceShare();
  /** Those that were closed when they were last seen. */
  readonly #closed = new Set<number>();

  /** `shares`: whether changes are kept until they are taken. */
  constructor({ capacity, origin }: PlaceBounds, touched: Touched, shares: boolean) {
    this.#table = new PlaceTable(capacity, origin, touched);
    this.#changes = shares ? new PlaceChanges(this.#table) : undefined;
  }

  /** How often any place was changed. */
  get changes(): number {
    return this.#table.changes;
  }

  /** Where a place is kept; -1 if it is not. */
  find({ hashes, tags }: PlaceNames, kind: number): number {
    const tag = tags[kind] ?? 0;
    return tag === 0 ? -1 : this.#table.find(hashes[kind] ?? 0, tag);
  }

  /** Whether a place is the one in a slot. */
  isAt(slot: number, { hashes, tags }: PlaceNames, kind: number): boolean {
    if (slot < 0) return false;
    return this.#table.tagOf(slot) === tags[kind] && this.#table.hashOf(slot) === hashes[kind];
  }

  /** Where a place is kept, which is made if it is new; -1 if there is no such place. */
  claim({ hashes, tags }: PlaceNames, kind: number, now: number): number {
    const tag = tags[kind] ?? 0;
    return tag === 0 ? -1 : this.#table.claim(hashes[kind] ?? 0, tag, kind, now);
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
    this.#changes?.note(kind, view, added, isHeatChanged);
  }

  /** Writes a place that may have been closed just now. */
  keep(kind: number, view: Place, alarms = 0): void {
    if (isClosed(view)) this.#closed.add(view.slot);
    this.tell(kind, view, alarms === 0 ? NOTHING : { ...NOTHING, alarms }, isClosed(view));
  }

  addTrials(kind: number, slot: number, weight: number, now: number): void {
    const view = this.read(kind, slot, now, this.#one);
    view.addTrials(weight);
    this.tell(kind, view, trialsOf(weight), false);
  }

  /** Takes back what was added at a time, as it has faded since; or, of less than 0, what was taken. */
  takeTrials(kind: number, slot: number, weight: number, at: number, now: number): void {
    const view = this.read(kind, slot, now, this.#one);
    for (const scale of SCALES) {
      const left = weight * Math.exp((at - now) / memoryOf(scale));
      view.trials[scale] = Math.max(0, view.trials[scale] - left);
    }
    this.tell(kind, view, trialsOf(-weight), false);
  }

  /** The same of what was confirmed. */
  takeConfirmed(kind: number, slot: number, count: number, at: number, now: number): void {
    const view = this.read(kind, slot, now, this.#one);
    for (const scale of SCALES) {
      const left = count * Math.exp((at - now) / memoryOf(scale));
      view.confirmed[scale] = Math.max(0, view.confirmed[scale] - left);
    }
    this.tell(kind, view, { ...NOTHING, confirmed: -count }, false);
  }

  /** A code was confirmed, of which `rest` was still open. It `counts` 0 if another node counts it. */
  confirm(kind: number, slot: number, rest: number, counts: 0 | 1, now: number): void {
    const view = this.read(kind, slot, now, this.#one);
    const { confirmed } = view;
    confirmed[0] += counts;
    confirmed[1] += counts;
    confirmed[2] += counts;
    view.open = Math.max(0, view.open - rest);
    const wasClosed = isClosed(view);
    if (wasClosed) coolDown(view);
    if (counts === 1 || wasClosed) this.tell(kind, view, counts === 1 ? ONE_CONFIRMED : NOTHING, wasClosed);
    else this.write(view);
  }

  /** Somebody waits before a place, if it is closed. */
  wait(kind: number, names: PlaceNames, now: number): void {
    const view = this.#readClosed(kind, names, now);
    if (view === undefined) return;
    view.waiting += 1;
    this.keep(kind, view);
  }

  /** A probe tries a place, if it is closed. Answers how it was before. */
  tryClosed(kind: number, names: PlaceNames, now: number): Tried | undefined {
    const view = this.#readClosed(kind, names, now);
    if (view === undefined) return undefined;
    const { probedAt, spacing, waiting } = view;
    probe(view, now);
    this.keep(kind, view);
    return { kind, probedAt, spacing, waiting, at: now };
  }

  takeBackProbe(before: Tried, names: PlaceNames, now: number): void {
    const view = this.#readClosed(before.kind, names, now);
    if (view === undefined) return;
    takeBackProbe(view, before);
    this.keep(before.kind, view);
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
  takeChanges(): PlaceShares {
    return this.#changes?.take() ?? new PlaceShares();
  }

  /** All that is known of the places in some buckets. */
  snapshot(buckets: readonly number[], now: number): PlaceShares {
    const table = this.#table;
    const slots = buckets.flatMap((bucket) => table.slotsIn(bucket));
    const shares = PlaceShares.for(slots.length);
    for (const slot of slots) {
      const kind = table.kindOf(slot);
      const view = this.read(kind, slot, now, this.#one);
      shares.add(this.#share.setTo(kind, table.hashOf(slot), table.tagOf(slot), view));
    }
    return shares;
  }

  #readClosed(kind: number, names: PlaceNames, now: number): Place | undefined {
    const slot = this.find(names, kind);
    const view = slot < 0 ? undefined : this.read(kind, slot, now, this.#one);
    return view !== undefined && isClosed(view) ? view : undefined;
  }

  absorb(shares: PlaceShares, now: number): void {
    for (let index = 0; index < shares.length; index++) {
      const share = shares.read(index, this.#share);
      const slot = this.#table.claim(share.hash, share.tag, share.kind, now);
      const view = this.read(share.kind, slot, now, this.#one);
      absorbInto(view, share);
      this.#table.write(view);
      if (isClosed(view)) this.#closed.add(slot);
    }
  }
}
