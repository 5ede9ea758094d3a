/** Judges the places of one request, as they are now: which of them refuses it, and whether it may pass as a probe. */
import type { Ask, GuardJudgement, Refused } from './ask.ts';
import { close, isClosed, isProbeDue } from './closing.ts';
import {
  baselineRate,
  conversionNow,
  type EvidenceFinding,
  hasBurnt,
  judgePlace,
  unconfirmedAt,
} from './evidence.ts';
import type { GuardState } from './guard-state.ts';
import { memoryOf, Place, SCALES } from './memory/place.ts';
import {
  BURNT_BEFORE,
  CERTAIN,
  CONVERTING,
  CROWD,
  CROWDED,
  EXPLAINED,
  HURRIED,
  HURRY,
  KINDS,
  type KindParameters,
  LEAST_PATIENCE,
  LONGEST_OUTAGE,
  NEW_COUNTRY,
  PATIENCE_LOST,
  PROVEN,
  ROOM_FOR_USUAL,
  ROOM_PER_CONFIRMATION,
  STEADIER_BLOCK,
  UNSUSPECTED,
  UNTRIED,
} from './parameters.ts';
import {
  ACCOUNT,
  ACCOUNT_COUNTRY,
  COUNTRY,
  KEY,
  labelOf,
  PLACE_KINDS,
  RANGE4,
  RANGE5,
  RANGES,
  UNPROVEN,
} from './request-places.ts';

/** Places that must be above suspicion for a code to teach what is usual: a narrow one, and the widest. */
const TEACHERS: ReadonlySet<number> = new Set([1, ACCOUNT_COUNTRY, COUNTRY]);
const KIND_OF = PLACE_KINDS.map((kind) => KINDS[kind]);
/**
 * As a crowded block is judged: nothing but bots explains that it is poor, and an hour of their own confirmations must not
 * excuse them by an outage of six.
 */
const CROWDED_KIND_OF = KIND_OF.map((kind) => ({
  ...kind,
  poorer: false,
  steadiness: STEADIER_BLOCK,
  learntOver: LONGEST_OUTAGE,
}));
/** The wider place that a crowded block has much of. */
const CROWDS_IN: Readonly<Record<number, number>> = { [RANGE4]: RANGE5, [RANGE5]: COUNTRY };
const ALL_KINDS = KIND_OF.length;
const NOWHERE = new Place();
const NONE: readonly number[] = [];

/** What the places of a request say of each other. */
interface Surroundings {
  /** The conversion that is usual: in the ranges, in the country, anywhere, in countries that are new. */
  readonly ranges: number;
  readonly country: number;
  readonly anywhere: number;
  readonly newCountries: number;
  /** Places closed of late around it. */
  readonly alarms: number;
  /** Whether its number or its narrow range confirmed: closed wide places let it pass. */
  readonly vouched: boolean;
  /** Whether nothing was confirmed in this country for the account. */
  readonly unproven: boolean;
  /** A country of the pool that has not disappointed yet is tried by itself, one at a time. */
  readonly untried: boolean;
  /** Whether people of this country confirm for the account: a closed key lets them pass. */
  readonly converting: boolean;
  /** Whether the numbers of this country are so short that one block of 100,000 may be much of it. */
  readonly small: boolean;
}

export interface PlaceJudgement extends EvidenceFinding {
  readonly patience: number;
  readonly room: number;
  readonly waiting: number;
  /** Whether it takes no more codes for now. */
  readonly isFull: boolean;
}

export class PlaceJudge {
  readonly #state: GuardState;
  readonly #finding: EvidenceFinding = { conversion: 0, odds: 0, scale: 0, unconfirmed: 0, explained: 0 };

  constructor(state: GuardState) {
    this.#state = state;
  }

