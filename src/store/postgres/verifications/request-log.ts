/** Requests of keys in batches, each one call of a function. SQLite counts them one by one, in a ring of each limit. */

import { type Limits, waitWithin } from '../../../core/verification/limits.ts';
import type { RequestCount, RequestRefusal } from '../../../core/verification/reading/inquiry.ts';
import { Batcher } from '../calls/batcher.ts';
import { functionCall, listsOf } from '../calls/function-call.ts';
import type { Database } from '../connection/database.ts';

interface Call {
  readonly keyId: string;
  readonly now: number;
}

interface Refused {
  readonly call_number: number;
  readonly limit_number: number;
  readonly retry_after: number;
}

interface Outcome {
  readonly refusal: RequestRefusal | undefined;
}

const COUNTED: Outcome = { refusal: undefined };

export function createRequestLog(
  db: Database,
  schema: string,
  { requestsPerKey: limits }: Pick<Limits, 'requestsPerKey'>,
): RequestCount {
  const take = functionCall<Refused>(db, schema, 'take_requests');

  async function run(calls: readonly Call[], deadline: number): Promise<Outcome[]> {
    const args = {
      ...listsOf({ keyId: 'key_ids', now: 'created' }, calls),
      admitted: calls.map(() => true),
      ...listsOf({ max: 'maxes', windowMs: 'windows' }, limits),
    };
    const outcomes = calls.map(() => COUNTED);
    for (const { call_number, limit_number, retry_after } of await take(args, deadline)) {
      const limit = limits[limit_number - 1];
      if (limit === undefined) throw new Error('a request was refused, yet no limit is reached');
      outcomes[call_number - 1] = { refusal: { limit, retryAfterMs: waitWithin(limit, retry_after) } };
    }
    return outcomes;
  }

  const batcher = new Batcher<Call, Outcome>(db, { run, inFlight: 2 });
  return {
    async takeRequest(keyId, now) {
      return limits.length === 0 ? undefined : (await batcher.add({ keyId, now })).refusal;
    },
  };
}
