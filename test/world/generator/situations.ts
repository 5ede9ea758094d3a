/**
 * What takes several steps in one order, to which chance alone seldom comes: two accounts that write to one number, a carrier that hangs until
 * a code is over, a budget that is full before prices rise.
 */

import type { Group } from '../history.ts';
import type { Draw } from '../machine/random.ts';
import type { Model } from '../model/model.ts';
import { fullBudgets } from './situations/budgets.ts';
import { cappedRoute } from './situations/caps.ts';
import { manyTests } from './situations/carrier-tests.ts';
import { changedCeiling } from './situations/ceilings.ts';
import { stillCounted } from './situations/counted.ts';
import { daysLater } from './situations/days.ts';
import { overMeanwhile, reportedUndelivered, twoSenders } from './situations/delivery.ts';
import { failsForAMoment } from './situations/endpoints.ts';
import { erasedUnderWay } from './situations/erasure.ts';
import { anotherChannel } from './situations/fallback.ts';
import { guessesOverMidnight, usedUpGuesses } from './situations/guesses.ts';
import { ownersKey, replacedKey } from './situations/keys.ts';
import {
  askedAtOnce,
  confirmedElsewhere,
  disagrees,
  doesNotKnow,
  failsAgain,
  otherHours,
  refusedAgain,
  repeatedLater,
  setsUntold,
  turnsBad,
} from './situations/lookups.ts';
import { crowded, shortCodes } from './situations/missed-calls.ts';
import { takenBack } from './situations/rcs.ts';
import { stoppedCountry, twoRanges } from './situations/rules.ts';
import type { Situation } from './situations/situation.ts';
import { undone } from './situations/undone.ts';
import { saidAtOnce } from './situations/verdicts.ts';

/** A history of eighty steps has three or four. */
const ONE_OF = 12;
const ALL = [
  ...[fullBudgets, fullBudgets, overMeanwhile, reportedUndelivered, twoSenders, usedUpGuesses],
  ...[anotherChannel, anotherChannel, replacedKey, daysLater, guessesOverMidnight, erasedUnderWay, manyTests],
  ...[failsForAMoment, cappedRoute, ownersKey, undone, undone, stillCounted, stillCounted],
  ...[twoRanges, stoppedCountry, changedCeiling, saidAtOnce],
  ...[crowded, shortCodes, takenBack, takenBack, takenBack, takenBack, takenBack],
];

/** Half of all where numbers are asked about. */
const OF_LOOKUPS = [
  turnsBad,
  turnsBad,
  failsAgain,
  askedAtOnce,
  askedAtOnce,
  refusedAgain,
  repeatedLater,
  doesNotKnow,
  doesNotKnow,
  disagrees,
  otherHours,
  confirmedElsewhere,
  setsUntold,
];

/** The situation of one history, while there is one. */
export class Situations {
  #now: Situation | undefined;

  /** What comes next in it, or what begins one; undefined where chance goes on. */
  next(model: Model, draw: Draw): Group | undefined {
    const [s] = model.states;
    if (s === undefined) return undefined;
    if (this.#now === undefined && draw(ONE_OF) === 0) {
      const isOfLookups = s.fixed.lookups !== undefined && draw(2) === 0;
      const all = isOfLookups ? OF_LOOKUPS : ALL;
      this.#now = all[draw(all.length)]?.(s, draw);
    }
    const step = this.#now?.next(s);
    if (step?.done !== false) this.#now = undefined;
    return step?.done === false ? [step.value].flat() : undefined;
  }
}
