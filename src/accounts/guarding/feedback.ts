/**
 * What an account says of its own verifications: written with its entry in the audit log, and told to the guard for as much as may count
 * in a day. The counts are in the store, so they hold over all nodes.
 */
import type { AccountSettings } from '../../core/accounts/account-settings.ts';
import { firstOfLine } from '../../core/accounts/succession.ts';
import { isEvidence, readSignals } from '../../core/body/signals.ts';
import {
  type FraudVerdict,
  type GivenVerdict,
  MOST_COUNTED,
  MOST_SAID,
  VERDICT_MS,
  type VerdictChange,
} from '../../core/guarding/verdict.ts';
import type { Clock } from '../../core/seams/clock.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import type { FeedbackAnswer, GiveFeedback, SaidTooMuch } from '../../core/verification/feedback.ts';
import type { GuardPort, JudgedCode } from '../../core/verification/guard-port.ts';
import type { Archive, FoundVerification } from '../../core/verification/reading/archive.ts';
import type { RequestCount } from '../../core/verification/reading/inquiry.ts';
import { type BothKinds, type Scope, seenByPeople } from '../../core/verification/scope.ts';
import { type AuditEntry, auditOfKeyStep, auditStep } from '../audit.ts';
import { findSettings } from '../settings.ts';
import type { Member } from '../standing.ts';

export interface FeedbackDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: Records & Pick<Archive, 'findArchived'> & RequestCount;
  readonly guardPort: Pick<GuardPort, 'weigh' | 'judged'>;
}

/** Whose word it is. */
interface Speaker {
  readonly scope: Scope | BothKinds;
  /** What counts for them, beside what counts for their account: a kind and an id. */
  readonly subject: string;
  readonly settings: AccountSettings | undefined;
  /** For the changes. */
  readonly records: Records;
  audit(entry: Pick<AuditEntry, 'accountId' | 'action' | 'subject' | 'detail' | 'at'>): Step;
}

/** Also null, which takes back what was said. */
type Said = FraudVerdict | null;

export interface Feedback {
  /** With a key, for an application. It counts as a request. */
  readonly byKey: GiveFeedback;
  /** In the portal, of what either kind of key asked for. */
  byMember(by: Member, id: string, verdict: Said): Promise<FeedbackAnswer>;
}

export function createFeedback(deps: FeedbackDeps): Feedback {
  const { clock, store } = deps;
  return {
    async byKey(caller, id, verdict) {
      const { accountId, keyId, test, settings } = caller;
      const refusal = await store.takeRequest(keyId, clock.now());
      if (refusal !== undefined) return { kind: 'limited', scope: 'key', ...refusal };
      const speaker: Speaker = {
        scope: { accountId, test },
        // A key that was rotated does not begin its day anew.
        subject: `key ${firstOfLine(caller)}`,
        settings,
        records: store,
        audit: (entry) => auditOfKeyStep(store, { ...entry, keyId }),
      };
      return give(deps, speaker, id, verdict);
    },

    async byMember(by, id, verdict) {
      const { accountId, personId, records } = by;
      const speaker: Speaker = {
        scope: seenByPeople(accountId),
        subject: `person ${personId}`,
        settings: (await findSettings(store, accountId))?.settings,
        records,
        audit: (entry) => auditStep(store, { ...entry, by }),
      };
      return give(deps, speaker, id, verdict);
    },
  };
}

async function give(
  { clock, store, guardPort }: FeedbackDeps,
  speaker: Speaker,
  id: string,
  verdict: Said,
): Promise<FeedbackAnswer> {
  const { accountId } = speaker.scope;
  for (;;) {
    const at = clock.now();
    const found = await store.findArchived(speaker.scope, id, at);
    if (found === undefined || found.verification.createdAt <= at - VERDICT_MS) return { kind: 'unknown' };
    const before = found.verdict;
    const code = codeOf(speaker, found);
    const { isConfirmed } = code;
    const given = verdict && {
      verdict,
      at: before?.verdict === verdict ? before.at : at,
      weight: guardPort.weigh(code, verdict),
    };
    if (saysNothingNew(before, given, isConfirmed)) return { kind: 'given', id };
    const change = { id, accountId, found: before, isConfirmed, given };
    const written = await write(speaker, change, found.verification.test, at);
    // Somebody else said something meanwhile, or it was erased.
    if (written === undefined) continue;
    if ('kind' in written) return written;
    if (written.given !== before) guardPort.judged(code, before, written.given);
    return { kind: 'given', id };
  }
}

/** The same again, unless it was weighed as of a code that was not confirmed, and was since. */
function saysNothingNew(before: VerdictChange['found'], given: VerdictChange['given'], isConfirmed: boolean) {
  if (before === null || given === null) return before === given;
  return before.verdict === given.verdict && !(isConfirmed && given.weight > before.weight);
}

function codeOf({ settings }: Speaker, { verification, signals }: FoundVerification): JudgedCode {
  const { accountId, keyId, test, country, brought, confirmedAt, createdAt } = verification;
  const kept = readSignals(signals);
  return {
    caller: { accountId, keyId, test, settings },
    ...{ country, createdAt },
    device: kept.device,
    isEvidence: isEvidence(brought, kept),
    isConfirmed: confirmedAt !== null,
  };
}

/** What was written: without weight, where the day has no room for it. Undefined if it is not as it was found. */
async function write(
  speaker: Speaker,
  change: VerdictChange,
  test: boolean,
  at: number,
): Promise<Pick<VerdictChange, 'given'> | SaidTooMuch | undefined> {
  const { id, accountId, found, given } = change;
  const counts = given === null || given.weight === 0 ? [] : countsOf(speaker, given.verdict, at);
  const detail = given?.verdict ?? 'withdrawn';
  const entry = speaker.audit({ accountId, action: 'verification.judged', subject: id, detail, at });
  const counted = countStep(`${test ? 'tests' : 'account'} ${accountId}`, 'change', at, MOST_SAID);
  const answer = await speaker.records.transact([{ judge: change }, counted, ...counts, entry]);
  if (answer.done) return { given };
  if (answer.refusedBy === 0) return undefined;
  if (answer.refusedBy === 1 || given === null) {
    const limit = { max: MOST_SAID, windowMs: DAY_MS };
    return { kind: 'limited', scope: 'account', limit, retryAfterMs: DAY_MS - (at % DAY_MS) };
  }
  if (found?.verdict === given.verdict) return { given: found };
  return write(speaker, { ...change, given: { ...given, weight: 0 } }, test, at);
}

function countsOf({ scope, subject }: Speaker, verdict: FraudVerdict, at: number): Step[] {
  const { account, speaker } = MOST_COUNTED[verdict];
  return [
    countStep(`account ${scope.accountId}`, verdict, at, account),
    countStep(subject, verdict, at, speaker),
  ];
}

/** A guard: past the most of a day it writes nothing. */
const countStep = (subject: string, counted: FraudVerdict | 'change', at: number, most: number): Step => ({
  sql: `INSERT INTO verdict_count (subject, verdict, day, counted) VALUES ($1, $2, CAST($3 AS BIGINT), 1)
    ON CONFLICT (subject, verdict, day) DO UPDATE SET counted = verdict_count.counted + 1
    WHERE verdict_count.counted < ${most} RETURNING counted`,
  args: [subject, counted, Math.floor(at / DAY_MS)],
  guard: true,
});

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
