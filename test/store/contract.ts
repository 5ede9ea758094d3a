/**
 * What every store must do, whatever stands behind it: all that the port promises, over one store at a time. A store
 * takes part by saying how it is opened. Times are given by the caller throughout, so no test waits.
 */
import { suite } from 'node:test';
import { describeBudget } from './contract/messages/budget.ts';
import { describeCarrierStates } from './contract/messages/carrier-states.ts';
import { describeInbox } from './contract/messages/inbox.ts';
import { describeQueue } from './contract/messages/queue.ts';
import { describeQuotas } from './contract/messages/quotas.ts';
import { describeReceipts } from './contract/messages/receipts.ts';
import { describeSettlements } from './contract/messages/settlements.ts';
import { describeAccountKeys } from './contract/records/account-keys.ts';
import { describeAccountSettings } from './contract/records/account-settings.ts';
import { describeGuardMemory } from './contract/records/guard-memory.ts';
import { describeGuardRecord } from './contract/records/guard-record.ts';
import { describeGuardRules } from './contract/records/guard-rules.ts';
import { describeKeys } from './contract/records/keys.ts';
import { describeRecords } from './contract/records/records.ts';
import { describeTraceLinks } from './contract/records/trace-links.ts';
import { describeWebhooks } from './contract/records/webhooks.ts';
import type { OpenStore } from './contract/rig.ts';
import { describeTallies } from './contract/statistics/tallies.ts';
import { describeTallyMerging } from './contract/statistics/tally-merging.ts';
import { describeTallyRaces } from './contract/statistics/tally-races.ts';
import { describeTallySpans } from './contract/statistics/tally-spans.ts';
import { describeClock } from './contract/upkeep/clock.ts';
import { describeClosing } from './contract/upkeep/closing.ts';
import { describePurge } from './contract/upkeep/purge.ts';
import { describeVersionBefore } from './contract/upkeep/version-before.ts';
import { describeAccountLimits } from './contract/verifications/account-limits.ts';
import { describeArchive } from './contract/verifications/archive.ts';
import { describeBlocked } from './contract/verifications/blocked.ts';
import { describeBody } from './contract/verifications/body.ts';
import { describeBudgets } from './contract/verifications/budgets.ts';
import { describeByNumber } from './contract/verifications/by-number.ts';
import { describeByNumberRaces } from './contract/verifications/by-number-races.ts';
import { describeConfirmIdempotency } from './contract/verifications/confirm-idempotency.ts';
import { describeErasure } from './contract/verifications/erasure.ts';
import { describeHistory } from './contract/verifications/history.ts';
import { describeIdempotency } from './contract/verifications/idempotency.ts';
import { describeLimits } from './contract/verifications/limits.ts';
import { describeRaces } from './contract/verifications/races.ts';
import { describeVerifications } from './contract/verifications/verifications.ts';

export function describeStore(name: string, open: OpenStore): void {
  suite(`${name} store`, () => {
    describeVerifications(open);
    describeBody(open);
    describeBudget(open);
    describeBlocked(open);
    describeBudgets(open);
    describeLimits(open);
    describeAccountLimits(open);
    describeIdempotency(open);
    describeConfirmIdempotency(open);
    describeRaces(open);
    describeByNumber(open);
    describeByNumberRaces(open);
    describeErasure(open);
    describeQueue(open);
    describeSettlements(open);
    describeReceipts(open);
    describeKeys(open);
    describeAccountKeys(open);
    describeAccountSettings(open);
    describeGuardRules(open);
    describeWebhooks(open);
    describeRecords(open);
    describeTraceLinks(open);
    describeGuardMemory(open);
    describeGuardRecord(open);
    describeInbox(open);
    describePurge(open);
    describeTallies(open);
    describeTallyRaces(open);
    describeTallyMerging(open);
    describeTallySpans(open);
    describeQuotas(open);
    describeCarrierStates(open);
    describeArchive(open);
    describeHistory(open);
    describeClock(open);
    describeClosing(open);
    describeVersionBefore(open);
  });
}
