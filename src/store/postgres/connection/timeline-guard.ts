/**
 * Refuses a primary that comes back after another was promoted. It does not know of it: what it is told now is lost, or waits
 * for a standby that it no longer has. A promotion begins a new timeline, so an older one than was seen gives it away, whether
 * the address names one server or several.
 */
import type { ClientBase } from 'pg';
import pg from 'pg';
import type { Clock } from '../../../core/seams/clock.ts';
import { isDatabaseUnavailable } from './failure.ts';

/**
 * Long enough for a program such as Patroni to take the old primary out of use (ttl and loop_wait are 40 s there). If there is nothing
 * newer by then, the newer one is gone, and the older one is what is left.
 */
const PATIENCE_MS = 60_000;

/**
 * Of a primary, the first part of a WAL file's name: after a promotion the control file has the old one until the next
 * checkpoint. Of a standby, that of the control file.
 */
const POSITION = `
  SELECT pg_is_in_recovery() AS "isStandby", CASE WHEN pg_is_in_recovery()
    THEN (SELECT timeline_id FROM pg_control_checkpoint())
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END AS timeline`;

export interface Position {
  readonly isStandby: boolean;
  readonly timeline: number;
}

/** Undefined for a server without timelines: some only speak the protocol. */
export async function readPosition(client: ClientBase): Promise<Position | undefined> {
  try {
    const { rows } = await client.query<Position>(POSITION);
    return rows[0];
  } catch (error) {
    if (error instanceof pg.DatabaseError && !isDatabaseUnavailable(error)) return undefined;
    throw error;
  }
}

type Judgement =
  | { readonly kind: 'newest' }
  | { readonly kind: 'left-behind'; readonly newest: number }
  /** Older, and yet the one to use: what was saved on the newer one is not there. */
  | { readonly kind: 'reinstated'; readonly newest: number };

export class TimelineGuard {
  readonly #patienceMs: number;
  readonly #now: () => number;
  /** The newest that was seen. */
  #newest = 0;
  /** Since when only older ones can be had. */
  #onlyOlderSince: number | undefined;

  constructor(now: Clock['steady'], patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
    this.#now = now;
  }

  /** `isOnly`: all others were asked and are standbys, so that none has the newer timeline any more. */
  judge(timeline: number, isOnly: boolean): Judgement {
    const newest = this.#newest;
    if (timeline >= newest) {
      this.#newest = timeline;
      return { kind: 'newest' };
    }
    this.#onlyOlderSince ??= this.#now();
    if (!isOnly && this.#now() - this.#onlyOlderSince < this.#patienceMs)
      return { kind: 'left-behind', newest };
    this.#newest = timeline;
    return { kind: 'reinstated', newest };
  }

  /** A server on the newest timeline is used. */
  served(): void {
    this.#onlyOlderSince = undefined;
  }
}
