/**
 * When an alert fires, who is told again, and when it is over. Pure: a store keeps what is returned, and a clock is handed in. An
 * alert fires after it was bad for a while, and is over after it was good for a while, so that what flickers is told once.
 */
import type { RuleName } from './rule.ts';

/** What was found at one look. What is good is not found. */
export interface AlertFinding {
  readonly rule: RuleName;
  /** Null: it is the installation's. */
  readonly accountId: string | null;
  /** What it is about within the rule, such as `country DE`. */
  readonly subject: string;
  /** `near`: not bad enough to fire, and not good enough to be over. */
  readonly level: 'bad' | 'near';
  /** For people, in a sentence. */
  readonly detail: string;
  /** The page of the portal that explains it, within an account: `overview?country=DE`; `alerts` if none does. */
  readonly place: string;
}

/** What is known of an alert that is not over. Times are Unix ms. */
export interface Standing {
  readonly badSince: number;
  /** Null while it does not fire yet. */
  readonly firingSince: number | null;
  /** Null while it is bad. */
  readonly goodSince: number | null;
  /** When people were last told that it fires; null while it does not. */
  readonly toldAt: number | null;
}

export type NoticeKind = 'firing' | 'reminder' | 'recovered';

interface Timing {
  readonly holdMs: number;
  readonly recoverMs: number;
  readonly passing: boolean;
}

export interface Case {
  /** Undefined if nothing was bad before. */
  readonly standing: Standing | undefined;
  readonly level: AlertFinding['level'] | undefined;
  readonly now: number;
  readonly timing: Timing;
}

export type AlertJudgement =
  /** There is nothing to keep. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'stands'; readonly standing: Standing; readonly notice: NoticeKind | undefined }
  /** It fired, and is over. */
  | { readonly kind: 'over'; readonly notice: NoticeKind | undefined };

/** People are reminded of what still fires. */
export const REMIND_MS = 24 * 3_600_000;

export function judgeAlert({ standing, level, now, timing }: Case): AlertJudgement {
  if (standing === undefined) {
    if (level !== 'bad') return { kind: 'nothing' };
    return tell(
      fire({ badSince: now, firingSince: null, goodSince: null, toldAt: null }, now, timing),
      now,
      timing,
    );
  }
  const known = notAfter(standing, now);
  if (known.firingSince === null) {
    if (level === undefined) return { kind: 'nothing' };
    // What is only near keeps waiting, but does not fire.
    if (level === 'near') return { kind: 'stands', standing: known, notice: undefined };
    return tell(fire(known, now, timing), now, timing);
  }
  if (level !== undefined) return tell({ ...known, goodSince: null }, now, timing);
  const goodSince = known.goodSince ?? now;
  if (now - goodSince < timing.recoverMs) return tell({ ...known, goodSince }, now, timing);
  return { kind: 'over', notice: timing.passing ? undefined : 'recovered' };
}

function fire(standing: Standing, now: number, { holdMs }: Timing): Standing {
  return now - standing.badSince >= holdMs ? { ...standing, firingSince: now } : standing;
}

function tell(standing: Standing, now: number, timing: Timing): AlertJudgement {
  const { firingSince, goodSince, toldAt } = standing;
  if (firingSince === null) return { kind: 'stands', standing, notice: undefined };
  const told = { ...standing, toldAt: now };
  if (toldAt === null) return { kind: 'stands', standing: told, notice: 'firing' };
  const isDue = !timing.passing && goodSince === null && now - toldAt >= REMIND_MS;
  return isDue
    ? { kind: 'stands', standing: told, notice: 'reminder' }
    : { kind: 'stands', standing, notice: undefined };
}

/** A clock that was ahead has been corrected: nothing happened later than now. */
function notAfter({ badSince, firingSince, goodSince, toldAt }: Standing, now: number): Standing {
  const least = (at: number | null) => (at === null ? null : Math.min(at, now));
  return {
    badSince: Math.min(badSince, now),
    firingSince: least(firingSince),
    goodSince: least(goodSince),
    toldAt: least(toldAt),
  };
}
