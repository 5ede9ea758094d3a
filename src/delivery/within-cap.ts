/** Messages that go on by another route count against its daily cap, as those do that were asked for there. */
import { StoreFailure } from '../core/errors/store-failure.ts';
import type { DailyCap } from '../core/sending/daily-cap.ts';
import { backoff } from './backoff.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';
import type { RoundFacts, RoundPorts, RoundResult } from './round.ts';

/** Runs the round under a place, which it gives back if nothing was sent; `withoutPlace` says what comes if there is none. */
export function withinCap(
  cap: Pick<DailyCap, 'take' | 'giveBack'> | undefined,
  { rounds }: RoundFacts,
  { clock, random }: Pick<RoundPorts, 'clock' | 'random'>,
  run: () => MaybePromise<RoundResult>,
  withoutPlace: () => RoundResult,
): MaybePromise<RoundResult> {
  if (cap === undefined) return run();
  return andThen(
    cap.take(),
    (place) => {
      if (place === undefined) return withoutPlace();
      return andThen(run(), (result) => {
        if (result.charged.length === 0) cap.giveBack(place);
        return result;
      });
    },
    (error) => {
      if (!(error instanceof StoreFailure)) throw error;
      return {
        attempts: [],
        charged: [],
        next: { kind: 'retry', dueAt: clock.now() + backoff(rounds, random) },
      };
    },
  );
}
