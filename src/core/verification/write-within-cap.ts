/** Writes a verification, within the daily cap of its route. */
import { StoreUnavailable } from '../errors/store-failure.ts';
import type { Clock } from '../seams/clock.ts';
import { type DailyCap, type DailyPlace, untilNextDay } from '../sending/daily-cap.ts';
import type { askAboutNumber } from './ask-about-number.ts';
import type { CallerEnding } from './endings.ts';
import type { GuardPassed } from './guard-port.ts';
import { findFirst } from './repetition.ts';
import type { LimitReached, NumberRefused } from './request.ts';
import type { IssueOutcome, NewVerification, VerificationStore } from './verification.ts';

interface Deps {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: VerificationStore;
  /** How long a fresh verification belongs to the node that wrote it, in ms. */
  readonly lease: number;
}

/**
 * Takes a place within the route's cap. It is given back, and the guard is told, when nothing was written: a replay, a refusal.
 * Where that is unknown, it counts as written: a message that was is sent when its lease ends. `ask` asks about the number, if somebody
 * has to.
 */
export async function writeWithinCap(
  deps: Deps,
  verification: NewVerification,
  cap: DailyCap | undefined,
  verdict: GuardPassed | undefined,
  ending: CallerEnding | undefined,
  ask: (() => ReturnType<typeof askAboutNumber>) | undefined,
): Promise<IssueOutcome | NumberRefused | LimitReached> {
  const { clock, store, lease } = deps;
  let place: DailyPlace | undefined;
  let mayBeWritten = false;
  const undo = () => {
    ending?.giveBack();
    if (place !== undefined) cap?.giveBack(place);
    verdict?.notWritten();
  };
  try {
    if (cap !== undefined) {
      place = await cap.take();
      if (place === undefined) {
        undo();
        const first = await findFirst(deps, verification);
        if (first !== undefined) return first;
        const retryAfterMs = untilNextDay(verification.createdAt);
        return { kind: 'limited', scope: 'route', limit: cap.limit, retryAfterMs };
      }
    }
    let asked = verification;
    if (ask !== undefined) {
      const refusal = await ask();
      if (refusal !== undefined) {
        undo();
        return refusal;
      }
      // Its lease begins when it is written.
      if (verification.leaseUntil !== null) asked = { ...verification, leaseUntil: clock.now() + lease };
    }
    mayBeWritten = true;
    const outcome = await store.issue(asked);
    if (outcome.kind === 'issued') verdict?.written();
    else undo();
    return outcome;
  } catch (error) {
    if (!mayBeWritten || error instanceof StoreUnavailable) undo();
    else verdict?.written();
    throw error;
  }
}
