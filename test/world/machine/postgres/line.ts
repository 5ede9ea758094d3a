/** The connections of one node to the database. */
import type { Traffic } from './traffic.ts';
import { Wire } from './wire.ts';

export class Line {
  readonly #traffic: Traffic;
  readonly #onCrash: () => void;
  readonly #wires = new Set<Wire>();
  #isOver = false;

  /** `onCrash` hears that the process is to end in this moment. */
  constructor(traffic: Traffic, onCrash: () => void) {
    this.#traffic = traffic;
    this.#onCrash = onCrash;
  }

  /** A new connection. */
  readonly open = (): Wire => {
    const wire = new Wire((turn) => {
      if (!this.#isOver) this.#traffic.add({ line: this, ...turn });
    });
    this.#wires.add(wire);
    wire.once('close', () => this.#wires.delete(wire));
    return wire;
  };

  crash(): void {
    this.#onCrash();
  }

  /** The process is gone, and its connections with it. Answers the server's processes that served it. */
  end(): number[] {
    this.#isOver = true;
    this.#traffic.drop(this);
    const pids: number[] = [];
    for (const wire of this.#wires) {
      if (wire.pid !== undefined) pids.push(wire.pid);
      // Only the pool hears of one that nobody uses, and forgets when it was to be closed.
      if (wire.isIdle) wire.destroy(new Error('the process is gone'));
      else wire.silence();
    }
    this.#wires.clear();
    return pids;
  }
}
