/** Messages that wait for the link of their carrier, when there is no other carrier to go to. */
import type { CarrierLink } from '../core/carrier.ts';
import { LinkedList } from '../core/linked-list.ts';

/** Links that break are mostly up again within a second. After that the queue holds the message, and asks all carriers again. */
const LONGEST_MS = 2_000;
/** The others wait in the queue: what waits here takes the places of messages of other routes. */
const MOST = 1_000;

export interface LinkNews {
  readonly up: () => void;
  readonly down: (trouble: string) => void;
}

export class LinkWait {
  readonly #link: CarrierLink | undefined;
  readonly #waiting = new LinkedList<(up: boolean) => void>();

  constructor(link: CarrierLink | undefined, { up, down }: LinkNews) {
    this.#link = link;
    link?.watch(() => {
      const { trouble } = link;
      if (trouble !== undefined) return down(trouble);
      up();
      this.#endAll(true);
    });
  }

  get isDown(): boolean {
    return this.#link?.trouble !== undefined;
  }

  /** Whether the link comes up in time, at most `longestMs`; undefined when too many wait for it already. */
  wait(longestMs: number): Promise<boolean> | undefined {
    if (this.#waiting.size >= MOST) return undefined;
    return new Promise((resolve) => {
      const end = (up: boolean) => {
        clearTimeout(timer);
        this.#waiting.remove(entry);
        resolve(up);
      };
      const entry = this.#waiting.add(end);
      const timer = setTimeout(() => end(false), Math.min(LONGEST_MS, longestMs));
    });
  }

  /** Nothing is to wait any more. */
  abort(): void {
    this.#endAll(false);
  }

  #endAll(up: boolean): void {
    for (const end of this.#waiting) end(up);
  }
}
