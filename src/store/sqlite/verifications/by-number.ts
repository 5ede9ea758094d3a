/**
 * Confirms codes by their number, and cancels codes, inside the batch's transaction. The index of the send limits finds all
 * verifications of a number; PostgreSQL has no such index, and keeps a table of those that may be confirmed by their number.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Channel } from '../../../core/destination/channel.ts';
import {
  type LiveCode,
  MOST_LIVE,
  type NumberGuess,
  type NumberOfAccount,
  type NumberOutcome,
  type OneCode,
} from '../../../core/verification/by-number/number-store.ts';
import type { ConfirmOutcome, Guess } from '../../../core/verification/verification.ts';
import { joinHashes, splitHashes } from '../../shared/hash-list.ts';
import type { Reservations } from '../budgets/reservations.ts';
import { DAY_MS, daysTable } from '../sql/day.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import { OWN_HASHES, ownHashes } from './own-hashes.ts';

/** Longer than any code is valid. */
const LOOK_BACK_MS = 3_600_000;

const IS_LIVE = 'account_id = :accountId AND test = :test AND confirmed_at IS NULL AND expires_at > :now';

/** Each is an id and the list of its MACs. */
const CANDIDATES =
  'json_each(:candidates) AS candidate CROSS JOIN verification ON verification.id = candidate.value ->> 0';

/** `confirm` judges the guess once it is known which verification it is for. */
export function createByNumber(
  db: DatabaseSync,
  confirm: (guess: Guess) => ConfirmOutcome,
  reservations: Reservations,
) {
  const prepare = hotStatements(db);
  const ofNumber = prepare(`
    SELECT id, channel FROM ${daysTable(LOOK_BACK_MS, OWN_HASHES)}
      CROSS JOIN verification ON created_at / ${DAY_MS} = days.column1 AND destination_hash = days.column2
    WHERE ${IS_LIVE} ORDER BY id DESC LIMIT :most`);
  // The one that the code is of, or else the newest. Which one a guess is for changes nothing; that is for the guard of `confirm`.
  const choose = prepare(`
    SELECT verification.id FROM ${CANDIDATES}
    WHERE ${IS_LIVE} AND guesses_left > 0
    ORDER BY same_mac(code_mac, candidate.value ->> 1) DESC, verification.id DESC LIMIT 1`);
  const anyLive = prepare(`SELECT 1 FROM ${CANDIDATES} WHERE ${IS_LIVE} LIMIT 1`);
  const broughtOf = prepare(`
    SELECT code_mac, destination_hash, previous_destination_hash FROM verification
    WHERE id = :id AND account_id = :accountId AND test = :test AND brought`);
  // As a confirmation ends a delivery: what the simulator delivered can still be read.
  const end = prepare(`
    UPDATE verification SET
      expires_at = :now,
      code_sealed = CASE WHEN due_at IS NULL THEN code_sealed END,
      due_at = NULL
    WHERE id = :id AND ${IS_LIVE}`);

  const liveOf = (number: NumberOfAccount, most: number): LiveCode[] => {
    const { accountId, test, destinationHash, earlierDestinationHashes, now } = number;
    const hashes = ownHashes(destinationHash, earlierDestinationHashes);
    return ofNumber
      .all({ ...hashes, accountId, test: Number(test), now, most })
      .map(({ id, channel }) => ({ id: String(id), channel: channel as Channel }));
  };

  const endOne = ({ id, accountId, test, now }: OneCode): boolean => {
    if (end.run({ id, accountId, test: Number(test), now }).changes === 0) return false;
    reservations.end(id);
    return true;
  };

  const confirmByNumber = (guess: NumberGuess): NumberOutcome => {
    const { accountId, test, candidates, now, limits } = guess;
    const listed = {
      ...{ accountId, test: Number(test), now },
      candidates: JSON.stringify(
        candidates.map(({ id, codeMac, earlierCodeMacs }) => [id, joinHashes([codeMac, ...earlierCodeMacs])]),
      ),
    };
    const chosen = choose.get(listed)?.id;
    const candidate = candidates.find(({ id }) => id === chosen);
    if (candidate === undefined) {
      return { kind: anyLive.get(listed) === undefined ? 'unknown' : 'attempts-exhausted' };
    }
    const outcome = confirm({ ...candidate, accountId, test, now, limits });
    if (outcome.kind === 'mismatch') return { ...outcome, id: candidate.id };
    // The budget of the number is used up: nothing else refuses what was just found live.
    if (outcome.kind !== 'confirmed') return { kind: 'attempts-exhausted' };
    for (const { id } of liveOf(guess, -1)) endOne({ id, accountId, test, now });
    return { ...outcome, id: candidate.id };
  };

  return {
    findLive: (number: NumberOfAccount): LiveCode[] => liveOf(number, MOST_LIVE),
    confirmByNumber,

    approve({ id, accountId, test, now }: OneCode): NumberOutcome {
      const known = broughtOf.get({ id, accountId, test: Number(test) });
      if (known === undefined) return { kind: 'unknown' };
      return confirmByNumber({
        ...{ accountId, test, now, destinationHash: String(known.destination_hash) },
        earlierDestinationHashes: splitHashes(known.previous_destination_hash),
        candidates: [{ id, codeMac: String(known.code_mac), earlierCodeMacs: [] }],
      });
    },

    cancel: endOne,
  };
}
