/** The states of carriers: written by the thread that writes, read by the other. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { CarrierState } from '../../../core/sending/carrier-state.ts';
import { FORGOTTEN_AFTER_MS } from '../../shared/statistics.ts';

export function createCarrierStateNotes(db: DatabaseSync) {
  const note = db.prepare(`
    INSERT INTO carrier_state (node, carrier, breaker, error_reason, error_at, unusable, at)
    VALUES (:node, :carrier, :breaker, :reason, :errorAt, :unusable, :at)
    ON CONFLICT DO UPDATE SET
      breaker = excluded.breaker, error_reason = excluded.error_reason, error_at = excluded.error_at,
      unusable = excluded.unusable, at = excluded.at
    WHERE excluded.at >= at`);
  return {
    noteCarrierStates(states: readonly CarrierState[]): void {
      for (const { node, carrier, breaker, lastError, unusable, at } of states) {
        const { reason = null, at: errorAt = null } = lastError ?? {};
        const counts = unusable === undefined ? null : JSON.stringify(unusable);
        note.run({ node, carrier, breaker, reason, errorAt, unusable: counts, at });
      }
    },
  };
}

export function createCarrierStates(db: DatabaseSync) {
  const heard = db.prepare('SELECT * FROM carrier_state WHERE at > ? ORDER BY node, carrier');
  return {
    carrierStates: (now: number): CarrierState[] => heard.all(now - FORGOTTEN_AFTER_MS).map(stateOf),
  };
}

function stateOf(row: Record<string, SQLOutputValue>): CarrierState {
  return {
    node: String(row.node),
    carrier: String(row.carrier),
    breaker: row.breaker as CarrierState['breaker'],
    lastError:
      row.error_reason === null ? null : { reason: String(row.error_reason), at: Number(row.error_at) },
    ...(row.unusable !== null && { unusable: JSON.parse(String(row.unusable)) }),
    at: Number(row.at),
  };
}
