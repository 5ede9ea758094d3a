import type { CarrierState, CarrierStateStore } from '../../core/carrier-state.ts';
import { FORGOTTEN_AFTER_MS } from '../statistics.ts';
import type { Database } from './database.ts';
import { storable } from './receipts.ts';

interface StateRow {
  readonly node: string;
  readonly carrier: string;
  readonly breaker: CarrierState['breaker'];
  readonly error_reason: string | null;
  readonly error_at: number | null;
  readonly at: number;
}

export function createCarrierStates(db: Database): CarrierStateStore {
  const note = {
    name: 'note_carrier_states',
    text: `
      INSERT INTO carrier_state AS held (node, carrier, breaker, error_reason, error_at, at)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
      ON CONFLICT (node, carrier) DO UPDATE SET
        breaker = excluded.breaker, error_reason = excluded.error_reason, error_at = excluded.error_at, at = excluded.at
      WHERE excluded.at >= held.at`,
  };
  const heard = {
    name: 'carrier_states',
    text: 'SELECT * FROM carrier_state WHERE at > $1 ORDER BY node, carrier',
  };
  return {
    async noteCarrierStates(states) {
      await db.query(note, [
        states.map(({ node }) => node),
        states.map(({ carrier }) => carrier),
        states.map(({ breaker }) => breaker),
        states.map(({ lastError }) => storable(lastError?.reason ?? null)),
        states.map(({ lastError }) => lastError?.at ?? null),
        states.map(({ at }) => at),
      ]);
    },
    async carrierStates(now) {
      const rows = await db.read<StateRow>(heard, [now - FORGOTTEN_AFTER_MS]);
      return rows.map(({ node, carrier, breaker, error_reason: reason, error_at, at }) => ({
        node,
        carrier,
        breaker,
        lastError: reason === null || error_at === null ? null : { reason, at: error_at },
        at,
      }));
    },
  };
}
