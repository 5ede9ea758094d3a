/** The guard. It judges each request from memory, with constant work, by the times that events carry: it has no clock. */
import { close, coolDown, heatUp, isClosed, isProbeDue, probe } from './closing.ts';
import {
  conversionAt,
  conversionNow,
  type Finding,
  hasBurnt,
  judgePlace,
  unconfirmedAt,
  usualRate,
} from './evidence.ts';
import { nameOf } from './hash.ts';
import { NumberTable } from './number-table.ts';
import {
  BOUNDS,
  BURNT_BEFORE,
  CERTAIN,
  CROWD,
  EXPLAINED,
  HEAT,
  HURRIED,
  HURRY,
  KINDS,
  LEAST_PATIENCE,
  NEW_COUNTRY,
  NUMBER,
  PATIENCE_LOST,
  PROVEN,
  ROOM_FOR_USUAL,
  ROOM_PER_CONFIRMATION,
  UNSUSPECTED,
  WRONG_CODE,
  WRONG_CODE_OF_ADDRESS,
} from './parameters.ts';
import { memoryOf, Place, PlaceTable, SCALES } from './place-table.ts';
import {
  ACCOUNT,
  ACCOUNT_COUNTRY,
  COUNTRY,
  KEY,
  NETWORK,
  PLACE_KINDS,
  RANGES,
  RequestPlaces,
  rangeOf,
  UNPROVEN,
} from './request-places.ts';
import { compileRules, type OperatorRule, type RuleFinder } from './rules.ts';
import { Usual } from './usual.ts';
import { Wishes } from './wishes.ts';

export interface Ask {
  /** Unix ms. Times never go back by much: an earlier one counts as the latest seen. */
  readonly at: number;
  readonly account: string;
  readonly key: string;
  /** The number as an opaque keyed hash; it alone is remembered. */
  readonly number: string;
  /** In E.164. Of it only ranges are remembered, without the last three digits at least. */
  readonly destination: string;
  readonly country: string;
  readonly ip?: string | undefined;
}

export type Judgement =
  | { readonly allow: true; readonly probe: boolean; readonly teaching: number }
  | { readonly allow: false; readonly rule: string; readonly detail: string; readonly retryAfterMs: number };

const SECOND = 1_000;
/** What is answered tells nothing about when a place opens. */
const RETRY_ROOM = 30 * SECOND;
const RETRY_CLOSED = 300 * SECOND;
const RETRY_NUMBER = 3_600 * SECOND;
const RETRY_DENIED = 86_400 * SECOND;

const KIND_OF = PLACE_KINDS.map((kind) => KINDS[kind]);
const HEAT_HALF_LIFE = PLACE_KINDS.map((kind) =>
  KINDS[kind].wide ? HEAT.halfLifeWide : HEAT.halfLifeNarrow,
);

/** Wrong codes tell about who asks, not about the numbers that were asked for. */
const WRONG_CODE_AT: Readonly<Record<number, number>> = {
  [ACCOUNT_COUNTRY]: WRONG_CODE,
  [KEY]: WRONG_CODE,
  [NETWORK]: WRONG_CODE_OF_ADDRESS,
};

/** Places that must be above suspicion for a code to teach what is usual: a narrow one, and the widest. */
const TEACHERS: ReadonlySet<number> = new Set([1, ACCOUNT_COUNTRY, COUNTRY]);

type Names = ReturnType<RequestPlaces['resolve']>;

export interface GuardOptions {
  /** The earliest time, Unix ms. */
  readonly origin: number;
  readonly rules?: readonly OperatorRule[];
  readonly bounds?: typeof BOUNDS;
}

export class Guard {
  readonly #table: PlaceTable;
  readonly #numbers: NumberTable;
  readonly #wishes: Wishes;
  readonly #usual = new Usual();
  readonly #requestPlaces = new RequestPlaces();
  readonly #countries: string[] = [];
  readonly #countryIndexes = new Map<string, number>();
  readonly #views = PLACE_KINDS.map(() => new Place());
  readonly #fresh = new Place();
  readonly #one = new Place();
  readonly #slots = new Int32Array(PLACE_KINDS.length);
  readonly #finding: Finding = { odds: 0, scale: 0, unconfirmed: 0, explained: 0 };
  #ruleFor: RuleFinder;
  #now: number;

