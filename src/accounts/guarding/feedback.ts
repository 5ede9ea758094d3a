/**
 * What an account says of its own verifications: written with its entry in the audit log, and told to the guard for as much as may count
 * in a day. The counts are in the store, so they hold over all nodes.
 */
import { isEvidence, readSignals } from '../../core/body/signals.ts';
import {
  type GivenVerdict,
  MOST_COUNTED,
  VERDICT_MS,
  type VerdictChange,
} from '../../core/guarding/verdict.ts';
import type { Clock } from '../../core/seams/clock.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import type { GiveFeedback } from '../../core/verification/feedback.ts';
import type { GuardPort, JudgedCode } from '../../core/verification/guard-port.ts';
import type { Archive, FoundVerification } from '../../core/verification/reading/archive.ts';
import type { RequestCount } from '../../core/verification/reading/inquiry.ts';
import type { Caller } from '../../core/verification/request.ts';
import { auditOfKeyStep } from '../audit.ts';

export interface FeedbackDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: Records & Pick<Archive, 'findArchived'> & RequestCount;
  readonly guardPort: Pick<GuardPort, 'weigh' | 'judged'>;
}

export function createFeedback({ clock, store, guardPort }: FeedbackDeps): GiveFeedback {
  return async (caller, id, verdict) => {
    const { accountId, keyId, test } = caller;
    const refusal = await store.takeRequest(keyId, clock.now());
    if (refusal !== undefined) return { kind: 'limited', scope: 'key', ...refusal };
    for (;;) {
      const at = clock.now();
      const found = await store.findArchived({ accountId, test }, id, at);
      if (found === undefined || found.verification.createdAt <= at - VERDICT_MS) return { kind: 'unknown' };
      const before = found.verdict;
      if ((before?.verdict ?? null) === verdict) return { kind: 'given', id };
      const code = codeOf(caller, found);
      const given = verdict && { verdict, at, weight: guardPort.weigh(code, verdict) };
      const written = await write(store, caller, { id, accountId, found: before, given }, at);
      // Somebody else said something meanwhile, or it was erased.
      if (written === undefined) continue;
      guardPort.judged(code, before, written.given);
      return { kind: 'given', id };
    }
  };
}

function codeOf(caller: Caller, { verification, signals }: FoundVerification): JudgedCode {
  const { country, brought, confirmedAt, createdAt } = verification;
  const kept = readSignals(signals);
  return {
    ...{ caller, country, createdAt },
    device: kept.device,
    isEvidence: isEvidence(brought, kept),
    isConfirmed: confirmedAt !== null,
  };
}

/** What was written: without weight, where the day has no room for it. Undefined if it is not as it was found. */
async function write(
  records: Records,
  caller: Caller,
  change: VerdictChange,
  at: number,
): Promise<Pick<VerdictChange, 'given'> | undefined> {
  const { given } = change;
  const counts = given === null || given.weight === 0 ? [] : countsOf(caller, given);
  const answer = await records.transact([{ judge: change }, ...counts, auditOf(records, caller, change, at)]);
  if (answer.done) return { given };
  if (answer.refusedBy === 0 || given === null) return undefined;
  return write(records, caller, { ...change, given: { ...given, weight: 0 } }, at);
}

/** Each is a guard: past the most of a day it writes nothing. */
function countsOf({ accountId, keyId }: Caller, { verdict, at }: GivenVerdict): Step[] {
  const { account, key } = MOST_COUNTED[verdict];
  const subjects = [
    [`account ${accountId}`, account],
    [`key ${keyId}`, key],
  ] as const;
  return subjects.map(([subject, most]) => ({
    sql: `INSERT INTO verdict_count (subject, verdict, day, counted) VALUES ($1, $2, CAST($3 AS BIGINT), 1)
      ON CONFLICT (subject, verdict, day) DO UPDATE SET counted = verdict_count.counted + 1
      WHERE verdict_count.counted < ${most} RETURNING counted`,
    args: [subject, verdict, Math.floor(at / DAY_MS)],
    guard: true,
  }));
}

function auditOf(
  records: Records,
  { accountId, keyId }: Caller,
  { id, given }: VerdictChange,
  at: number,
): Step {
  const detail = given?.verdict ?? 'withdrawn';
  return auditOfKeyStep(records, {
    accountId,
    keyId,
    action: 'verification.judged',
    subject: id,
    detail,
    at,
  });
}

/** How many verdicts of an account count today. */
export async function countVerdicts(
  records: Records,
  accountId: string,
  now: number,
): Promise<Readonly<Record<GivenVerdict['verdict'], number>>> {
  const rows = await query(
    records,
    'SELECT verdict, counted FROM verdict_count WHERE subject = $1 AND day = CAST($2 AS BIGINT)',
    ...[`account ${accountId}`, Math.floor(now / DAY_MS)],
  );
  const countOf = (verdict: string) => Number(rows.find((row) => row.verdict === verdict)?.counted ?? 0);
  return { fraud: countOf('fraud'), good: countOf('good') };
}
