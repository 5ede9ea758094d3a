/** The nodes of a world, each on a machine of its own. One that ends is started again. */
import type { Config } from '../../../src/config/table/schema.ts';
import type { OpenDisk } from './disk.ts';
import { Node, type World } from './node.ts';
import type { Machine } from './time.ts';

/** The seeds of processes that follow one another are so far apart. */
const APART = 1_000;
const LATE_MS = 1_000;

export class Nodes {
  readonly #world: World;
  readonly #count: number;
  readonly #seed: number;
  readonly #config: () => Config;
  readonly #nodes: Node[] = [];
  readonly #waker: Machine = { name: 'waker', ahead: 0, isPaused: false };
  #starts = 0;
  #wokeAt = Number.NEGATIVE_INFINITY;

  /** `config` is the configuration of a process that starts now. */
  constructor(world: World, count: number, seed: number, config: () => Config) {
    this.#world = world;
    this.#count = count;
    this.#seed = seed;
    this.#config = config;
  }

  async start(): Promise<void> {
    for (let place = 0; place < this.#count; place++) await this.#startAt(place);
  }

  /** Starts those again whose process has ended, and answers which they were. */
  async startAgain(): Promise<readonly Node[]> {
    const gone = this.#nodes.filter(({ isGone }) => isGone);
    for (const { place, machine } of gone) await this.#startAt(place, machine.ahead);
    return gone;
  }

  get all(): readonly Node[] {
    return this.#nodes;
  }

  get disks(): readonly OpenDisk[] {
    return this.#nodes.map(({ opened }) => opened);
  }

  /** Who is asked for that place: another one while it sleeps, as a load balancer has it. */
  at(place: number): Node {
    const wanted = this.#nodes[place % this.#count];
    const awake = this.#nodes.find(({ machine }) => !machine.isPaused);
    const node = wanted?.machine.isPaused ? (awake ?? wanted) : wanted;
    if (node === undefined) throw new Error(`there is no node ${place}`);
    return node;
  }

  /** One that slept is late with everything, and may say that it is overloaded. */
  get hasJustWoken(): boolean {
    return this.#world.time.now - this.#wokeAt < LATE_MS;
  }

  /** It sleeps for so long, unless it sleeps already or is the last that does not. */
  pause(place: number, ms: number): void {
    const awake = this.#nodes.filter(({ machine }) => !machine.isPaused);
    const machine = this.#nodes[place % this.#count]?.machine;
    if (machine === undefined || machine.isPaused || awake.length === 1) return;
    const { time } = this.#world;
    machine.isPaused = true;
    time.clockOf(this.#waker).after(ms, () => {
      machine.isPaused = false;
      this.#wokeAt = time.now;
    });
  }

  setClock(place: number, ahead: number): void {
    this.at(place).machine.ahead = ahead;
  }

  async #startAt(place: number, ahead = 0): Promise<void> {
    this.#starts += 1;
    const machine = { name: `node ${this.#starts}`, ahead, isPaused: false };
    const seed = this.#seed + this.#starts * APART;
    this.#nodes[place] = await Node.start(this.#world, place, machine, this.#config(), seed);
  }
}
