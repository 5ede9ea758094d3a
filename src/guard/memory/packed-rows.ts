/** Rows of fixed length, one after the other in a block of bytes that grows: as they are kept in the store, and told to other nodes. */

export class PackedRows {
  readonly #rowLength: number;
  #bytes: Uint8Array;
  #view: DataView;
  #length: number;

  /** `bytes` have room for whole rows, of which the first `length` are there. */
  constructor(rowLength: number, bytes: Uint8Array, length: number) {
    this.#rowLength = rowLength;
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#length = length;
  }

  /** How many there are. */
  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length * this.#rowLength);
  }

  get view(): DataView {
    return this.#view;
  }

  /** Where a row begins. */
  at(index: number): number {
    return index * this.#rowLength;
  }

  /** Where a new row begins. */
  next(): number {
    const at = this.#length * this.#rowLength;
    this.#length += 1;
    if (at + this.#rowLength <= this.#bytes.length) return at;
    const grown = new Uint8Array(this.#bytes.length * 2 + this.#rowLength);
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = viewOf(grown);
    return at;
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
