/**
 * The time of a simulated world. It stands still while anything is being done, and then goes on to whatever is due next.
 *
 * Parts that look at something again and again would make a quiet day cost 700,000 timers. So while nothing happens, they are
 * asked more and more rarely, as on a machine that sleeps in between; what is due once is always asked in its moment.
 */
import type { Clock, Timer } from '../../../src/core/seams/clock.ts';

/** The machine that timers belong to: its clock may differ from the world's, and it may stand still. */
export interface Machine {
  readonly name: string;
  /** How far its clock is ahead of the world's, in ms. */
  ahead: number;
  isPaused: boolean;
}

interface Due extends Timer {
  at: number;
  readonly order: number;
  readonly machine: Machine;
  readonly call: () => void;
  /** Between two calls, in ms; undefined if it is called once. */
  readonly every: number | undefined;
  /** One of those that look again and again. */
  readonly looks: boolean;
}

const SHORTEST_HOP_MS = 1_000;
const LONGEST_HOP_MS = 24 * 3_600_000;
const EACH_HOP_LONGER = 8;
/** So long before the end of a wait all are awake again: one that finds itself late takes no requests until it has looked once more. */
const AWAKE_MS = 100;

export class Time {
  now: number;
  readonly #started: number;
  readonly #due = new Set<Due>();
  readonly #looking = new WeakSet<() => void>();
  readonly #ended = new WeakSet<Machine>();
  #order = 0;
  #hop = SHORTEST_HOP_MS;
  #soon = Number.POSITIVE_INFINITY;

  constructor(start: number) {
    this.now = start;
    this.#started = start;
  }

  /** Something happened: those that look again and again may find something. */
  stir(): void {
    this.#hop = SHORTEST_HOP_MS;
  }

  clockOf(machine: Machine): Clock {
    const wall = () => this.now + machine.ahead;
    return {
      now: wall,
      wall,
      steady: () => this.now - this.#started + 1_000,
      after: (ms, call) => {
        // What is set again by its own call looks again and again.
        const looks = this.#looking.has(call);
        this.#looking.add(call);
        return this.#add(machine, ms, call, undefined, looks);
      },
      every: (ms, call) => this.#add(machine, ms, call, ms, true),
    };
  }

  /** Its timers are gone, as when a process ends. What is left of that process sets no others. */
  end(machine: Machine): void {
    this.#ended.add(machine);
    for (const due of this.#due) if (due.machine === machine) this.#due.delete(due);
  }

  /**
   * Time goes on until `until`. After each moment `settle` does what is to be done in it. `nextWithin` says when something is due
   * that nobody has set a timer for, such as what waits in a store.
   */
  async passTo(until: number, settle: () => Promise<void>, nextDue: () => number): Promise<void> {
    while (this.now < until) {
      const end = this.now < until - AWAKE_MS ? until - AWAKE_MS : until;
      const once = this.#earliest(false);
      const looks = Math.max(this.#earliest(true), Math.min(this.now + this.#hop, this.#soon));
      const due = Math.max(nextDue(), this.now + 1);
      this.now = Math.max(this.now, Math.min(end, once, looks, due));
      this.#hop = Math.min(LONGEST_HOP_MS, this.#hop * EACH_HOP_LONGER);
      // What comes of something that was due is looked for once more.
      if (due <= this.now) this.#soon = this.now + SHORTEST_HOP_MS;
      else if (this.#soon <= this.now) this.#soon = Number.POSITIVE_INFINITY;
      // First those that look, and what they learn: a process that was not stopped would have looked long before.
      this.#callDue(true);
      await settle();
      if (!this.#callDue(false)) continue;
      await settle();
      // What follows from it may have to wait for a look, such as for what a carrier did not take in time.
      this.#soon = Math.min(this.#soon, this.now + SHORTEST_HOP_MS);
    }
  }

  #add(machine: Machine, ms: number, call: () => void, every: number | undefined, looks: boolean): Timer {
    const due: Due = {
      at: this.now + Math.max(1, Math.ceil(ms)),
      order: this.#order++,
      ...{ machine, call, every, looks },
      unref: () => due,
      [Symbol.dispose]: () => void this.#due.delete(due),
    };
    if (!this.#ended.has(machine)) this.#due.add(due);
    return due;
  }

  #earliest(looks: boolean): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const due of this.#due)
      if (due.looks === looks && !due.machine.isPaused && due.at < earliest) earliest = due.at;
    return earliest;
  }

  /** Whether any was due. */
  #callDue(looks: boolean): boolean {
    const calls = [...this.#due].filter(
      (due) => due.looks === looks && due.at <= this.now && !due.machine.isPaused,
    );
    calls.sort((one, other) => one.at - other.at || one.order - other.order);
    for (const due of calls) {
      // A call before it may have ended it.
      if (!this.#due.has(due)) continue;
      if (due.every === undefined) this.#due.delete(due);
      else due.at = this.now + due.every;
      due.call();
      // It would have been called before, too: what measures how late it is called is not to see an overload.
      if (due.every !== undefined && due.every < SHORTEST_HOP_MS) due.call();
    }
    return calls.length > 0;
  }
}
