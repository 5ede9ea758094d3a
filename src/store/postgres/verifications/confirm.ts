import type { Channel } from '../../../core/destination/channel.ts';
import type { Limits } from '../../../core/verification/limits.ts';
import type { ConfirmOutcome, Guess } from '../../../core/verification/verification.ts';
import { joinHashes } from '../../shared/hash-list.ts';
import { Batcher } from '../calls/batcher.ts';
import { type Arguments, functionCall, listsOf } from '../calls/function-call.ts';
import { inOrder } from '../calls/in-order.ts';
import type { Database } from '../connection/database.ts';
import { limitsGroup } from './account-limits.ts';
import { joinIdempotency } from './idempotency.ts';
import { lowestUuid, uuidOf } from './verification-id.ts';

export interface Answered {
  readonly call_number: number;
  readonly outcome: ConfirmOutcome['kind'];
  readonly remaining: number;
  readonly channel: Channel;
  readonly country: string;
  readonly destination_sealed: string;
  readonly carrier: string | null;
  readonly sent_by: Channel | null;
  readonly created_at: number;
  readonly client_network: string | null;
  readonly brought: boolean | null;
  readonly signals: string | null;
  /** Null if nothing was judged. */
  readonly test: boolean | null;
  /** Of an earlier confirmation. */
  readonly confirmed_at?: number | null;
}

interface Asked {
  readonly uuid: string;
  readonly guess: Guess;
}

/**
 * Judges guesses in batches; SQLite judges them one by one. A verification past its `retention` is unknown, even if its
 * partition has not been dropped yet.
 */
export function createConfirm(db: Database, schema: string, limits: Limits, retention: number) {
  const judge = functionCall<Answered>(db, schema, 'confirm');
  const judgeOnce = functionCall<Answered>(db, schema, 'confirm_once');

  async function run(
    call: typeof judge,
    calls: readonly Asked[],
    keysOf: (guesses: readonly Guess[]) => Arguments,
    deadline: number,
  ): Promise<(ConfirmOutcome | undefined)[]> {
    const budgets = calls[0]?.guess.limits ?? limits.failedGuessesPerDestination;
    const { sorted, indexOf } = inOrder(calls, ({ uuid }) => uuid);
    const guesses = sorted.map(({ guess }) => guess);
    const rows = await call(
      {
        ids: sorted.map(({ uuid }) => uuid),
        ...listsOf({ accountId: 'account_ids', test: 'tests', now: 'nows' }, guesses),
        macs: guesses.map(({ codeMac, earlierCodeMacs }) => joinHashes([codeMac, ...earlierCodeMacs])),
        // Null if no call has one, so that the function skips what would use them. The verification itself knows its number.
        numbers: guesses.some(({ byNumber }) => byNumber)
          ? guesses.map(({ byNumber, numberHashes = [] }) => (byNumber ? numberHashes.join(',') : null))
          : null,
        ...keysOf(guesses),
        retention,
        ...listsOf({ max: 'maxes', windowMs: 'windows' }, budgets),
      },
      deadline,
    );
    const outcomes = new Array<ConfirmOutcome | undefined>(calls.length);
    for (const row of rows) outcomes[indexOf(row.call_number)] = confirmOutcomeOf(row);
    return outcomes;
  }

  const options = { inFlight: 2, groupOf: ({ guess }: Asked) => limitsGroup(guess) };
  const batcher = new Batcher<Asked, ConfirmOutcome>(db, {
    ...options,
    run: (calls, deadline) => run(judge, calls, () => ({}), deadline),
  });
  const once = new Batcher<Asked, ConfirmOutcome>(db, {
    ...options,
    keyOf: ({ guess: { accountId, idempotency } }) => `${accountId} ${idempotency?.keyHash}`,
    run: (calls, deadline) => run(judgeOnce, calls, keysOf, deadline),
  });
  return async (guess: Guess): Promise<ConfirmOutcome> => {
    const { id, now, idempotency } = guess;
    if (idempotency === undefined) {
      const uuid = uuidOf(id);
      return uuid === undefined ? { kind: 'unknown' } : batcher.add({ uuid, guess });
    }
    // Whatever the id, the key is looked at first. No verification has the lowest UUID of a time, which is no UUIDv7.
    return once.add({ uuid: uuidOf(id) ?? lowestUuid(now), guess });
  };
}

function keysOf(guesses: readonly Guess[]): Arguments {
  const lists = guesses.map(({ idempotency }) => joinIdempotency(idempotency));
  return { key_hashes: lists.map(({ keys }) => keys), body_hashes: lists.map(({ bodies }) => bodies) };
}

export function confirmOutcomeOf(row: Answered): ConfirmOutcome {
  const { outcome, channel, destination_sealed: destinationSealed, confirmed_at: confirmedAt } = row;
  const mismatch = { kind: 'mismatch', attemptsRemaining: row.remaining } as const;
  const asker = {
    ...{ country: row.country, clientNetwork: row.client_network },
    ...(row.signals !== null && { signals: row.signals }),
    ...(row.brought === true && { brought: true as const }),
    ...(row.test === true && { test: true as const }),
  };
  switch (outcome) {
    case 'confirmed': {
      const { carrier, sent_by: sentBy, created_at: createdAt } = row;
      const sent = { carrier, ...(sentBy !== null && { sentBy }) };
      return { kind: 'confirmed', channel, destinationSealed, ...sent, createdAt, ...asker };
    }
    case 'mismatch':
      return { ...mismatch, ...asker };
    case 'replayed':
      if (confirmedAt === undefined || confirmedAt === null) return { kind: 'replayed', first: mismatch };
      return { kind: 'replayed', first: { kind: 'confirmed', channel, destinationSealed, confirmedAt } };
    default:
      return { kind: outcome };
  }
}
