/** Judges guesses one by one, inside the batch's transaction. Failed guesses have a table; PostgreSQL lists them by destination. */
import { timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../core/seams/spans.ts';
import type { Limit, Limits } from '../../../core/verification/limits.ts';
import type { ConfirmOutcome, Guess } from '../../../core/verification/verification.ts';
import { attemptSent } from '../../shared/archive-page.ts';
import { joinHashes, splitHashes } from '../../shared/hash-list.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';
import type { Reservations } from '../budgets/reservations.ts';
import type { EventBook } from '../events/event-book.ts';
import { daysOf, daysTable } from '../sql/day.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import {
  COHORT_COLUMNS,
  cohortOf,
  over,
  type TallyBook,
  type TallyCohort,
} from '../statistics/tally-book.ts';
import { statementsByLimits } from './account-limits.ts';
import type { EndCodes } from './end-codes.ts';
import { createIdempotency } from './idempotency.ts';
import { earlierHashes, hashesIn, ownHashes, statementsByHashes } from './own-hashes.ts';

const CONFIRMED = ['confirmed'] as const;
/** Of failed guesses: under one hash, and under several, where each is written under all. */
const COUNT = 'count(*)';
const COUNT_ONCE = "count(DISTINCT verification_id || ' ' || guesses_left)";

type Confirm = (guess: Guess) => ConfirmOutcome;

export function createConfirm(
  db: DatabaseSync,
  limits: Limits,
  retentionMs: number,
  book: TallyBook,
  reservations: Reservations,
  events: EventBook,
  { endOthers }: EndCodes,
): Confirm {
  db.function('same_mac', { deterministic: true }, sameMac);
  const judgedWithin = statementsByLimits(limits.failedGuessesPerDestination, (list) =>
    prepareJudgement(db, list, retentionMs),
  );
  const find = db.prepare(`
    SELECT confirmed_at, ended_at, expires_at FROM verification
    WHERE id = ? AND account_id = ? AND test = ? AND ${isKept('?')}`);
  // Not RETURNING, which first copies its row into a temporary table.
  const judged = db.prepare(`
    SELECT ${COHORT_COLUMNS}, confirmed_at, guesses_left, destination_hash, previous_destination_hash,
      destination_sealed, client_network, signals
    FROM verification WHERE id = ?`);
  const lastSent = db.prepare(attemptSent('carrier, channel', '?'));
  const endDelivery = db.prepare('DELETE FROM delivery WHERE verification_id = ?');
  const noteFailure = db.prepare(`
    INSERT INTO failed_guess (day, destination_hash, verification_id, guesses_left, failed_at) VALUES (?, ?, ?, ?, ?)`);

  const idempotency = createIdempotency(db, retentionMs);

  const judge: Confirm = (guess) => {
    const { id, accountId, codeMac, earlierCodeMacs, now } = guess;
    const test = Number(guess.test);
    const codeMacs = joinHashes([codeMac, ...earlierCodeMacs]);
    const { spend, overHashes } = judgedWithin(guess.limits);
    const spent = spend.run({ id, accountId, test, codeMacs, now }).changes === 1;
    const row = spent ? judged.get(id) : undefined;
    if (row === undefined) {
      const held = find.get(id, accountId, test, pastUntil(now, retentionMs));
      if (held === undefined) return { kind: 'unknown' };
      if (held.confirmed_at !== null) return { kind: 'already-confirmed' };
      const isOver = held.ended_at !== null || Number(held.expires_at) <= now;
      return { kind: isOver ? 'expired' : 'attempts-exhausted' };
    }
    const cohort = cohortOf(row);
    const clientNetwork = row.client_network === null ? null : String(row.client_network);
    const asker = {
      ...{ country: cohort.country, clientNetwork },
      ...(row.signals !== null && { signals: String(row.signals) }),
      ...(cohort.brought && { brought: true as const }),
      ...(row.test === 1 && { test: true as const }),
    };
    const hash = String(row.destination_hash);
    const ofRow = splitHashes(row.previous_destination_hash);
    const earlier = earlierHashes(hash, guess.numberHashes, row.previous_destination_hash);
    const destination = { ...ownHashes(hash, earlier), now };
    const { anyFailure, clearFailures, budgetLeft } = overHashes(earlier);
    if (row.confirmed_at === null) {
      book.count(cohort, '', 'mismatched');
      const guessesLeft = Number(row.guesses_left);
      const mismatch = (attemptsRemaining: number): ConfirmOutcome => {
        if (attemptsRemaining === 0) events.note('verification.exhausted', { accountId, id, at: now });
        return { kind: 'mismatch', attemptsRemaining, ...asker };
      };
      if (row.test === 1) return mismatch(guessesLeft);
      const day = Math.floor(now / DAY_MS);
      // Under each, so that a code of the secret before, which knows no other, counts it as well.
      for (const each of [hash, ...ofRow]) noteFailure.run(day, each, id, guessesLeft, now);
      const remaining = budgetLeft.map((left) => Number(left.get(destination)?.remaining));
      return mismatch(Math.max(0, Math.min(guessesLeft, ...remaining)));
    }
    const sent = lastSent.get(id);
    const carrier = sent === undefined ? null : String(sent.carrier);
    const sentBy = (sent?.channel ?? null) as TallyCohort['channel'] | null;
    const counted = over(cohort, sentBy);
    if (cohort.brought) {
      book.count(cohort, '', 'requested');
      if (carrier !== null) book.count(counted, carrier, 'submitted');
    }
    book.reach(counted, carrier ?? '', CONFIRMED, now);
    endDelivery.run(id);
    reservations.end(id);
    if (guess.byNumber) endOthers({ accountId, test: Number(row.test), hash, earlier, now, except: id });
    events.note('verification.confirmed', { accountId, id, at: now, carrier, channel: sentBy });
    // Most people guess right the first time.
    if (row.test === 0 && anyFailure.get(destination) !== undefined) clearFailures.run(destination);
    return {
      kind: 'confirmed',
      channel: cohort.channel,
      ...asker,
      destinationSealed: String(row.destination_sealed),
      carrier,
      ...(sentBy !== null && { sentBy }),
      createdAt: cohort.createdAt,
    };
  };

  return (guess) => {
    if (guess.idempotency === undefined) return judge(guess);
    const replay = idempotency.findJudgement(guess, guess.idempotency);
    if (replay !== undefined) return replay;
    const outcome = judge(guess);
    idempotency.keepJudgement(guess, guess.idempotency, outcome);
    return outcome;
  };
}

