/**
 * What every store must do, whatever stands behind it: all that the port promises, over one store at a time. A store
 * takes part by saying how it is opened. Times are given by the caller throughout, so no test waits.
 */
import { suite } from 'node:test';
import { describeAccountKeys } from './contract/account-keys.ts';
import { describeAccountLimits } from './contract/account-limits.ts';
import { describeAccountSettings } from './contract/account-settings.ts';
import { describeArchive } from './contract/archive.ts';
import { describeBudget } from './contract/budget.ts';
import { describeCarrierStates } from './contract/carrier-states.ts';
import { describeClock } from './contract/clock.ts';
import { describeClosing } from './contract/closing.ts';
import { describeConfirmIdempotency } from './contract/confirm-idempotency.ts';
import { describeIdempotency } from './contract/idempotency.ts';
import { describeInbox } from './contract/inbox.ts';
import { describeKeys } from './contract/keys.ts';
import { describeLimits } from './contract/limits.ts';
import { describePurge } from './contract/purge.ts';
import { describeQueue } from './contract/queue.ts';
import { describeQuotas } from './contract/quotas.ts';
import { describeRaces } from './contract/races.ts';
import { describeReceipts } from './contract/receipts.ts';
import { describeRecords } from './contract/records.ts';
import type { OpenStore } from './contract/rig.ts';
import { describeSettlements } from './contract/settlements.ts';
import { describeTallies } from './contract/tallies.ts';
import { describeTallyMerging } from './contract/tally-merging.ts';
import { describeTallyRaces } from './contract/tally-races.ts';
import { describeTallySpans } from './contract/tally-spans.ts';
import { describeVerifications } from './contract/verifications.ts';
import { describeVersionBefore } from './contract/version-before.ts';

export function describeStore(name: string, open: OpenStore): void {
  suite(`${name} store`, () => {
    describeVerifications(open);
    describeBudget(open);
    describeLimits(open);
    describeAccountLimits(open);
    describeIdempotency(open);
    describeConfirmIdempotency(open);
    describeRaces(open);
    describeQueue(open);
    describeSettlements(open);
    describeReceipts(open);
    describeKeys(open);
    describeAccountKeys(open);
    describeAccountSettings(open);
    describeRecords(open);
    describeInbox(open);
    describePurge(open);
    describeTallies(open);
    describeTallyRaces(open);
    describeTallyMerging(open);
    describeTallySpans(open);
    describeQuotas(open);
    describeCarrierStates(open);
    describeArchive(open);
    describeClock(open);
    describeClosing(open);
    describeVersionBefore(open);
  });
}
