import { listBlockedRanges } from '../../accounts/blocking/blocked-ranges.ts';
import { findPredecessors } from '../../accounts/key-succession.ts';
import { findSettings } from '../../accounts/settings.ts';
import type { Records } from '../../core/sql/records.ts';
import type { Caller } from '../../core/verification/request.ts';

/** An account as it would ask for a message with a live key, or with none. */
export async function findCaller(records: Records, accountId: string, keyId: string): Promise<Caller> {
  const [found, ranges, predecessors] = await Promise.all([
    findSettings(records, accountId),
    listBlockedRanges(records, accountId),
    findPredecessors(records, keyId),
  ]);
  const blockedRanges = ranges.map(({ prefix }) => prefix);
  return {
    ...{ keyId, predecessors, accountId, test: false },
    ...(found !== undefined && { settings: found.settings }),
    ...(blockedRanges.length > 0 && { blockedRanges }),
  };
}
