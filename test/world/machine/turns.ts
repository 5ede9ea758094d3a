/** The event loop's turns: everything that can be done without time passing is done, and then the world goes on. */
import { setImmediate as turn } from 'node:timers/promises';

/** Something that has work of its own in each turn, such as a disk. */
interface Flushed {
  flush(): boolean | Promise<boolean>;
}

/** So many turns in which nothing is done end a moment: a chain of promises may need one that Node ends by itself. */
const QUIET_TURNS = 2;
/** A promise may wait for what Node loads, or another thread does. */
const PATIENCE_MS = 60_000;

export class Turns {
  readonly #isBusy: () => boolean;

  /** `isBusy` says that another thread is to answer before this moment is over. */
  constructor(isBusy: () => boolean) {
    this.#isBusy = isBusy;
  }

  /** Until there is nothing more to be done in this moment. */
  async settle(disks: Iterable<Flushed>): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      await turn();
      if (this.#isBusy()) quiet = -1;
      for (const disk of disks) if (await disk.flush()) quiet = -1;
    }
  }

  /** Until it is settled, without time passing in the world. */
  async until<T>(promise: Promise<T>, disks: Iterable<Flushed>): Promise<T> {
    let isSettled = false;
    const done = () => {
      isSettled = true;
    };
    promise.then(done, done);
    const begun = performance.now();
    while (!isSettled && performance.now() - begun < PATIENCE_MS) await this.settle(disks);
    if (!isSettled) throw new Error('it waits for something that does not happen');
    return promise;
  }
}
