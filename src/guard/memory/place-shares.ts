/** What is told of places: what was added at each, or all that is known of it. */
import { PackedRows } from './packed-rows.ts';
import type { Place } from './place.ts';

/** Bytes of a row. */
export const PLACE_ROW = 66;
const HAS_HEAT = 1;

/** What was added to a place, or all that is known of it. Both are absorbed by adding, in any order. */
export class PlaceShare {
  kind = 0;
  hash = 0;
  tag = 0;
  /** Unix ms: what follows is as of then. */
  at = 0;
  bornAt = 0;
  readonly trials: [number, number, number] = [0, 0, 0];
  readonly confirmed: [number, number, number] = [0, 0, 0];
  alarms = 0;
  /** If it was closed (above 0) or opened (0) since; undefined if nothing changed. */
  heat: number | undefined = undefined;
  spacing = 0;
  failures = 0;

  /** All that is known of a place. */
  setTo(kind: number, hash: number, tag: number, place: Place): this {
    this.kind = kind;
    this.hash = hash;
    this.tag = tag;
    this.at = place.time;
    this.bornAt = place.bornAt;
    for (const scale of [0, 1, 2] as const) {
      this.trials[scale] = place.trials[scale];
      this.confirmed[scale] = place.confirmed[scale];
    }
    this.alarms = place.alarms;
    this.heat = place.heat > 0 ? place.heat : undefined;
    this.spacing = place.spacing;
    this.failures = place.failures;
    return this;
  }
}

/** Many of them, as bytes: objects would take ten times as much, for every round of telling. */
export class PlaceShares {
  readonly #rows: PackedRows;

  constructor(bytes = new Uint8Array(0), length = bytes.length / PLACE_ROW) {
    this.#rows = new PackedRows(PLACE_ROW, bytes, length);
  }

  /** None yet, with room for as many as will come. */
  static for(count: number): PlaceShares {
    return new PlaceShares(new Uint8Array(count * PLACE_ROW), 0);
  }

  get length(): number {
    return this.#rows.length;
  }

  get bytes(): Uint8Array {
    return this.#rows.bytes;
  }

  kindAt(index: number): number {
    return this.#rows.view.getUint8(this.#rows.at(index));
  }

  /** Counts are kept as exact as they are remembered. */
  add(share: PlaceShare): void {
    const at = this.#rows.next();
    const { view } = this.#rows;
    const { trials, confirmed } = share;
    view.setUint8(at, share.kind);
    view.setUint8(at + 1, share.heat === undefined ? 0 : HAS_HEAT);
    view.setUint32(at + 2, share.hash, true);
    view.setUint32(at + 6, share.tag, true);
    view.setFloat64(at + 10, share.at, true);
    view.setFloat64(at + 18, share.bornAt, true);
    view.setFloat32(at + 26, trials[0], true);
    view.setFloat32(at + 30, trials[1], true);
    view.setFloat32(at + 34, trials[2], true);
    view.setFloat32(at + 38, confirmed[0], true);
    view.setFloat32(at + 42, confirmed[1], true);
    view.setFloat32(at + 46, confirmed[2], true);
    view.setFloat32(at + 50, share.alarms, true);
    view.setFloat32(at + 54, share.heat ?? 0, true);
    view.setFloat32(at + 58, share.spacing, true);
    view.setFloat32(at + 62, share.failures, true);
  }

  read(index: number, into: PlaceShare): PlaceShare {
    const at = this.#rows.at(index);
    const { view } = this.#rows;
    const { trials, confirmed } = into;
    into.kind = view.getUint8(at);
    into.hash = view.getUint32(at + 2, true);
    into.tag = view.getUint32(at + 6, true);
    into.at = view.getFloat64(at + 10, true);
    into.bornAt = view.getFloat64(at + 18, true);
    trials[0] = view.getFloat32(at + 26, true);
    trials[1] = view.getFloat32(at + 30, true);
    trials[2] = view.getFloat32(at + 34, true);
    confirmed[0] = view.getFloat32(at + 38, true);
    confirmed[1] = view.getFloat32(at + 42, true);
    confirmed[2] = view.getFloat32(at + 46, true);
    into.alarms = view.getFloat32(at + 50, true);
    into.heat = view.getUint8(at + 1) === HAS_HEAT ? view.getFloat32(at + 54, true) : undefined;
    into.spacing = view.getFloat32(at + 58, true);
    into.failures = view.getFloat32(at + 62, true);
    return into;
  }
}
