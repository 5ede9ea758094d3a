import type { Channel } from '../../core/destination/channel.ts';
import type { Limits } from '../../core/limits.ts';
import type { ConfirmOutcome, Guess } from '../../core/verification.ts';
import { joinHashes } from '../hash-list.ts';
import { Batcher } from './batcher.ts';
import type { Database, Statement } from './database.ts';
import { joinIdempotency } from './idempotency-lists.ts';
import { arraysOf, limitsGroup } from './limit-arrays.ts';
import { uuidOf } from './verification-id.ts';

interface Answered {
  readonly call_number: number;
  readonly outcome: ConfirmOutcome['kind'];
  readonly remaining: number;
  readonly channel: Channel;
  readonly country: string;
  readonly destination_sealed: string;
  readonly carrier: string | null;
  readonly created_at: number;
  /** Of a confirmation that came before. */
  readonly confirmed_at?: number | null;
}

interface Asked {
  readonly uuid: string;
  readonly guess: Guess;
}

/** `retention`: past it a verification is unknown, also while its partition still waits to be dropped. */
export function createConfirm(db: Database, schema: string, limits: Limits, retention: number) {
  const statementOf = (name: string, count: number): Statement => ({
    name,
    text: `SELECT * FROM ${schema}.${name}(${Array.from({ length: count }, (_, i) => `$${i + 1}`).join(', ')})`,
  });
  const judge = statementOf('confirm', 7);
  const judgeOnce = statementOf('confirm_once', 9);

  async function run(
    statement: Statement,
    calls: readonly Asked[],
    keysOf: (guesses: readonly Guess[]) => readonly unknown[],
    deadline: number,
  ): Promise<(ConfirmOutcome | undefined)[]> {
    const budgets = [...limits.failedGuessesPerDestination, ...(calls[0]?.guess.limits ?? [])];
    // In order of their ids, so that batches of two nodes lock in one order; those of one id stay as they came.
    const order = [...calls.keys()].sort((a, b) => compare(calls[a]?.uuid ?? '', calls[b]?.uuid ?? ''));
    const sorted = order.flatMap((index) => calls[index] ?? []);
    const guesses = sorted.map(({ guess }) => guess);
    const rows = await db.query<Answered>(
      statement,
      [
        sorted.map(({ uuid }) => uuid),
        guesses.map(({ accountId }) => accountId),
        guesses.map(({ codeMac, earlierCodeMacs }) => joinHashes([codeMac, ...earlierCodeMacs])),
        guesses.map(({ now }) => now),
        ...keysOf(guesses),
        retention,
        ...arraysOf(budgets),
      ],
      deadline,
    );
    const outcomes = new Array<ConfirmOutcome | undefined>(calls.length);
    for (const row of rows) {
      const index = order[row.call_number - 1];
      if (index !== undefined) outcomes[index] = outcomeOf(row);
    }
    return outcomes;
  }

  const options = { inFlight: 2, groupOf: ({ guess }: Asked) => limitsGroup(guess) };
  const batcher = new Batcher<Asked, ConfirmOutcome>({
    ...options,
    run: (calls, deadline) => run(judge, calls, () => [], deadline),
  });
  const once = new Batcher<Asked, ConfirmOutcome>({
    ...options,
    keyOf: ({ guess: { accountId, idempotency } }) => `${accountId} ${idempotency?.keyHash}`,
    run: (calls, deadline) => run(judgeOnce, calls, keysOf, deadline),
  });
  return async (guess: Guess): Promise<ConfirmOutcome> => {
    const uuid = uuidOf(guess.id);
    if (uuid === undefined) return { kind: 'unknown' };
    return (guess.idempotency === undefined ? batcher : once).add({ uuid, guess });
  };
}

function keysOf(guesses: readonly Guess[]): readonly unknown[] {
  const lists = guesses.map(({ idempotency }) => joinIdempotency(idempotency));
  return [lists.map(({ keys }) => keys), lists.map(({ bodies }) => bodies)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function outcomeOf(row: Answered): ConfirmOutcome {
  const { outcome, channel, destination_sealed: destinationSealed, confirmed_at: confirmedAt } = row;
  const mismatch = { kind: 'mismatch', attemptsRemaining: row.remaining } as const;
  switch (outcome) {
    case 'confirmed': {
      const { country, carrier, created_at: createdAt } = row;
      return { kind: 'confirmed', channel, country, destinationSealed, carrier, createdAt };
    }
    case 'mismatch':
      return mismatch;
    case 'replayed':
      if (confirmedAt === undefined || confirmedAt === null) return { kind: 'replayed', first: mismatch };
      return { kind: 'replayed', first: { kind: 'confirmed', channel, destinationSealed, confirmedAt } };
    default:
      return { kind: outcome };
  }
}
