/** Which node looks at the rules and tells people: the one that holds the lease, by the clock of everybody who shares the store. */

import { beginLease, type Clock } from '../core/seams/clock.ts';
import { query, type Records, type Statement } from '../core/sql/records.ts';

/** A lease that ends impossibly late was taken by a clock that was ahead. */
const TAKE = `
  UPDATE alert_turn SET holder = $1, ends_at = CAST($3 AS BIGINT)
  WHERE holder = $1 OR ends_at <= CAST($2 AS BIGINT) OR ends_at > CAST($3 AS BIGINT) + 60000
  RETURNING holder`;

const HELD = `
  UPDATE alert_turn SET holder = $1 WHERE holder = $1 AND ends_at > CAST($2 AS BIGINT) RETURNING holder`;

interface TurnDeps {
  readonly records: Records;
  readonly clock: Clock;
  /** The name of this node, which no other has. */
  readonly node: string;
  /** In ms. */
  readonly lease: number;
}

export class LeaderLease {
  readonly #deps: TurnDeps;
  /** Steady time. */
  #until = 0;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
  }

  /** Takes the lease if it is free, and renews it once a quarter of it is over. Whether it is ours. */
  async take(): Promise<boolean> {
    const { records, clock, node, lease } = this.#deps;
    if (this.leftMs > (lease * 3) / 4) return true;
    const { since, now } = beginLease(clock);
    const rows = await query(records, TAKE, node, now, now + lease);
    this.#until = rows.length > 0 ? since + lease : 0;
    return rows.length > 0;
  }

  /** How long it is ours at least: what cannot end within that must not begin. */
  get leftMs(): number {
    return this.#until - this.#deps.clock.steady();
  }

  /** First in every transaction of the holder: a node that lost the lease while it looked writes nothing. */
  guard(): Statement {
    const { node, clock } = this.#deps;
    return { sql: HELD, args: [node, clock.now()], guard: true };
  }

  async release(): Promise<void> {
    const { records, node } = this.#deps;
    this.#until = 0;
    await query(records, 'UPDATE alert_turn SET ends_at = 0 WHERE holder = $1', node);
  }
}
