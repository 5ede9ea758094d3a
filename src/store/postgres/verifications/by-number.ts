/**
 * Confirms codes by their number in batches, and cancels codes. Live codes are found in a table of those that were issued for
 * it; SQLite finds them by the index of its send limits.
 */

import {
  type LiveCode,
  MOST_LIVE,
  type NumberGuess,
  type NumberOutcome,
  type NumberStore,
} from '../../../core/verification/by-number/number-store.ts';
import type { Limits } from '../../../core/verification/limits.ts';
import { joinHashes } from '../../shared/hash-list.ts';
import { Batcher } from '../calls/batcher.ts';
import { functionCall, listsOf } from '../calls/function-call.ts';
import { inOrder } from '../calls/in-order.ts';
import type { Database } from '../connection/database.ts';
import { limitsGroup } from './account-limits.ts';
import { type Answered, confirmOutcomeOf } from './confirm.ts';
import { idOf, ownUuidOf, uuidOf } from './verification-id.ts';

type AnsweredApproval = Omit<AnsweredByNumber, 'outcome'> & {
  readonly outcome: AnsweredByNumber['outcome'] | 'not-brought';
};

interface AnsweredByNumber extends Answered {
  /** Null if it was not judged. */
  readonly id: string | null;
}

export function createByNumber(db: Database, schema: string, limits: Limits, retention: number): NumberStore {
  const judge = functionCall<AnsweredByNumber>(db, schema, 'confirm_by_number');
  const approve = functionCall<AnsweredApproval>(db, schema, 'approve');
  const cancel = functionCall<{ readonly cancel: boolean }>(db, schema, 'cancel');
  const live = {
    name: 'live_codes',
    text: `
      SELECT verification_id AS id, channel FROM code_by_number WHERE destination_hash = ANY ($1) AND expires_at > $2
      ORDER BY verification_id DESC LIMIT ${MOST_LIVE}`,
  };

  async function run(
    calls: readonly NumberGuess[],
    deadline: number,
  ): Promise<(NumberOutcome | undefined)[]> {
    const budgets = calls[0]?.limits ?? limits.failedGuessesPerDestination;
    const candidates = calls.flatMap((call, index) =>
      call.candidates.map(({ id, codeMac, earlierCodeMacs }) => ({
        call: index + 1,
        uuid: ownUuidOf(id),
        ...{ accountId: call.accountId, test: call.test },
        mac: joinHashes([codeMac, ...earlierCodeMacs]),
        hashes: joinHashes([call.destinationHash, ...call.earlierDestinationHashes]),
        now: call.now,
      })),
    );
    const { sorted } = inOrder(candidates, ({ uuid }) => uuid);
    const rows = await judge(
      {
        ...listsOf({ call: 'calls', uuid: 'ids', accountId: 'account_ids', test: 'tests' }, sorted),
        ...listsOf({ mac: 'macs', hashes: 'hashes', now: 'nows' }, sorted),
        retention,
        ...listsOf({ max: 'maxes', windowMs: 'windows' }, budgets),
      },
      deadline,
    );
    const outcomes = new Array<NumberOutcome | undefined>(calls.length);
    for (const row of rows) outcomes[row.call_number - 1] = numberOutcomeOf(row);
    return outcomes;
  }

  const batcher = new Batcher<NumberGuess, NumberOutcome>(db, {
    run,
    inFlight: 2,
    groupOf: limitsGroup,
    keyOf: ({ destinationHash }) => destinationHash,
  });

  return {
    async findLive({ destinationHash, earlierDestinationHashes, now }) {
      const hashes = [destinationHash, ...earlierDestinationHashes];
      const rows = await db.read<LiveCode>(live, [hashes, now]);
      return rows.map(({ id, channel }) => ({ id: idOf(id), channel }));
    },

    confirmByNumber: async (guess) =>
      guess.candidates.length === 0 ? { kind: 'unknown' } : batcher.add(guess),

    async approve({ id, accountId, test, now, limits: own, numberHashes = [] }) {
      const wanted = uuidOf(id);
      if (wanted === undefined) return { kind: 'unknown' };
      const [row] = await approve({
        ...{
          wanted,
          account: accountId,
          is_test: test,
          now,
          retention,
          number_hashes: joinHashes(numberHashes),
        },
        ...listsOf({ max: 'maxes', windowMs: 'windows' }, own ?? limits.failedGuessesPerDestination),
      });
      if (row === undefined) return { kind: 'unknown' };
      const { outcome } = row;
      return outcome === 'not-brought' ? { kind: outcome } : numberOutcomeOf({ ...row, outcome });
    },

    async cancel({ id, accountId, test, now }) {
      const wanted = uuidOf(id);
      if (wanted === undefined) return false;
      const [row] = await cancel({ wanted, account: accountId, is_test: test, now, retention });
      return row?.cancel === true;
    },
  };
}

function numberOutcomeOf(row: AnsweredByNumber): NumberOutcome {
  const outcome = confirmOutcomeOf(row);
  switch (outcome.kind) {
    case 'confirmed':
    case 'mismatch':
      if (row.id === null) throw new Error('a guess was judged as no verification');
      return { ...outcome, id: idOf(row.id) };
    case 'unknown':
      return { kind: 'unknown' };
    default:
      // The budget of the number is used up: nothing else refuses what was just found live.
      return { kind: 'attempts-exhausted' };
  }
}
