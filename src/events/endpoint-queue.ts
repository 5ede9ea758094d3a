/**
 * The messages of one endpoint that are in memory. Those about one verification go one after another, so that they arrive in the
 * order in which things happened, unless one fails: then the next does not wait for it.
 */
import type { DueMessage } from '../core/events/event.ts';

export class EndpointQueue {
  readonly #waiting: DueMessage[] = [];
  /** Everything that was read and is not settled in the store yet, by its `seq`. */
  readonly #held = new Set<number>();
  readonly #busy = new Set<string>();
  underWay = 0;

  get held(): readonly number[] {
    return [...this.#held];
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(messages: readonly DueMessage[]): void {
    for (const message of messages) {
      if (this.#held.has(message.seq)) continue;
      this.#held.add(message.seq);
      this.#waiting.push(message);
    }
  }

  /** The first that does not have to wait for another about the same verification. It is then under way. */
  take(): DueMessage | undefined {
    const index = this.#waiting.findIndex(({ verificationId: id }) => id === null || !this.#busy.has(id));
    const [message] = index === -1 ? [] : this.#waiting.splice(index, 1);
    if (message === undefined) return undefined;
    if (message.verificationId !== null) this.#busy.add(message.verificationId);
    this.underWay += 1;
    return message;
  }

  /** It came back. It stays held until it is settled. */
  back({ verificationId }: DueMessage): void {
    if (verificationId !== null) this.#busy.delete(verificationId);
    this.underWay -= 1;
  }

  /** Of one that came back: the store has what became of it, or has it still if it was not tried. */
  settled(seq: number): void {
    this.#held.delete(seq);
  }

  /** Leaves what waits to the store, or to another node. */
  forget(): void {
    for (const { seq } of this.#waiting.splice(0)) this.#held.delete(seq);
  }
}
