/** Messages that wait for their carrier's link because they have no other carrier. */
import type { Clock } from '../../core/seams/clock.ts';
import type { CarrierLink } from '../../core/sending/carrier.ts';
import { LinkedList } from '../../core/sending/linked-list.ts';

/**
 * Broken links are usually back within a second. After that the message waits in the queue, and all carriers are asked
 * again.
 */
const LONGEST_MS = 2_000;
/** The rest wait in the queue: messages that wait here take room from those of other routes. */
const MOST = 1_000;

export interface LinkNews {
  readonly up: () => void;
  readonly down: (trouble: string) => void;
}

export class LinkWait {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #link: CarrierLink | undefined;
  readonly #waiting = new LinkedList<(up: boolean) => void>();

  constructor(clock: Pick<Clock, 'after'>, link: CarrierLink | undefined, { up, down }: LinkNews) {
    this.#clock = clock;
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

  /** Whether the link comes up within `longestMs`; undefined if too many already wait for it. */
  wait(longestMs: number): Promise<boolean> | undefined {
    if (this.#waiting.size >= MOST) return undefined;
    return new Promise((resolve) => {
      const end = (up: boolean) => {
        timer[Symbol.dispose]();
        this.#waiting.remove(entry);
        resolve(up);
      };
      const entry = this.#waiting.add(end);
      const timer = this.#clock.after(Math.min(LONGEST_MS, longestMs), () => end(false));
    });
  }

  /** Ends all waits. */
  abort(): void {
    this.#endAll(false);
  }

  #endAll(up: boolean): void {
    for (const end of this.#waiting) end(up);
  }
}
