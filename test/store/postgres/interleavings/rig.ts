/** Two nodes on one database, and a third party that holds what both need. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import pg from 'pg';
import { type Postgres, startPostgres } from '../../../postgres.ts';
import { withLimits } from '../../contract/rig.ts';
import { lookAt, openNodes } from '../rig.ts';

export type Interleaver = ReturnType<typeof createInterleaver>;

/** For the suite that it is called in. */
export function createInterleaver() {
  let postgres: Postgres;
  let url: string;
  before(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase(postgres.schema);
  });
  after(() => postgres.dispose());

  /** Begins `calls` while a transaction holds what `statement` locks, and lets go when all of them wait. */
  async function heldUp<T>(
    statement: string,
    calls: () => readonly Promise<T>[],
    database = url,
  ): Promise<T[]> {
    const holder = new pg.Client({ connectionString: database });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(statement);
      const begun = calls();
      await waiting(begun.length, database);
      await holder.query('COMMIT');
      return await Promise.all(begun);
    } finally {
      await holder.end();
    }
  }

  async function waiting(count: number, database = url): Promise<void> {
    for (;;) {
      const [row] = await lookAt<{ count: string }>(
        database,
        `SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'countersign' AND wait_event_type = 'Lock'`,
      );
      if (Number(row?.count) >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  const twoNodes = async (t: Parameters<typeof openNodes>[0], limits: Parameters<typeof withLimits>[0]) => {
    const [a, b] = await openNodes(t, url, 2, withLimits(limits));
    assert.ok(a && b);
    return [a, b] as const;
  };

  return {
    get url() {
      return url;
    },
    createEmptyDatabase: () => postgres.createDatabase(),
    createDatabase: () => postgres.createDatabase(postgres.schema),
    ...{ heldUp, waiting, twoNodes },
  };
}
