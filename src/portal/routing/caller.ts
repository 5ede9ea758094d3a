import { listBlockedRanges } from '../../accounts/blocking/blocked-ranges.ts';
import { findSettings } from '../../accounts/settings.ts';
import type { Records } from '../../core/sql/records.ts';
import type { Caller } from '../../core/verification/request.ts';

/** An account as it would ask for a message with a live key, or with none. */
export async function findCaller(records: Records, accountId: string, keyId: string): Promise<Caller> {
  const [found, ranges] = await Promise.all([
    findSettings(records, accountId),
    listBlockedRanges(records, accountId),
  ]);
  const blockedRanges = ranges.map(({ prefix }) => prefix);
  return {
    ...{ keyId, accountId, test: false },
    ...(found !== undefined && { settings: found.settings }),
    ...(blockedRanges.length > 0 && { blockedRanges }),
  };
}
