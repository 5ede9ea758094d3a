/** Databases that tell the time of a world. Each is made once, and emptied after the world that was played in it. */
import pg from 'pg';
import type { Clock } from '../../../../src/core/seams/clock.ts';
import type { DatabaseAddress } from '../../../../src/options/database-address.ts';
import { daysAhead, ensurePartitions } from '../../../../src/store/postgres/schema/partitions.ts';
import { openPostgresStore } from '../../../../src/store/postgres/store.ts';
import { empty, type Original, readOriginal } from '../../../emptying.ts';
import { startPostgres } from '../../../postgres.ts';
import { LAX } from '../../../store/contract/rig.ts';
import { addressOf } from '../../../store/postgres/rig.ts';
import type { Session } from './wire.ts';

export interface WorldDatabase {
  readonly address: DatabaseAddress;
  /** A connection past all nodes. */
  readonly client: pg.Client;
  readonly original: Original;
  /** Those that it has partitions for. */
  readonly days: readonly number[];
  /** Of nodes that are gone, for others. */
  readonly sessions: Session[];
}

/**
 * Whoever asks for the time gets what the session was told, or fails; what is drawn comes in order. They are found before
 * PostgreSQL's own, also by functions that are there already.
 */
const OF_THE_WORLD = `
  CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    RETURN to_timestamp(current_setting('world.now')::float8 / 1000);
  CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql STABLE RETURN public.clock_timestamp();
  CREATE SEQUENCE drawn;
  CREATE FUNCTION gen_random_uuid() RETURNS uuid LANGUAGE sql VOLATILE
    RETURN md5(nextval('public.drawn')::text)::uuid;
  DO $$
  DECLARE each record;
  BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
    FOR each IN SELECT oid::regprocedure AS name, substr(setting, 13) AS path
      FROM pg_proc, unnest(proconfig) AS setting WHERE setting LIKE 'search_path=%'
    LOOP EXECUTE format('ALTER FUNCTION %s SET search_path = %s, pg_catalog', each.name, each.path);
    END LOOP;
  END $$`;

/** Those that it comes with are of real days. */
const DROP_PARTITIONS = `
  DO $$
  DECLARE name regclass;
  BEGIN
    FOR name IN SELECT inhrelid::regclass FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE relkind = 'r'
    LOOP EXECUTE format('DROP TABLE %s', name);
    END LOOP;
  END $$`;

const WRITTEN = `
  SELECT string_agg(oid::regclass::text, ', ') AS written FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0`;

const parts = new AsyncDisposableStack();
const free: WorldDatabase[] = [];

/** `clock` is that of the world, whose days the database is made for. */
export async function lendDatabase(clock: Clock): Promise<WorldDatabase> {
  return free.pop() ?? (await makeDatabase(clock));
}

/** Once no node uses it any more. */
export async function giveBack(database: WorldDatabase): Promise<void> {
  const { client, original, days } = database;
  await empty(client, original);
  await ensurePartitions(client, days);
  // Else rows would lie where there was room, and come in another order the next time.
  const { rows } = await client.query<{ written: string }>(WRITTEN);
  await client.query(`VACUUM ${rows[0]?.written ?? ''}`);
  free.push(database);
}

/** When no more worlds are played. */
export async function endDatabases(): Promise<void> {
  await parts.disposeAsync();
}

async function makeDatabase(clock: Clock): Promise<WorldDatabase> {
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const url = await postgres.createDatabase(postgres.schema);
  const address = addressOf(url);
  await (await openPostgresStore({ address, machine: clock, ...LAX })).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  parts.defer(() => client.end());
  const days = daysAhead(clock.wall());
  await client.query(DROP_PARTITIONS);
  await ensurePartitions(client, days);
  await client.query(OF_THE_WORLD);
  // Its own session has the path of before.
  await client.query(`SET search_path = public, pg_catalog; SET world.now = ${clock.wall()}`);
  const sessions: Session[] = [];
  parts.defer(() => {
    for (const { socket } of sessions) socket.destroy();
  });
  return { address, client, sessions, days, original: await readOriginal(client) };
}
