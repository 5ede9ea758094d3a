/** Counts the rounds that go by one configuration, to know when the last has ended. */
export class Rounds {
  #underWay = 0;
  #superseded = false;
  readonly #drained = Promise.withResolvers<void>();

  /** Resolves when no round goes by it any more, and none will. */
  get drained(): Promise<void> {
    return this.#drained.promise;
  }

  readonly entered = (): void => {
    this.#underWay++;
  };

  readonly left = (): void => {
    this.#underWay--;
    this.#look();
  };

  /** Rounds that begin from now on go by another configuration. */
  supersede(): void {
    this.#superseded = true;
    this.#look();
  }

  #look(): void {
    if (this.#superseded && this.#underWay === 0) this.#drained.resolve();
  }
}
