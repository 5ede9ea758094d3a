/** Somebody asked for silence about the alerts of an account, or of the installation, until a time. */
import type { Finding } from './judge.ts';
import type { RuleName } from './rule.ts';

export interface Silence {
  readonly id: string;
  /** Null: the installation. */
  readonly accountId: string | null;
  /** Null: all rules. */
  readonly rule: RuleName | null;
  /** Null: everything that the rule finds. */
  readonly subject: string | null;
  /** Unix ms. */
  readonly endsAt: number;
  readonly reason: string;
  readonly madeBy: string;
  readonly madeAt: number;
}

/** The longest that somebody may ask for. */
export const LONGEST_SILENCE_MS = 30 * 86_400_000;

/** Silences of an account, or of the installation, at one time. */
export const MAX_SILENCES = 50;

export function isSilenced(
  { accountId, rule, subject }: Pick<Finding, 'accountId' | 'rule' | 'subject'>,
  silences: readonly Pick<Silence, 'accountId' | 'rule' | 'subject' | 'endsAt'>[],
  now: number,
): boolean {
  return silences.some(
    (each) =>
      each.accountId === accountId &&
      each.endsAt > now &&
      (each.rule === null || each.rule === rule) &&
      (each.subject === null || each.subject === subject),
  );
}