/** The statements that check the budgets of a destination. */
function prepareJudgement(db: DatabaseSync, budgets: readonly Limit[], retentionMs: number) {
  const prepare = hotStatements(db);
  const longestWindow = Math.max(0, ...budgets.map(({ windowMs }) => windowMs));
  const failures = (hashes: string, windowMs: number, count: string) => `(
    SELECT ${count} FROM ${hashes} CROSS JOIN ${daysTable(windowMs)} CROSS JOIN failed_guess
    ON day = days.column1 AND destination_hash = own.hash AND failed_at > :now - ${windowMs})`;
  const hashOfRow = 'SELECT verification.destination_hash AS hash';
  const earlierOfRow = `SELECT value FROM ${hashesIn('verification.previous_destination_hash')}`;
  // Few rows have earlier hashes, and a list of them takes long to read, even one that is null.
  const withinBudget = budgets.map(
    ({ max, windowMs }) => `CASE WHEN previous_destination_hash IS NULL
      THEN ${failures(`(${hashOfRow}) AS own`, windowMs, COUNT)}
      ELSE ${failures(`(${hashOfRow} UNION ALL ${earlierOfRow}) AS own`, windowMs, COUNT_ONCE)} END < ${max}`,
  );

  // One statement judges and spends a guess. Of simultaneous right guesses the first confirms; `confirmed_at IS NULL` rejects
  // the others, as `guesses_left > 0` rejects wrong ones.
  const spend = prepare(`
    UPDATE verification SET
      guesses_left = guesses_left - 1,
      confirmed_at = CASE WHEN same_mac(code_mac, :codeMacs) THEN :now END
    WHERE id = :id AND account_id = :accountId AND test = :test
      AND ended_at IS NULL AND confirmed_at IS NULL AND expires_at > :now AND guesses_left > 0
      AND ${isKept(`:now - ${retentionMs}`)} AND (test OR (${withinBudget.join(' AND ') || 'true'}))`);
  const overHashes = statementsByHashes((hashes) => {
    const anyFailure = prepare(`
      SELECT 1 FROM ${daysTable(longestWindow, hashes)} CROSS JOIN failed_guess
      ON day = days.column1 AND destination_hash = days.column2 LIMIT 1`);
    const clearFailures = prepare(`
      DELETE FROM failed_guess WHERE day IN (${daysOf(longestWindow)}) AND destination_hash IN (${hashes.join(', ')})`);
    const given = `(SELECT column1 AS hash FROM (VALUES ${hashes.map((hash) => `(${hash})`).join(', ')})) AS own`;
    const count = hashes.length === 1 ? COUNT : COUNT_ONCE;
    const budgetLeft = budgets.map(({ max, windowMs }) =>
      prepare(`SELECT ${max} - ${failures(given, windowMs, count)} AS remaining`),
    );
    return { anyFailure, clearFailures, budgetLeft };
  });
  return { spend, overHashes };
}

/** MACs already protect the code from timing attacks; constant time removes all doubt. */
function sameMac(stored: unknown, macs: unknown): number {
  const bytes = Buffer.from(String(stored));
  const isSame = (mac: string) => {
    const other = Buffer.from(mac);
    return other.length === bytes.length && timingSafeEqual(other, bytes);
  };
  return splitHashes(macs).some(isSame) ? 1 : 0;
}
