/** One at a time in each place, in the order in which they came. Places that nobody waits for are forgotten. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(place: string, run: () => Promise<T>): Promise<T> {
    const before = this.#last.get(place);
    const turn = before === undefined ? run() : before.then(run, run);
    this.#last.set(place, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(place) === turn) this.#last.delete(place);
    }
  }
}