  /**
   * Judges the views of the book. `repeats` are codes that the number did not confirm. What nobody may confirm here (`learns` is
   * false) tries no closed place, and closes none: it must change nothing for the others.
   */
  judge(ask: Ask, known: boolean, repeats: number, now: number, learns = true): GuardJudgement {
    const around = this.#lookAround(ask, known);
    let suspicion = 0;
    let widestRange = -1;
    let refusedBy = -1;
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const view = this.#view(kind);
      if (view.slot < 0 || (kind === UNPROVEN && !around.unproven)) continue;
      const isCrowded = this.#isCrowded(kind, around);
      const parameters = parametersOf(kind, isCrowded);
      const exempt = isExempt(kind, parameters, around);
      if (isClosed(view)) {
        if (kind < RANGES) widestRange = kind;
        else if (!exempt && !mayTry(view, parameters.wide, now, learns)) refusedBy = kind;
        continue;
      }
      const teaches = TEACHERS.has(kind);
      if (exempt && !teaches) continue;
      const base = baseOf(kind, around, isCrowded);
      const { odds, conversion } = judgePlace(view, base, parameters, this.#finding);
      if (teaches) suspicion = Math.max(suspicion, odds);
      if (exempt) continue;
      if (parameters.closes && odds >= patienceOf(view, around.alarms)) {
        if (learns) this.#close(kind, now);
        return this.#refuse(kind, ask, NONE);
      }
      const waiting = waitingAt(view, kind);
      const earned = earnedRoomOf(view, kind, repeats, around.alarms);
      if (waiting < earned || waiting < earned + usualRoomOf(view, conversion)) continue;
      const detail = `${labelOf(kind, ask)}: ${Math.round(waiting)} codes are open, more than confirmations have earned`;
      return { allow: false, closed: NONE, rule: `room:${PLACE_KINDS[kind]}`, detail };
    }
    // Ranges lie within each other: the probes of the widest that is closed are those of all.
    if (refusedBy < 0 && widestRange >= 0 && !mayTry(this.#view(widestRange), false, now, learns)) {
      refusedBy = widestRange;
    }
    const closed = this.#closedTo(around);
    if (refusedBy >= 0) return this.#refuse(refusedBy, ask, closed);
    const isProbe = closed.length > 0;
    const teaching = isProbe ? 0 : this.#teaching(suspicion, around.country);
    return { allow: true, probe: isProbe, teaching, closed };
  }

  /** The evidence at the views of the book, by kind; for explaining, so it changes nothing. */
  look(ask: Ask, known: boolean, repeats: number): PlaceJudgement[] {
    const around = this.#lookAround(ask, known);
    return KIND_OF.map((_, kind) => {
      const view = this.#view(kind);
      const isCrowded = this.#isCrowded(kind, around);
      const parameters = parametersOf(kind, isCrowded);
      const base = baseOf(kind, around, isCrowded);
      const finding = { conversion: 0, odds: 0, scale: 0, unconfirmed: 0, explained: 0 } as const;
      const found = judgePlace(view, base, parameters, { ...finding });
      const patience = patienceOf(view, around.alarms);
      const earned = earnedRoomOf(view, kind, repeats, around.alarms);
      const room = earned + usualRoomOf(view, found.conversion);
      const waiting = waitingAt(view, kind);
      const isExcused = isExempt(kind, parameters, around) || (kind === UNPROVEN && !around.unproven);
      return { ...found, patience, room, waiting, isFull: waiting >= room && !isExcused };
    });
  }

  #lookAround({ country, destination }: Ask, known: boolean): Surroundings {
    const own = this.#view(ACCOUNT_COUNTRY);
    const everywhere = this.#view(COUNTRY);
    const baseline = this.#state.baseline.conversion(country);
    const anywhere = this.#state.baseline.conversionOfAll();
    return {
      ranges: conversionNow(everywhere, this.#view(2), baseline),
      country: baseline,
      anywhere,
      newCountries: anywhere * NEW_COUNTRY,
      alarms: Math.max(this.#view(ACCOUNT).alarms, everywhere.alarms),
      vouched: known || isProvenRange(this.#view(0)) || isProvenRange(this.#view(1)),
      unproven: own.confirmed[2] < PROVEN / 2,
      untried: own.open + unconfirmedAt(own, 1) < UNTRIED + own.confirmed[1],
      small: destination.length < CROWDED.shortest,
      converting: own.confirmed[1] >= PROVEN && unconfirmedAt(own, 1) < CONVERTING * own.confirmed[1],
    };
  }

  /** The closed places that a request tries as a probe, or waits before. */
  #closedTo(around: Surroundings): readonly number[] {
    let closed: number[] | undefined;
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const view = this.#view(kind);
      if (view.slot < 0 || !isClosed(view) || isExempt(kind, parametersOf(kind, false), around)) continue;
      if (kind === UNPROVEN && !around.unproven) continue;
      closed ??= [];
      closed.push(kind);
    }
    return closed ?? NONE;
  }

  /** Closes a place. What it explains is taken off the wider places around it, and they lose patience. */
  #close(kind: number, now: number): void {
    const view = this.#view(kind);
    close(view, now);
    this.#state.keep(kind, view);
    for (const [wider, { wide }] of KIND_OF.entries()) {
      if (wider <= kind || wider >= UNPROVEN || (kind >= RANGES && wider < ACCOUNT)) continue;
      const around = this.#view(wider);
      if (around.slot < 0) continue;
      for (const scale of SCALES) {
        const share = wide ? 1 : EXPLAINED;
        const explained = Math.min(unconfirmedAt(around, scale), unconfirmedAt(view, scale) * share);
        around.trials[scale] -= explained;
      }
      const alarms = wider === ACCOUNT || wider === COUNTRY ? 1 : 0;
      around.alarms += alarms;
      this.#state.keep(wider, around, alarms);
    }
  }

