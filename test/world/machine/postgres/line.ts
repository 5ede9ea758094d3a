/** The connections of one node to the database. */
import type { Traffic } from './traffic.ts';
import { type Session, Wire } from './wire.ts';

export class Line {
  readonly #traffic: Traffic;
  readonly #onCrash: () => void;
  readonly #sessions: Session[];
  readonly #wires = new Set<Wire>();
  #isOver = false;

  /** `onCrash` hears that the process is to end in this moment. */
  constructor(traffic: Traffic, sessions: Session[], onCrash: () => void) {
    this.#traffic = traffic;
    this.#sessions = sessions;
    this.#onCrash = onCrash;
  }

  /** A new connection. */
  readonly open = (): Wire => {
    const wire = new Wire((turn) => {
      if (!this.#isOver) this.#traffic.add({ line: this, ...turn });
    }, this.#sessions);
    this.#wires.add(wire);
    wire.once('close', () => this.#wires.delete(wire));
    return wire;
  };

  crash(): void {
    this.#onCrash();
  }

  /** The process is gone, and its connections with it. Answers the server's processes that are to end. */
  end(): number[] {
    this.#isOver = true;
    this.#traffic.drop(this);
    return [...this.#wires].map((wire) => wire.leave()).filter((pid) => pid !== undefined);
  }
}
