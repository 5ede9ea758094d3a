/** Issues a verification inside the batch's transaction, so that its statements are one atomic step. */
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../core/seams/spans.ts';
import { NO_KEY } from '../../../core/verification/carrier-test.ts';
import { type Limit, type Limits, waitWithin } from '../../../core/verification/limits.ts';
import type { IssueOutcome, NewVerification } from '../../../core/verification/verification.ts';
import type { Reservations } from '../budgets/reservations.ts';
import type { EventBook } from '../events/event-book.ts';
import { daysTable } from '../sql/day.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import type { RecentCohorts } from '../statistics/recent-cohorts.ts';
import type { TallyBook } from '../statistics/tally-book.ts';
import { statementsByLimits } from './account-limits.ts';
import { createBlocked } from './blocked.ts';
import type { EndCodes } from './end-codes.ts';
import { createIdempotency } from './idempotency.ts';
import { earlierList, ownHashes, statementsByHashes } from './own-hashes.ts';
import type { RequestRings } from './request-rings.ts';

type Issue = (verification: NewVerification) => IssueOutcome;

const ISSUED: Extract<IssueOutcome, { kind: 'issued' | 'exhausted' }> = { kind: 'issued' };

export function createIssue(
  db: DatabaseSync,
  limits: Pick<Limits, 'sendsPerDestination'>,
  retentionMs: number,
  rings: RequestRings,
  book: TallyBook,
  cohorts: RecentCohorts,
  { reserve }: Reservations,
  events: EventBook,
  { endOthers }: EndCodes,
): Issue {
  const idempotency = createIdempotency(db, retentionMs);
  const isBlocked = createBlocked(db);
  const queue = hotStatements(db)(`
    INSERT INTO delivery (verification_id, code_sealed, due_at, expires_at)
    VALUES (:id, :codeSealed, :dueAt, :expiresAt)`);
  const sendsWithin = statementsByLimits(limits.sendsPerDestination, (list) =>
    statementsByHashes((hashes) => prepareSends(db, list, hashes)),
  );

  return (v) => {
    const replay = v.idempotency === null ? undefined : idempotency.claim(v, v.idempotency);
    if (replay !== undefined) return replay;
    if (isBlocked(v)) {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return { kind: 'blocked' };
    }
    // What no key asked for has bounds of its own. In one ring accounts would take places from one another.
    const exceeded = v.keyId === NO_KEY ? undefined : rings.take(v.keyId, v.createdAt);
    if (exceeded !== undefined) {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      book.count(v, '', 'limitedByKey');
      return { kind: 'limited', scope: 'key', ...exceeded };
    }
    const { write, refusal } = sendsWithin(v.limits)(v.earlierDestinationHashes);
    // What is written after this mark is undone if a budget has no room.
    if (v.reservation !== undefined) db.exec('SAVEPOINT issue');
    const { changes } = write.run({
      id: v.id,
      accountId: v.accountId,
      keyId: v.keyId,
      test: Number(v.test),
      channel: v.channel,
      country: v.country,
      ...ownHashes(v.destinationHash, v.earlierDestinationHashes),
      destinationSealed: v.destinationSealed,
      codeMac: v.codeMac,
      guesses: v.guesses,
      now: v.createdAt,
      expiresAt: v.expiresAt,
      clientNetwork: v.clientNetwork,
      detailsSealed: v.detailsSealed,
      brought: Number(v.brought),
      signals: v.signals,
      byNumber: Number(v.byNumber === true),
    });
    if (changes === 1 && v.leaseUntil !== null) {
      const { id, codeSealed, expiresAt } = v;
      queue.run({ id, codeSealed, dueAt: Math.min(v.leaseUntil, expiresAt - 1), expiresAt });
    }
    const reserved = changes === 0 || v.reservation === undefined ? ISSUED : reserve(v, v.reservation);
    if (v.reservation !== undefined) {
      if (reserved.kind === 'exhausted') db.exec('ROLLBACK TO issue');
      db.exec('RELEASE issue');
    }
    if (reserved.kind === 'exhausted') {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return reserved;
    }
    if (changes === 0) {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      book.count(v, '', 'limitedByDestination');
      return refusal(v);
    }
    if (v.endsEarlier) {
      const { accountId, id, createdAt: now } = v;
      const [hash, earlier] = [v.destinationHash, v.earlierDestinationHashes];
      endOthers({ accountId, test: Number(v.test), hash, earlier, now, except: id });
    }
    // Of a code that the client brought only what is confirmed here counts (confirm.ts).
    if (!v.brought) book.count(v, '', 'requested');
    cohorts.note(v.id, v);
    events.note('verification.requested', { accountId: v.accountId, id: v.id, at: v.createdAt });
    events.expect(v.accountId, v.id, v.expiresAt);
    return reserved;
  };
}

/** Writes a verification if its destination is within the limits; otherwise says which limit refused. */
function prepareSends(db: DatabaseSync, limits: readonly Limit[], hashes: readonly string[]) {
  const prepare = hotStatements(db);
  const sends = (windowMs: number) => `
    FROM ${daysTable(windowMs, hashes)}
      CROSS JOIN verification ON created_at / ${DAY_MS} = days.column1
        AND destination_hash = days.column2
        AND created_at > :now - ${windowMs}`;
  // One pass over the longest window counts all windows.
  const longestWindow = Math.max(0, ...limits.map(({ windowMs }) => windowMs));
  const withinLimits = limits.map(
    ({ max, windowMs }) => `count(CASE WHEN created_at > :now - ${windowMs} THEN 1 END) < ${max}`,
  );
  const isWithin =
    withinLimits.length > 0 ? `SELECT ${withinLimits.join(' AND ')} ${sends(longestWindow)}` : 'true';
  // The guard and the write are one statement, so that no one can run them in two transactions. A refused verification gets
  // no id, and IGNORE leaves it out; INSERT ... SELECT ... WHERE would first copy the row into a temporary table, because it
  // reads the table that it writes.
  const write = prepare(`
    INSERT OR IGNORE INTO verification (id, account_id, key_id, test, channel, country, destination_hash,
      previous_destination_hash, destination_sealed, code_mac, guesses_left, created_at, expires_at,
      client_network, details_sealed, brought, signals, by_number)
    VALUES (CASE WHEN :test OR (${isWithin}) THEN :id END, :accountId, :keyId, :test, :channel, :country,
      :hash, ${earlierList(hashes)}, :destinationSealed, :codeMac, :guesses, :now,
      :expiresAt, :clientNetwork, :detailsSealed, :brought, :signals, :byNumber)`);
  const oldestOfFullWindow = limits.map((limit) => ({
    limit,
    statement: prepare(
      `SELECT created_at ${sends(limit.windowMs)} ORDER BY created_at DESC LIMIT 1 OFFSET ${limit.max - 1}`,
    ),
  }));

  /** The limit that refused, and when its oldest send leaves the window: the limit that frees a place last. */
  function refusal(v: NewVerification): IssueOutcome {
    const destination = { ...ownHashes(v.destinationHash, v.earlierDestinationHashes), now: v.createdAt };
    const full = oldestOfFullWindow.flatMap(({ limit, statement }) => {
      const oldest = statement.get(destination)?.created_at;
      return oldest === undefined
        ? []
        : [{ limit, retryAfterMs: waitWithin(limit, Number(oldest) + limit.windowMs - v.createdAt) }];
    });
    const [last] = full.sort((a, b) => b.retryAfterMs - a.retryAfterMs);
    if (last === undefined) throw new Error('a verification was refused, yet no limit is reached');
    return { kind: 'limited', scope: 'destination', ...last };
  }

  return { write, refusal };
}