  #refuse(kind: number, ask: Ask, closed: readonly number[]): Refused {
    const view = this.#view(kind);
    const counts = `${unconfirmedAt(view, 2).toFixed(1)} unconfirmed, ${view.confirmed[2].toFixed(1)} confirmed`;
    const detail = `${labelOf(kind, ask)}: ${counts}`;
    return { allow: false, closed, rule: `closed:${PLACE_KINDS[kind]}`, detail };
  }

  /** How much a code may teach what is usual: little in a hurry, and less the more came from the same few numbers. */
  #teaching(suspicion: number, conversion: number): number {
    if (suspicion > UNSUSPECTED) return 0;
    const place = this.#view(ACCOUNT_COUNTRY);
    const block = this.#view(1);
    const baseline = baselineRate(place, conversion) * memoryOf(0);
    const hurry = place.trials[0] + place.open > HURRY * baseline + 10 ? HURRIED : 1;
    return hurry / (1 + (block.trials[2] + block.open) / CROWD);
  }

  /** Whether much of a wider place's codes went to this block. One of 1,000 is small enough to be a crowd by itself. */
  #isCrowded(kind: number, { small }: Surroundings): boolean {
    if (kind === 0) return true;
    const wider = CROWDS_IN[kind];
    if (wider === undefined || (small && wider === COUNTRY)) return false;
    const own = sentTo(this.#view(kind));
    return own > CROWDED.least && own > CROWDED.share * sentTo(this.#view(wider));
  }

  #view(kind: number): Place {
    return this.#state.views[kind] ?? NOWHERE;
  }
}

/** Whether a request may try a closed place: what nobody may confirm here never does. */
function mayTry(view: Place, wide: boolean, now: number, learns: boolean): boolean {
  return learns && isProbeDue(view, wide, now);
}

function isExempt(kind: number, { wide }: KindParameters, around: Surroundings): boolean {
  const { vouched, untried, converting } = around;
  if (kind === UNPROVEN) return vouched || untried;
  return (wide && vouched) || (kind === KEY && converting);
}

function parametersOf(kind: number, isCrowded: boolean): KindParameters {
  return (isCrowded ? CROWDED_KIND_OF : KIND_OF)[kind] ?? KINDS.account;
}

function baseOf(kind: number, around: Surroundings, isCrowded: boolean): number {
  // Hundreds of one block are no sample of a poor country's people: they must convert as people do anywhere.
  if (isCrowded && around.ranges >= around.country) return Math.max(around.country, around.anywhere);
  if (kind < RANGES) return around.ranges;
  if (kind <= COUNTRY) return around.country;
  return kind === UNPROVEN ? around.newCountries : around.anywhere;
}

/** Codes of the last days, those too that may yet be confirmed: a wide place judges them later. */
function sentTo({ trials, open }: Place): number {
  return trials[2] + open;
}

/** A narrow range where people confirmed, no more of them stayed silent, and nobody crowds. */
function isProvenRange(view: Place): boolean {
  const { 0: quick, 2: days } = view.confirmed;
  const isQuiet = view.open + unconfirmedAt(view, 0) <= 2 + quick / 2;
  return view.slot >= 0 && isQuiet && days >= 0.8 && unconfirmedAt(view, 2) <= days;
}

/** The odds at which a place closes: less where it burnt before, and where others burn and it has proven nothing. */
function patienceOf(view: Place, alarms: number): number {
  const burnt = hasBurnt(view) ? BURNT_BEFORE : 0;
  const lost = view.confirmed[2] < PROVEN ? PATIENCE_LOST * Math.log(1 + alarms) : 0;
  return Math.max(LEAST_PATIENCE, CERTAIN - burnt - lost);
}

function waitingAt(view: Place, kind: number): number {
  return kind === UNPROVEN ? view.open + unconfirmedAt(view, 1) : view.open;
}

/** How many codes may be open: a few for the first, and more by what was confirmed. */
function earnedRoomOf(view: Place, kind: number, repeats: number, alarms: number): number {
  const doubts = repeats + (view.confirmed[2] < PROVEN ? alarms : 0);
  const confirmed = view.confirmed[kind === UNPROVEN ? 1 : 0];
  return (KIND_OF[kind]?.room ?? 0) / (1 + doubts) + ROOM_PER_CONFIRMATION * confirmed;
}

/** And more by what is usual. */
function usualRoomOf(view: Place, conversion: number): number {
  return baselineRate(view, conversion) * ROOM_FOR_USUAL;
}
