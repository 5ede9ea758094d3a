interface Timed {
  readonly at: number;
}

/** What is to happen later, earliest first (a binary heap). */
export class Waiting<Item extends Timed> {
  readonly #items: Item[] = [];

  add(item: Item): void {
    let place = this.#items.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#items[parent];
      if (above === undefined || above.at <= item.at) break;
      this.#items[place] = above;
      place = parent;
    }
    this.#items[place] = item;
  }

  /** The earliest, if it is due. */
  takeDue(now: number): Item | undefined {
    const first = this.#items[0];
    if (first === undefined || first.at > now) return undefined;
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(last);
    return first;
  }

  /** Puts it where the first was, and below all that are earlier. */
  #sink(item: Item): void {
    let place = 0;
    for (;;) {
      const left = this.#items[2 * place + 1];
      if (left === undefined) break;
      const right = this.#items[2 * place + 2];
      const isRight = right !== undefined && right.at < left.at;
      const child = isRight ? right : left;
      if (item.at <= child.at) break;
      this.#items[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    this.#items[place] = item;
  }
}
