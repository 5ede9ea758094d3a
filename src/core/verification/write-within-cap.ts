/** Writes a verification, within the daily cap of its route. */
import { StoreUnavailable } from '../errors/store-failure.ts';
import { type DailyCap, type DailyPlace, untilNextDay } from '../sending/daily-cap.ts';
import type { AskRefusal } from './ask-about-number.ts';
import type { Draft } from './draft.ts';
import type { CallerEnding } from './endings.ts';
import type { GuardPassed } from './guard-port.ts';
import { findFirst } from './repetition.ts';
import type { LimitReached, NumberRefused } from './request.ts';
import type { IssueOutcome, VerificationStore } from './verification.ts';

interface Deps {
  readonly store: VerificationStore;
}

interface Answer {
  readonly outcome: IssueOutcome | NumberRefused | LimitReached;
  /** What was written, or last tried. */
  readonly tried: Draft;
}

/**
 * Takes a place within the route's cap. It is given back, and the guard is told, when nothing was written: a replay, a refusal.
 * Where that is unknown, it counts as written: a message that was is sent when its lease ends. `ask` asks about the number, if somebody
 * has to, and tells what is to be written then.
 */
export async function writeWithinCap(
  deps: Deps,
  draft: Draft,
  cap: DailyCap | undefined,
  verdict: GuardPassed | undefined,
  ending: CallerEnding | undefined,
  ask: (() => Promise<Draft | AskRefusal>) | undefined,
): Promise<Answer> {
  const { store } = deps;
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
        const first = await findFirst(deps, draft.verification);
        if (first !== undefined) return { outcome: first, tried: draft };
        const retryAfterMs = untilNextDay(draft.verification.createdAt);
        const outcome = { kind: 'limited', scope: 'route', limit: cap.limit, retryAfterMs } as const;
        return { outcome, tried: draft };
      }
    }
    const asked = ask === undefined ? draft : await ask();
    if ('kind' in asked) {
      undo();
      return { outcome: asked, tried: draft };
    }
    mayBeWritten = true;
    const outcome = await store.issue(asked.verification);
    if (outcome.kind === 'issued') verdict?.written();
    else undo();
    return { outcome, tried: asked };
  } catch (error) {
    if (!mayBeWritten || error instanceof StoreUnavailable) undo();
    else verdict?.written();
    throw error;
  }
}
