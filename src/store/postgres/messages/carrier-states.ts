/** The states of carriers, written in one statement; SQLite reads them in another thread than it writes them. */
import type { CarrierState, CarrierStateStore } from '../../../core/sending/carrier-state.ts';
import { FORGOTTEN_AFTER_MS } from '../../shared/statistics.ts';
import type { Database } from '../connection/database.ts';
import { storable } from './receipts.ts';

type Row = Omit<CarrierState, 'unusable'> & { readonly unusable: CarrierState['unusable'] | null };

export function createCarrierStates(db: Database): CarrierStateStore {
  const note = {
    name: 'note_carrier_states',
    text: `
      INSERT INTO carrier_state AS held (node, carrier, breaker, error_reason, error_at, unusable, at)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::jsonb[], $7::bigint[])
      ON CONFLICT (node, carrier) DO UPDATE SET
        breaker = excluded.breaker, error_reason = excluded.error_reason, error_at = excluded.error_at,
        unusable = excluded.unusable, at = excluded.at
      WHERE excluded.at >= held.at`,
  };
  const heard = {
    name: 'carrier_states',
    text: `
      SELECT node, carrier, breaker, unusable, at,
        CASE WHEN error_reason IS NOT NULL THEN json_build_object('reason', error_reason, 'at', error_at) END AS "lastError"
      FROM carrier_state WHERE at > $1 ORDER BY node, carrier`,
  };
  return {
    async noteCarrierStates(states) {
      await db.query(note, [
        states.map(({ node }) => node),
        states.map(({ carrier }) => carrier),
        states.map(({ breaker }) => breaker),
        states.map(({ lastError }) => storable(lastError?.reason ?? null)),
        states.map(({ lastError }) => lastError?.at ?? null),
        states.map(({ unusable }) => (unusable === undefined ? null : JSON.stringify(unusable))),
        states.map(({ at }) => at),
      ]);
    },
    async carrierStates(now) {
      const rows = await db.read<Row>(heard, [now - FORGOTTEN_AFTER_MS]);
      return rows.map(({ unusable, ...state }) => ({ ...state, ...(unusable && { unusable }) }));
    },
  };
}