  constructor({ origin, rules = [], bounds = BOUNDS }: GuardOptions) {
    this.#now = origin;
    this.#table = new PlaceTable(bounds.places, origin);
    this.#numbers = new NumberTable(bounds.numbers, origin);
    this.#wishes = new Wishes(bounds.open);
    this.#ruleFor = compileRules(rules);
  }

  setRules(rules: readonly OperatorRule[]): void {
    this.#ruleFor = compileRules(rules);
  }

  /** Whether a code should be sent. Changes no evidence; a closed place counts who waits before it. */
  judge(ask: Ask): Judgement {
    const now = this.#advance(ask.at);
    const rule = this.#ruleFor(ask);
    if (rule !== undefined) {
      if (rule.action === 'allow') return { allow: true, probe: false, teaching: 0 };
      const retryAfterMs = Math.min(RETRY_DENIED, (rule.until ?? Number.POSITIVE_INFINITY) - now);
      return { allow: false, rule: `operator-${rule.action}`, detail: rule.reason, retryAfterMs };
    }
    const names = this.#requestPlaces.resolve(ask);
    const name = nameOf(99, ask.number);
    const number = this.#numbers.find(name.a, name.b);
    const known = number >= 0 && this.#numbers.isKnown(number, now);
    if (number >= 0) {
      const refusal = this.#judgeNumber(number, names[ACCOUNT]?.b ?? 0, now);
      if (refusal !== undefined) return refusal;
    }
    this.#lookAt(names, now);
    const repeats = number >= 0 ? this.#numbers.unconfirmed(number, now) : 0;
    return this.#judgePlaces(ask, known, repeats, now);
  }

  /** A code was sent, whatever was judged. */
  sent(ask: Ask, judgement: Judgement): void {
    const now = this.#advance(ask.at);
    const names = this.#requestPlaces.resolve(ask);
    const name = nameOf(99, ask.number);
    const number = this.#numbers.claim(name.a, name.b);
    const repeat = this.#numbers.isRepeat(number, now);
    this.#numbers.ask(number, names[ACCOUNT]?.b ?? 0, now);
    if (repeat) {
      this.#countRepeat(
        names,
        NUMBER.repeatCounts ** (this.#numbers.unconfirmed(number, now) - 1),
        judgement,
        ask.country,
      );
      return;
    }
    if (this.#wishes.isFull()) this.#judgeDue(Number.POSITIVE_INFINITY, 1);
    const isProbe = judgement.allow && judgement.probe;
    const places = this.#slots.fill(-1);
    const unproven = this.#isUnproven(names, now);
    for (const [kind, place] of names.entries()) {
      if (place === undefined || (kind === UNPROVEN && !unproven)) continue;
      const slot = this.#table.claim(place.a, place.b, now);
      const view = this.#read(kind, slot, now, this.#one);
      // What a probe shows is told of what it probes.
      if (isProbe && kind < NETWORK && !isClosed(view)) continue;
      places[kind] = slot;
      view.open += 1;
      this.#table.write(view);
    }
    const { country } = ask;
    const ticket = this.#wishes.add({
      at: now,
      places,
      country: this.#countryIndex(country),
      shares: [this.#usual.shareBy(country, 0), this.#usual.shareBy(country, 1)],
      probe: isProbe,
      teaching: judgement.allow ? judgement.teaching : 0,
    });
    this.#numbers.openWish(number, ticket, now);
  }

