/** What follows from saying what a verification was (docs/guard.md). */
import type { Verification } from '#contract/verifications.ts';
import { VERDICT_MS } from '../../../../src/core/guarding/verdict.ts';
import { isCarrierTest } from '../../format/carrier-test.ts';
import { formatMinute } from '../../format/time.ts';

export const VERDICT_WORDS = { fraud: 'Fraud', good: 'Good' } as const;

type Judged = Pick<Verification, 'test' | 'key' | 'requested_at' | 'confirmed_at'>;

/** Undefined when it is too late to say anything. */
export function aboutVerdict(verification: Judged, now: number): string | undefined {
  const until = Date.parse(verification.requested_at) + VERDICT_MS;
  if (now >= until) return undefined;
  if (isCarrierTest(verification)) return 'Of the test of a carrier it is only kept.';
  if (verification.test) return 'Of a test key it is only kept.';
  const effect =
    verification.confirmed_at === null
      ? 'good excuses its silence, fraud changes nothing'
      : 'fraud takes back its confirmation, good changes nothing';
  return `For the guard, in this account only: ${effect}. You can say it until ${formatMinute(new Date(until).toISOString())}.`;
}
