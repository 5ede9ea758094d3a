/** Ends codes before their time, inside the batch's transaction. An end is a state: what clocks say later does not matter. */
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../core/seams/spans.ts';
import { isKept } from '../../shared/kept.ts';
import type { Reservations } from '../budgets/reservations.ts';
import { daysTable } from '../sql/day.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import { OWN_HASHES, ownHashes } from './own-hashes.ts';

/** Longer than any code is valid. */
const LOOK_BACK_MS = 3_600_000;
/** A clock that was ahead may have made codes of the day after. */
const LOOK_AHEAD_MS = 86_400_000;

/** Neither confirmed nor ended. It may have expired, by this clock. */
export const IS_OPEN = 'confirmed_at IS NULL AND ended_at IS NULL';

export const OF_NUMBER = `${daysTable(LOOK_BACK_MS, OWN_HASHES, LOOK_AHEAD_MS)}
  CROSS JOIN verification ON created_at / ${DAY_MS} = days.column1 AND destination_hash = days.column2`;

interface NumberOfCode {
  readonly accountId: string;
  readonly test: number;
  readonly hash: string;
  readonly earlier: readonly string[];
  readonly now: number;
  /** The code that the others end for. */
  readonly except: string;
}

export type EndCodes = ReturnType<typeof createEndCodes>;

export function createEndCodes(db: DatabaseSync, retentionMs: number, reservations: Reservations) {
  const prepare = hotStatements(db);
  // Those that have expired, too: a clock that was ahead may have said so.
  const openOf = prepare(`
    SELECT id FROM ${OF_NUMBER} WHERE account_id = :accountId AND test = :test AND by_number AND ${IS_OPEN}
      AND id <> :except`);
  const endDelivery = db.prepare('DELETE FROM delivery WHERE verification_id = ?');
  const ended = (guard: string) =>
    prepare(`
      UPDATE verification SET
        ended_at = min(:now, expires_at),
        expires_at = created_at
      WHERE id = :id AND account_id = :accountId AND test = :test AND ${IS_OPEN}${guard}`);
  const end = ended('');
  const endValid = ended(` AND expires_at > :now AND ${isKept(`:now - ${retentionMs}`)}`);

  return {
    /** Ends the open codes of a number of which another has been confirmed, or issued in their place. */
    endOthers({ accountId, test, hash, earlier, now, except }: NumberOfCode): void {
      for (const { id } of openOf.all({ ...ownHashes(hash, earlier), accountId, test, now, except })) {
        end.run({ id: String(id), accountId, test, now });
        endDelivery.run(id ?? null);
        reservations.end(String(id));
      }
    },

    /** Ends one code; false if it is not valid any more. */
    endOne(code: {
      readonly id: string;
      readonly accountId: string;
      readonly test: number;
      readonly now: number;
    }): boolean {
      if (endValid.run(code).changes === 0) return false;
      endDelivery.run(code.id);
      reservations.end(code.id);
      return true;
    },
  };
}
