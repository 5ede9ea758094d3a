/**
 * Confirms codes by their number, and cancels codes, inside the batch's transaction. The index of the send limits finds all
 * verifications of a number, and each says whether it may be confirmed by it; PostgreSQL has no such index, and keeps a table of
 * those that may.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Channel } from '../../../core/destination/channel.ts';
import {
  type Approval,
  type ApprovalOutcome,
  type LiveCode,
  MOST_LIVE,
  type NumberGuess,
  type NumberOfAccount,
  type NumberOutcome,
  type OneCode,
} from '../../../core/verification/by-number/number-store.ts';
import type { ConfirmOutcome, Guess } from '../../../core/verification/verification.ts';
import { joinHashes } from '../../shared/hash-list.ts';
import { isKept } from '../../shared/kept.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import { type EndCodes, IS_OPEN, OF_NUMBER } from './end-codes.ts';
import { earlierHashes, ownHashes } from './own-hashes.ts';

/** Each is an id and the list of its MACs. */
const CANDIDATES =
  'json_each(:candidates) AS candidate CROSS JOIN verification ON verification.id = candidate.value ->> 0';

/** `confirm` judges the guess once it is known which verification it is for. */
export function createByNumber(
  db: DatabaseSync,
  retentionMs: number,
  confirm: (guess: Guess) => ConfirmOutcome,
  { endOthers, endOne }: EndCodes,
) {
  const prepare = hotStatements(db);
  const kept = isKept(`:now - ${retentionMs}`);
  const isLive = `account_id = :accountId AND test = :test AND ${IS_OPEN} AND expires_at > :now AND ${kept}`;
  const ofNumber = prepare(`
    SELECT id, channel FROM ${OF_NUMBER} WHERE ${isLive} AND by_number ORDER BY id DESC LIMIT ${MOST_LIVE}`);
  // The one that the code is of, or else the newest. Which one a guess is for changes nothing; that is for the guard of `confirm`.
  const choose = prepare(`
    SELECT verification.id FROM ${CANDIDATES}
    WHERE ${isLive} AND guesses_left > 0
    ORDER BY same_mac(code_mac, candidate.value ->> 1) DESC, verification.id DESC LIMIT 1`);
  const anyLive = prepare(`SELECT 1 FROM ${CANDIDATES} WHERE ${isLive} LIMIT 1`);
  const codeOf = prepare(`
    SELECT brought, code_mac, destination_hash, previous_destination_hash FROM verification
    WHERE id = :id AND account_id = :accountId AND test = :test AND ${kept}`);

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
    const { destinationHash: hash, earlierDestinationHashes: earlier } = guess;
    // As a rule there is one, and the row says itself what was before.
    const numberHashes = earlier.length === 0 ? undefined : [hash, ...earlier];
    const outcome = confirm({ ...candidate, accountId, test, now, limits, numberHashes });
    if (outcome.kind === 'mismatch') return { ...outcome, id: candidate.id };
    // The budget of the number is used up: nothing else refuses what was just found live.
    if (outcome.kind !== 'confirmed') return { kind: 'attempts-exhausted' };
    endOthers({ accountId, test: Number(test), hash, earlier, now, except: candidate.id });
    return { ...outcome, id: candidate.id };
  };

  return {
    findLive({
      accountId,
      test,
      destinationHash,
      earlierDestinationHashes,
      now,
    }: NumberOfAccount): LiveCode[] {
      const hashes = ownHashes(destinationHash, earlierDestinationHashes);
      return ofNumber
        .all({ ...hashes, accountId, test: Number(test), now })
        .map(({ id, channel }) => ({ id: String(id), channel: channel as Channel }));
    },
    confirmByNumber,

    approve({ id, accountId, test, now, limits, numberHashes }: Approval): ApprovalOutcome {
      const known = codeOf.get({ id, accountId, test: Number(test), now });
      if (known === undefined) return { kind: 'unknown' };
      if (known.brought === 0) return { kind: 'not-brought' };
      const hash = String(known.destination_hash);
      return confirmByNumber({
        ...{ accountId, test, now, limits, destinationHash: hash },
        earlierDestinationHashes: earlierHashes(hash, numberHashes, known.previous_destination_hash),
        candidates: [{ id, codeMac: String(known.code_mac), earlierCodeMacs: [] }],
      });
    },

    cancel: ({ id, accountId, test, now }: OneCode): boolean =>
      endOne({ id, accountId, test: Number(test), now }),
  };
}
