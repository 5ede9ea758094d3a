/** The evidence at each place of a request, in words and figures. */
import type { Ask } from './ask.ts';
import { isClosed, pauseOf } from './closing.ts';
import type { PlaceJudgement } from './judge-places.ts';
import type { Place } from './memory/place.ts';
import { KINDS, type PlaceKind } from './parameters.ts';
import { labelOf, PLACE_KINDS } from './request-places.ts';
import type { OperatorRule } from './rules.ts';

export interface PlaceExplanation {
  readonly kind: PlaceKind;
  readonly label: string;
  /** `full`: more codes are open there than confirmations have earned. */
  readonly state: 'new' | 'open' | 'full' | 'closed';
  /** By memory: minutes, hours, days. */
  readonly sent: readonly number[];
  readonly confirmed: readonly number[];
  /** The conversion that is usual here. */
  readonly baseline: number;
  /** The strongest evidence: so many unconfirmed, where so many are explained. */
  readonly unconfirmed: number;
  readonly explained: number;
  /** The log of the odds that this is an attack, and at which it closes. */
  readonly odds: number;
  readonly closesAt: number;
  /** Of a closed place: single messages that failed of late, and about when the next one may pass, Unix ms. */
  readonly probes: { readonly failed: number; readonly nextAt: number } | undefined;
  readonly words: string;
}

export interface GuardExplanation {
  readonly rule: OperatorRule | undefined;
  readonly number: {
    /** Whether it confirmed, and nothing has been asked for in vain since. */
    readonly isKnown: boolean;
    readonly unconfirmed: number;
    /** Whether another account has a code open there: it is refused to who asks. */
    readonly isOfAnother: boolean;
  };
  readonly places: readonly PlaceExplanation[];
}

const MEMORIES = ['minutes', 'hours', 'days'] as const;

export function explainPlaces(
  ask: Ask,
  views: readonly Place[],
  judgements: readonly PlaceJudgement[],
): PlaceExplanation[] {
  return PLACE_KINDS.flatMap((kind, index) => {
    const [view, judgement] = [views[index], judgements[index]];
    if (view === undefined || judgement === undefined) return [];
    return {
      kind,
      label: labelOf(index, ask),
      state: view.slot < 0 ? 'new' : isClosed(view) ? 'closed' : judgement.isFull ? 'full' : 'open',
      sent: view.trials.map((trials, scale) => Math.max(trials, view.confirmed[scale] ?? 0)),
      confirmed: [...view.confirmed],
      baseline: judgement.conversion,
      unconfirmed: judgement.unconfirmed,
      explained: judgement.explained,
      odds: judgement.odds,
      closesAt: judgement.patience,
      probes: isClosed(view)
        ? { failed: view.failures, nextAt: view.probedAt + pauseOf(view, KINDS[kind].wide) }
        : undefined,
      words: inWords(kind, view, judgement),
    };
  });
}

function inWords(kind: PlaceKind, view: Place, judgement: PlaceJudgement): string {
  if (view.slot < 0) return 'nothing was sent here yet';
  const { odds, unconfirmed, explained, scale, patience, room, waiting } = judgement;
  if (isClosed(view)) {
    const pause = Math.round(pauseOf(view, KINDS[kind].wide) / 1_000);
    return `closed; a message tries it about every ${pause} s, ${view.failures.toFixed(1)} of them failed`;
  }
  const open = `${waiting.toFixed(0)} codes open, room for ${Number.isFinite(room) ? room.toFixed(0) : 'any'}`;
  if (odds === 0) return `as usual; ${open}`;
  const figures = `${unconfirmed.toFixed(1)} unconfirmed in ${MEMORIES[scale]} where ${explained.toFixed(1)} are explained`;
  return `${figures}: odds of e^${odds.toFixed(1)}, closes at e^${patience.toFixed(1)}; ${open}`;
}
