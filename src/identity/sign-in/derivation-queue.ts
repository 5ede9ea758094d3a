/**
 * Who derives a password next. A derivation takes tens of ms of a core, so few may wait, and what strangers send must not take the
 * places of people: those who have shown something already wait in a lane of their own. Turns go from one lane to the other.
 */

type Lane = 'known' | 'anybody';

export interface Claimant {
  readonly lane: Lane;
  /** Whoever shares a name shares its few places, such as the requests from one network, or with one link. */
  readonly name: string;
}

/** One to two seconds of work. */
const PLACES: Readonly<Record<Lane, number>> = { known: 32, anybody: 64 };
/** Of one name. */
const EACH = 4;

/** Given back when it is disposed of. */
export interface QueuedDerivation extends Disposable {
  /** Runs the work when its turn comes. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface DerivationQueue {
  /** Undefined if all are taken, or all that this name may have. */
  take(claimant: Claimant): QueuedDerivation | undefined;
}

/** One piece of work runs at a time. */
export function createDerivationQueue(): DerivationQueue {
  const waiting: Record<Lane, (() => Promise<void>)[]> = { known: [], anybody: [] };
  const taken: Record<Lane, number> = { known: 0, anybody: 0 };
  const ofName = new Map<string, number>();
  let isRunning = false;
  let next: Lane = 'known';

  async function work(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (;;) {
      const lane: Lane = waiting[next].length > 0 ? next : otherThan(next);
      const first = waiting[lane].shift();
      if (first === undefined) break;
      next = otherThan(lane);
      await first();
    }
    isRunning = false;
  }

  return {
    take({ lane, name }) {
      const own = `${lane} ${name}`;
      const already = ofName.get(own) ?? 0;
      if (taken[lane] >= PLACES[lane] || already >= EACH) return undefined;
      taken[lane] += 1;
      ofName.set(own, already + 1);
      return {
        run<T>(job: () => Promise<T>): Promise<T> {
          const { promise, resolve } = Promise.withResolvers<T>();
          // A failure is for whoever waits for it; the next work runs.
          waiting[lane].push(async () => {
            const done = job();
            resolve(done);
            await done.then(nothing, nothing);
          });
          void work();
          return promise;
        },
        [Symbol.dispose]() {
          taken[lane] -= 1;
          const left = (ofName.get(own) ?? 1) - 1;
          if (left === 0) ofName.delete(own);
          else ofName.set(own, left);
        },
      };
    },
  };
}

const otherThan = (lane: Lane): Lane => (lane === 'known' ? 'anybody' : 'known');

const nothing = (): void => {};
