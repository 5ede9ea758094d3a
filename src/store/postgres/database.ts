/** Connections to the database, and what their failures mean. */
import pg from 'pg';
import { StoreUnavailable } from '../../core/errors.ts';
import type { DatabaseAddress } from './address.ts';

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** How long a call may take in all, in ms, before it is given up; requests are answered 503 within 5 s. */
export const PATIENCE_MS = 4_500;
const CONNECT_MS = 2_000;
/** Shorter than our patience, so that the server itself ends what is too slow, and we know that nothing was written. */
const STATEMENT_MS = 3_000;
const CONNECTIONS = 10;
const MAX_CONFLICTS = 5;

/**
 * Every statement of ours finds its rows by key, over arrays whose length the planner does not know. A plan that was
 * made while a table was small must stay right when it has grown, so plans that read whole tables are ruled out.
 */
const SETTINGS = [
  'default_transaction_isolation=read\\ committed',
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
];

/** 64-bit integers are times and counts, all far below 2^53. */
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

export class Database {
  readonly #pool: pg.Pool;
  readonly #closed = new StoreUnavailable('the store is closed');
  #closing: Promise<void> | undefined;

  constructor({ client }: DatabaseAddress) {
    this.#pool = new pg.Pool({
      ...client,
      types,
      application_name: 'countersign',
      options: SETTINGS.map((setting) => `-c ${setting}`).join(' '),
      statement_timeout: STATEMENT_MS,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      max: CONNECTIONS,
      idleTimeoutMillis: 60_000,
    });
    // A connection that ends is replaced when one is needed, and the statement on it hears of it itself.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /**
   * Runs one statement, which is a transaction of its own. Rejects with StoreUnavailable when the database cannot be
   * used before the deadline (on the clock of `performance.now()`).
   */
  async query<Row extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
    deadline = performance.now() + PATIENCE_MS,
  ): Promise<Row[]> {
    return this.#settled(deadline, async (client) => {
      const { rows } = await client.query<Row>({ ...statement, values: [...values] });
      return rows;
    });
  }

  /** Runs statements as one transaction, and commits it if `isDone` says so of what came out. Rejects as `query` does. */
  transaction<T>(use: (client: pg.PoolClient) => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
    return this.#settled(performance.now() + PATIENCE_MS, async (client) => {
      await client.query('BEGIN');
      try {
        const result = await use(client);
        await client.query(isDone(result) ? 'COMMIT' : 'ROLLBACK');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async #settled<T>(deadline: number, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let conflicts = 0; ; conflicts++) {
      try {
        return await this.#use(deadline, use);
      } catch (error) {
        // A deadlock or a conflict between nodes: nothing was written, and the other one has gone on.
        if (conflicts < MAX_CONFLICTS && isConflict(error)) continue;
        throw asUnavailable(error);
      }
    }
  }

  /** Lends a connection for statements that belong together. */
  async session<T>(use: (client: pg.PoolClient) => Promise<T>, patienceMs: number): Promise<T> {
    try {
      return await this.#use(performance.now() + patienceMs, use);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  async #connect(deadline: number): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect();
    const late = rejectAt(deadline, new StoreUnavailable('no connection to the database in time'));
    try {
      return await Promise.race([connecting, late.promise]);
    } catch (error) {
      // One that comes after all serves the next.
      connecting.then((client) => client.release()).catch(() => {});
      throw error;
    } finally {
      late.cancel();
    }
  }

  async #use<T>(deadline: number, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw this.#closed;
    const client = await this.#connect(deadline);
    let broken: Error | undefined;
    // Ends the connection with the statement on it: what it would still answer is of no use to anybody.
    const giveUp = () => {
      broken = new StoreUnavailable('the database did not answer in time');
      client.release(broken);
    };
    const timer = setTimeout(giveUp, Math.max(1, deadline - performance.now()));
    try {
      const result = await use(client);
      clearTimeout(timer);
      if (broken === undefined) client.release();
      return result;
    } catch (error) {
      clearTimeout(timer);
      if (broken !== undefined) throw broken;
      // After a failover the same connection may lead to what is now a standby: the next one is made anew.
      client.release(isUnavailable(error));
      throw error;
    }
  }
}

/** A promise that rejects with `error` at the deadline. */
function rejectAt(deadline: number, error: Error): { readonly promise: Promise<never>; cancel(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error), Math.max(1, deadline - performance.now()));
  return { promise, cancel: () => clearTimeout(timer) };
}

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

function asUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return error;
  return isUnavailable(error) || isConflict(error)
    ? new StoreUnavailable(error.message, { cause: error })
    : error;
}

// Connection, insufficient resources, operator intervention, system error, authentication, no such database;
// a lock that was not got in time; a server that only reads (a standby).
const UNAVAILABLE_CODES = /^(08...|53...|57...|58...|28...|3D000|55P03|25006)$/;

/** How `pg` and its pool word what they find out themselves; such errors carry no code. */
const BROKEN_CONNECTION =
  /^(Connection terminated|timeout exceeded|Client (was closed|has encountered)|The server does not support SSL|Cannot use a pool after)/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_CODES.test(error.code ?? '');
  // Errors of sockets, of name lookup and of TLS carry a code of their own.
  return ('code' in error && typeof error.code === 'string') || BROKEN_CONNECTION.test(error.message);
}
