import type { Channel } from '../../core/destination.ts';
import type { Limits } from '../../core/limits.ts';
import type { ConfirmOutcome, Guess } from '../../core/verification.ts';
import { Batcher } from './batcher.ts';
import type { Database } from './database.ts';
import { arraysOf, limitsGroup } from './limit-arrays.ts';
import { uuidOf } from './verification-id.ts';

interface Judged {
  readonly call_number: number;
  readonly confirmed: boolean;
  readonly remaining: number;
  readonly channel: Channel;
  readonly country: string;
  readonly destination_sealed: string;
  readonly carrier: string | null;
  readonly created_at: number;
}

type Refusal = Exclude<ConfirmOutcome['kind'], 'confirmed' | 'mismatch'>;

interface Asked {
  readonly uuid: string;
  readonly guess: Guess;
}

/** `retention`: past it a verification is unknown, also while its partition still waits to be dropped. */
export function createConfirm(db: Database, schema: string, limits: Limits, retention: number) {
  const judge = {
    name: 'confirm',
    text: `SELECT * FROM ${schema}.confirm($1, $2, $3, $4, $5, $6, $7, $8)`,
  };
  const explain = {
    name: 'explain_refusals',
    text: `SELECT * FROM ${schema}.explain_refusals($1, $2, $3, $4, $5, $6) AS reason`,
  };

  async function run(calls: readonly Asked[], deadline: number): Promise<(ConfirmOutcome | undefined)[]> {
    const budgets = [...limits.failedGuessesPerDestination, ...(calls[0]?.guess.limits ?? [])];
    const rules = [retention, ...arraysOf(budgets)];
    // In order of their ids, so that batches of two nodes lock in one order; those of one id stay as they came.
    const order = [...calls.keys()].sort((a, b) => compare(calls[a]?.uuid ?? '', calls[b]?.uuid ?? ''));
    const sorted = order.flatMap((index) => calls[index] ?? []);
    const judged = await db.query<Judged>(
      judge,
      [
        ...askersOf(sorted),
        sorted.map(({ guess }) => guess.codeMac),
        sorted.map(({ guess }) => guess.previousCodeMac),
        sorted.map(({ guess }) => guess.now),
        ...rules,
      ],
      deadline,
    );
    const outcomes = new Array<ConfirmOutcome | undefined>(calls.length);
    const place = (outcome: ConfirmOutcome | undefined, position: number) => {
      const index = order[position];
      if (index !== undefined) outcomes[index] = outcome;
    };
    for (const row of judged) place(outcomeOf(row), row.call_number - 1);
    if (judged.length === calls.length) return outcomes;

    const positions = [...order.keys()].filter((position) => outcomes[order[position] ?? 0] === undefined);
    const refused = positions.flatMap((position) => sorted[position] ?? []);
    const reasons = await db.query<{ reason: Refusal | null }>(
      explain,
      [...askersOf(refused), refused.map(({ guess }) => guess.now), ...rules],
      deadline,
    );
    for (const [i, { reason }] of reasons.entries()) {
      place(reason === null ? undefined : { kind: reason }, positions[i] ?? 0);
    }
    return outcomes;
  }

  const batcher = new Batcher<Asked, ConfirmOutcome>({
    run,
    inFlight: 2,
    groupOf: ({ guess }) => limitsGroup(guess),
  });
  return async (guess: Guess): Promise<ConfirmOutcome> => {
    const uuid = uuidOf(guess.id);
    return uuid === undefined ? { kind: 'unknown' } : batcher.add({ uuid, guess });
  };
}

function askersOf(asked: readonly Asked[]): [uuids: string[], accountIds: string[]] {
  return [asked.map(({ uuid }) => uuid), asked.map(({ guess }) => guess.accountId)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function outcomeOf(row: Judged): ConfirmOutcome {
  if (!row.confirmed) return { kind: 'mismatch', attemptsRemaining: row.remaining };
  return {
    kind: 'confirmed',
    channel: row.channel,
    country: row.country,
    destinationSealed: row.destination_sealed,
    carrier: row.carrier,
    createdAt: row.created_at,
  };
}
