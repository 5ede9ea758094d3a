/**
 * Connections to the server in use, as libpq finds it: those of the address are asked in their order, until one lets us in and
 * is what is wanted. The one that served last is asked first, so a server that is gone costs its patience only once.
 */
import pg from 'pg';
import { StoreUnavailable } from '../../../core/errors.ts';
import type { DatabaseAddress, ServerAddress, Target } from '../../../options/database-address.ts';
import { inTime } from './deadline.ts';
import { isUnavailable, NoAnswer, reasonOf } from './failure.ts';
import { type Session, setUpSession } from './session.ts';

/** How long one server is waited for, in ms. */
const CONNECT_MS = 2_000;
const CONNECTIONS = 10;

/** Our 64-bit integers are times and counts, all far below 2^53. */
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

/** The first part of a WAL file's name. A promotion begins a new timeline; a standby is not asked. */
const TIMELINE = `
  SELECT CASE WHEN NOT pg_is_in_recovery()
    THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END AS timeline`;

interface Server {
  readonly name: string;
  readonly pool: pg.Pool;
}

export class Servers {
  readonly #target: Target;
  readonly #servers: readonly Server[];
  #latest: Server | undefined;
  /** The newest that was seen. */
  #timeline = 0;
  #sessions = new WeakMap<pg.PoolClient, Session>();

  constructor({ servers, target }: DatabaseAddress) {
    this.#target = target;
    this.#servers = servers.map((address) => ({
      name: `${address.host}:${address.port}`,
      pool: poolOf(address),
    }));
  }

  /** Rejects with the reasons of all servers. */
  async connect(): Promise<Session> {
    const reasons: { readonly name: string; readonly error: unknown }[] = [];
    for (const server of this.#order()) {
      try {
        const session = await this.#connectTo(server);
        this.#latest = server;
        return session;
      } catch (error) {
        if (this.#servers.length === 1 || !isUnavailable(error)) throw error;
        reasons.push({ name: server.name, error });
      }
    }
    const told = reasons.map(({ name, error }) => `${name}: ${reasonOf(error)}`);
    throw new StoreUnavailable(`no server can be used (${told.join('; ')})`, {
      cause: reasons.at(-1)?.error,
    });
  }

  /**
   * Has every connection set up again before its next use: once one has failed, the others may lead to a server that is gone,
   * only reads by now, or is another one behind the same address.
   */
  doubt(): void {
    this.#sessions = new WeakMap();
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ pool }) => pool.end()));
  }

  #order(): readonly Server[] {
    const latest = this.#latest;
    return latest === undefined
      ? this.#servers
      : [latest, ...this.#servers.filter((server) => server !== latest)];
  }

  async #connectTo({ pool }: Server): Promise<Session> {
    const client = await pool.connect();
    try {
      const known = this.#sessions.get(client);
      if (known !== undefined) return known;
      const session = await inTime(
        this.#setUp(client),
        performance.now() + CONNECT_MS,
        new NoAnswer('the database did not answer in time'),
      );
      this.#sessions.set(client, session);
      return session;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #setUp(client: pg.PoolClient): Promise<Session> {
    const session = await setUpSession(client, this.#target);
    if (this.#servers.length > 1) await this.#requireNewest(client);
    return session;
  }

  /**
   * A primary that comes back after another was promoted does not know of it: what it is told now is lost, or waits for a
   * standby that it no longer has.
   */
  async #requireNewest(client: pg.PoolClient): Promise<void> {
    const { rows } = await client.query<{ timeline: number | null }>(TIMELINE);
    const timeline = rows[0]?.timeline ?? this.#timeline;
    if (timeline < this.#timeline) {
      throw new StoreUnavailable(
        `the server was left behind by a promotion: it is on timeline ${timeline}, and another was on ${this.#timeline}`,
      );
    }
    this.#timeline = timeline;
  }
}

function poolOf(address: ServerAddress): pg.Pool {
  const pool = new pg.Pool({
    ...address,
    types,
    application_name: 'countersign',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    max: CONNECTIONS,
    idleTimeoutMillis: 60_000,
  });
  // A lost connection is replaced when one is needed, and its statement fails by itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