  #countRepeat(names: Names, weight: number, judgement: Judgement, country: string): void {
    for (const [kind, place] of names.entries()) {
      const slot = place === undefined ? -1 : this.#table.find(place.a, place.b);
      if (slot < 0) continue;
      const view = this.#read(kind, slot, this.#now, this.#one);
      for (const scale of SCALES) view.trials[scale] += weight;
      this.#table.write(view);
    }
    if (judgement.allow) this.#usual.learnTrial(country, weight * judgement.teaching);
  }

  /** A code was confirmed. It may have been sent by another node. */
  confirmed(ask: Ask): void {
    const now = this.#advance(ask.at);
    const name = nameOf(99, ask.number);
    const number = this.#numbers.claim(name.a, name.b);
    const ticket = this.#numbers.wishOf(number);
    const isFirst = ticket !== undefined || !this.#numbers.isKnown(number, now);
    this.#numbers.confirm(number, now);
    if (!isFirst) return;
    const stage = ticket === undefined ? undefined : this.#wishes.stageOf(ticket);
    if (ticket !== undefined && stage !== undefined) {
      if (this.#wishes.isConfirmed(ticket)) return;
      this.#wishes.confirm(ticket);
      const sentAt = this.#wishes.at(ticket);
      const weight = this.#wishes.teaches(ticket);
      if (weight > 0) this.#usual.learnConfirmed(ask.country, now - sentAt, weight);
      for (const kind of PLACE_KINDS.keys()) {
        const slot = this.#wishes.place(ticket, kind);
        if (slot < 0 || this.#table.bornAt(slot) > sentAt + SECOND) continue;
        const rest = KIND_OF[kind]?.wide ? 1 : 1 - this.#wishes.shareBy(ticket, stage);
        this.#confirmAt(kind, slot, rest, now);
      }
      return;
    }
    for (const [kind, place] of this.#requestPlaces.resolve(ask).entries()) {
      const slot = place === undefined ? -1 : this.#table.find(place.a, place.b);
      if (slot >= 0) this.#confirmAt(kind, slot, 0, now);
    }
  }

  /** A wrong code was typed. */
  mismatched(ask: Ask): void {
    const now = this.#advance(ask.at);
    for (const [kind, place] of this.#requestPlaces.resolve(ask).entries()) {
      const slot = place === undefined ? -1 : this.#table.find(place.a, place.b);
      if (slot < 0 || WRONG_CODE_AT[kind] === undefined) continue;
      const view = this.#read(kind, slot, now, this.#one);
      for (const scale of SCALES) view.trials[scale] += WRONG_CODE_AT[kind] ?? 0;
      this.#table.write(view);
    }
  }

  #advance(at: number): number {
    this.#now = Math.max(this.#now, at);
    this.#judgeDue(this.#now);
    return this.#now;
  }

  /** Judges the open codes that are due; at most `most` at the last stage. */
  #judgeDue(now: number, most = Number.POSITIVE_INFINITY): void {
    for (const stage of SCALES) {
      for (let count = 0; count < most; count++) {
        const ticket = this.#wishes.takeDue(stage, now);
        if (ticket === undefined) break;
        this.#judgeOpen(ticket, stage, Math.min(now, this.#now));
      }
    }
  }

  #judgeOpen(ticket: number, stage: 0 | 1 | 2, now: number): void {
    const sentAt = this.#wishes.at(ticket);
    const isConfirmed = this.#wishes.isConfirmed(ticket);
    const share = this.#wishes.shareBy(ticket, stage + 1) - this.#wishes.shareBy(ticket, stage);
    for (const [kind, parameters] of KIND_OF.entries()) {
      const slot = this.#wishes.place(ticket, kind);
      if (slot < 0 || (parameters.wide && stage < 2) || this.#table.bornAt(slot) > sentAt + SECOND) continue;
      const weight = parameters.wide ? 1 : share;
      const view = this.#read(kind, slot, now, this.#one);
      for (const scale of SCALES) view.trials[scale] += weight;
      if (!isConfirmed) {
        view.open = Math.max(0, view.open - weight);
        if (isClosed(view)) heatUp(view, weight, this.#wishes.isProbe(ticket));
      }
      this.#table.write(view);
    }
    if (stage < 2) return;
    const teaches = this.#wishes.teaches(ticket);
    if (teaches > 0) this.#usual.learnTrial(this.#countries[this.#wishes.country(ticket)] ?? '', teaches);
  }

  #confirmAt(kind: number, slot: number, rest: number, now: number): void {
    const view = this.#read(kind, slot, now, this.#one);
    for (const scale of SCALES) view.confirmed[scale] += 1;
    view.open = Math.max(0, view.open - rest);
    if (isClosed(view)) coolDown(view);
    this.#table.write(view);
  }

  #judgeNumber(number: number, account: number, now: number): Judgement | undefined {
    if (this.#numbers.isBombed(number, account, now)) {
      const detail = 'another account has an unconfirmed code at this number';
      return { allow: false, rule: 'bombing', detail, retryAfterMs: RETRY_NUMBER };
    }
    const unconfirmed = this.#numbers.unconfirmed(number, now);
    if (unconfirmed < NUMBER.mostUnconfirmed - 0.5) return undefined;
    const detail = `${Math.round(unconfirmed)} codes to this number were not confirmed`;
    return { allow: false, rule: 'silent-number', detail, retryAfterMs: RETRY_NUMBER };
  }

  #judgePlaces(ask: Ask, known: boolean, repeats: number, now: number): Judgement {
    const { country } = ask;
    const parent = this.#usual.conversion(country);
    const parentOfAll = this.#usual.conversionOfAll();
    const parentOfNew = parentOfAll * NEW_COUNTRY;
    const [accountView, countryView, ownCountry] = [
      this.#view(ACCOUNT),
      this.#view(COUNTRY),
      this.#view(ACCOUNT_COUNTRY),
    ];
    const parentOfRanges = conversionNow(countryView, this.#view(2), parent);
    const alarms = Math.max(accountView.alarms, countryView.alarms);
    const vouched = known || isProvenRange(this.#view(1)) || isProvenRange(this.#view(0));
    const unproven = ownCountry.confirmed[2] < PROVEN / 2;
    // A country of the pool that has not disappointed yet is tried by itself, one at a time.
    const untried = ownCountry.open + unconfirmedAt(ownCountry, 2) < 1 + ownCountry.confirmed[2];
    let suspicion = 0;
    let widestRange = -1;
    let refusedBy = -1;
    for (const [kind, parameters] of KIND_OF.entries()) {
      const view = this.#view(kind);
      if (view.slot < 0 || (kind === UNPROVEN && !unproven)) continue;
      const exempt = (parameters.wide || kind === UNPROVEN) && (vouched || (kind === UNPROVEN && untried));
      if (isClosed(view)) {
        if (kind < RANGES) widestRange = kind;
        else if (!exempt && !isProbeDue(view, parameters.wide, now)) refusedBy = kind;
        continue;
      }
      const base =
        kind < RANGES
          ? parentOfRanges
          : kind <= COUNTRY
            ? parent
            : kind === UNPROVEN
              ? parentOfNew
              : parentOfAll;
      const { odds } = judgePlace(view, base, parameters, this.#finding);
      if (TEACHERS.has(kind)) suspicion = Math.max(suspicion, odds);
      if (exempt) continue;
      const isNew = view.confirmed[2] < PROVEN;
      if (parameters.closes && odds >= patienceOf(view, isNew ? alarms : 0)) {
        this.#close(kind, now);
        return this.#refuseClosed(kind, ask);
      }
      const conversion = conversionAt(view, base, parameters);
      const waiting = kind === UNPROVEN ? view.open + unconfirmedAt(view, 1) : view.open;
      if (waiting < roomOf(view, kind, conversion, repeats + (isNew ? alarms : 0))) continue;
      const detail = `${Math.round(waiting)} codes are open, which is more than confirmations have earned`;
      return {
        allow: false,
        rule: `room:${PLACE_KINDS[kind]}`,
        detail: `${this.#label(kind, ask)}: ${detail}`,
        retryAfterMs: RETRY_ROOM,
      };
    }
    if (refusedBy < 0 && widestRange >= 0 && !isProbeDue(this.#view(widestRange), false, now))
      refusedBy = widestRange;
    let isProbe = false;
    for (const [kind, { wide }] of KIND_OF.entries()) {
      const view = this.#view(kind);
      if (view.slot < 0 || !isClosed(view)) continue;
      if (kind === UNPROVEN ? !unproven || vouched || untried : wide && vouched) continue;
      if (refusedBy >= 0) view.waiting += 1;
      else {
        probe(view, now);
        isProbe = true;
      }
      this.#table.write(view);
    }
    if (refusedBy >= 0) return this.#refuseClosed(refusedBy, ask);
    return { allow: true, probe: isProbe, teaching: this.#teaching(suspicion, isProbe, ownCountry, parent) };
  }

  #close(kind: number, now: number): void {
    const view = this.#view(kind);
    close(view, now);
    this.#table.write(view);
    for (const [wider, { wide }] of KIND_OF.entries()) {
      if (wider <= kind || wider >= UNPROVEN || (kind >= RANGES && wider < ACCOUNT)) continue;
      const around = this.#view(wider);
      if (around.slot < 0) continue;
      for (const scale of SCALES) {
        const taken = Math.min(
          unconfirmedAt(around, scale),
          unconfirmedAt(view, scale) * (wide ? 1 : EXPLAINED),
        );
        around.trials[scale] -= taken;
      }
      if (wider === ACCOUNT || wider === COUNTRY) around.alarms += 1;
      this.#table.write(around);
    }
  }

  #refuseClosed(kind: number, ask: Ask): Judgement {
    const view = this.#view(kind);
    const scale = 2;
    const unconfirmed = unconfirmedAt(view, scale).toFixed(1);
    const detail = `${this.#label(kind, ask)}: ${unconfirmed} unconfirmed, ${view.confirmed[scale].toFixed(1)} confirmed`;
    return { allow: false, rule: `closed:${PLACE_KINDS[kind]}`, detail, retryAfterMs: RETRY_CLOSED };
  }

  #label(kind: number, { destination, country }: Ask): string {
    const label = KIND_OF[kind]?.label ?? '';
    if (kind < RANGES) return `${label} +${rangeOf(destination, kind + 3) ?? ''}`;
    return kind === ACCOUNT_COUNTRY || kind === COUNTRY ? `${label} ${country}` : label;
  }

  /** How much a code may teach what is usual: little in a hurry, and less the more came from the same few numbers. */
  #teaching(suspicion: number, isProbe: boolean, place: Place, conversion: number): number {
    if (isProbe || suspicion > UNSUSPECTED) return 0;
    const usual = usualRate(place, conversion) * memoryOf(0);
    const hurry = place.trials[0] + place.open > HURRY * usual + 10 ? HURRIED : 1;
    const range = this.#view(1);
    return hurry / (1 + (range.trials[2] + range.open) / CROWD);
  }

  #isUnproven(names: Names, now: number): boolean {
    const name = names[ACCOUNT_COUNTRY];
    const slot = name === undefined ? -1 : this.#table.find(name.a, name.b);
    return slot < 0 || this.#read(ACCOUNT_COUNTRY, slot, now, this.#one).confirmed[2] < PROVEN / 2;
  }

  /** Reads all places of a request; those that are not kept are as new. */
  #lookAt(names: Names, now: number): void {
    for (const [kind, view] of this.#views.entries()) {
      const name = names[kind];
      const slot = name === undefined ? -1 : this.#table.find(name.a, name.b);
      if (slot >= 0) this.#read(kind, slot, now, view);
      else view.clear(now);
    }
  }

  #view(kind: number): Place {
    return this.#views[kind] ?? this.#fresh;
  }

  #read(kind: number, slot: number, now: number, into: Place): Place {
    return this.#table.read(slot, now, into, HEAT_HALF_LIFE[kind] ?? HEAT.halfLifeWide);
  }

  #countryIndex(country: string): number {
    let index = this.#countryIndexes.get(country);
    if (index === undefined) {
      index = this.#countries.push(country) - 1;
      this.#countryIndexes.set(country, index);
    }
    return index;
  }
}

/** A narrow range where people confirmed, no more of them stayed silent, and nobody crowds. */
function isProvenRange(view: Place): boolean {
  const [quick, , days] = view.confirmed;
  const isQuiet = view.open + unconfirmedAt(view, 0) <= 2 + quick / 2;
  return view.slot >= 0 && isQuiet && days >= 0.8 && unconfirmedAt(view, 2) <= days;
}

function patienceOf(view: Place, alarms: number): number {
  const burnt = hasBurnt(view) ? BURNT_BEFORE : 0;
  return Math.max(LEAST_PATIENCE, CERTAIN - burnt - PATIENCE_LOST * Math.log(1 + alarms));
}

/** How many codes may be open: a few for the first, more by what was confirmed and by what is usual. */
function roomOf(view: Place, kind: number, conversion: number, doubts: number): number {
  const room = KIND_OF[kind]?.room ?? 0;
  const confirmed = view.confirmed[kind === UNPROVEN ? 1 : 0];
  return (
    room / (1 + doubts) + ROOM_PER_CONFIRMATION * confirmed + usualRate(view, conversion) * ROOM_FOR_USUAL
  );
}
