/** Connections to the database, and what their failures mean. */
import pg from 'pg';
import { OutcomeUnknown, StoreFailure, StoreUnavailable } from '../../../core/errors.ts';
import type { DatabaseAddress } from './address.ts';
import { setUpSession } from './session.ts';
import { inTransaction } from './transaction.ts';

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** How long a call may take, in ms; requests get a 503 within 5 s. */
export const PATIENCE_MS = 4_500;
const CONNECT_MS = 2_000;
const CONNECTIONS = 10;
const MAX_CONFLICTS = 5;

/** Our 64-bit integers are times and counts, all far below 2^53. */
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

/** Whether the call may already be durable. */
interface CallUnderWay {
  committing: boolean;
}

/** We gave up waiting. */
class NoAnswer extends Error {}

export class Database {
  readonly #pool: pg.Pool;
  /** Connections that are set up. */
  readonly #ready = new WeakSet<pg.PoolClient>();
  readonly #closed = new StoreUnavailable('the store is closed');
  #closing: Promise<void> | undefined;

  constructor({ client }: DatabaseAddress) {
    this.#pool = new pg.Pool({
      ...client,
      types,
      application_name: 'countersign',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      max: CONNECTIONS,
      idleTimeoutMillis: 60_000,
    });
    // A lost connection is replaced when one is needed, and its statement fails by itself.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /**
   * Runs one statement that writes, as its own transaction. When the database cannot be used before the deadline (by
   * `performance.now()`), rejects with StoreUnavailable if the statement did not arrive or the server refused it, and with
   * OutcomeUnknown otherwise.
   */
  query<Row extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
    deadline = performance.now() + PATIENCE_MS,
  ): Promise<Row[]> {
    return this.#settled(deadline, async (client, call) => {
      call.committing = true;
      const { rows } = await client.query<Row>({ ...statement, values: [...values] });
      return rows;
    });
  }

  /** Runs one statement that only reads: when it fails, nothing was done. */
  read<Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#settled(performance.now() + PATIENCE_MS, async (client) => {
      const { rows } = await client.query<Row>({ ...statement, values: [...values] });
      return rows;
    });
  }

  /** Runs statements as one transaction, and commits if `isDone` of the result is true. Rejects as `query` does. */
  transaction<T>(use: (client: pg.PoolClient) => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
    return this.#settled(performance.now() + PATIENCE_MS, (client, call) =>
      inTransaction(
        client,
        () => use(client),
        (result) => {
          call.committing = isDone(result);
          return call.committing;
        },
      ),
    );
  }

  async #settled<T>(
    deadline: number,
    use: (client: pg.PoolClient, call: CallUnderWay) => Promise<T>,
  ): Promise<T> {
    for (let conflicts = 0; ; conflicts++) {
      const call = { committing: false };
      try {
        return await this.#use(deadline, (client) => use(client, call));
      } catch (error) {
        // A deadlock or a conflict between nodes: nothing was written, and the other node went on.
        if (conflicts < MAX_CONFLICTS && isConflict(error)) continue;
        throw asFailure(error, call.committing);
      }
    }
  }

  /** Lends a connection for statements that belong together. If it fails, some of them may have been done. */
  async session<T>(use: (client: pg.PoolClient) => Promise<T>, patienceMs: number): Promise<T> {
    try {
      return await this.#use(performance.now() + patienceMs, use);
    } catch (error) {
      throw asFailure(error, false);
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
      // A late connection serves the next call.
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
    // Ends the connection with its statement: nobody waits for the answer any more.
    const giveUp = () => {
      broken = new NoAnswer('the database did not answer in time');
      client.release(broken);
    };
    const timer = setTimeout(giveUp, Math.max(1, deadline - performance.now()));
    try {
      if (!this.#ready.has(client)) {
        await setUpSession(client);
        this.#ready.add(client);
      }
      const result = await use(client);
      clearTimeout(timer);
      if (broken === undefined) client.release();
      return result;
    } catch (error) {
      clearTimeout(timer);
      if (broken !== undefined) throw broken;
      // After a failover this connection may lead to a standby: the next call makes a new one.
      client.release(isUnavailable(error) || !this.#ready.has(client));
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

/** `committing`: whether the statement that commits was sent. */
function asFailure(error: unknown, committing: boolean): unknown {
  if (error instanceof StoreFailure || !(error instanceof Error)) return error;
  if (!isUnavailable(error) && !isConflict(error)) return error;
  const Kind = committing && mayBeDone(error) ? OutcomeUnknown : StoreUnavailable;
  return new Kind(error.message, { cause: error });
}

/** An error from the server about a statement means that it did not run the statement. */
function mayBeDone(error: Error): boolean {
  return !(error instanceof pg.DatabaseError) || SESSION_ENDED.test(error.code ?? '');
}

// Ends a session at any moment: a shutdown, the crash of another process, a pooler that lost its server.
const SESSION_ENDED = /^(08...|57P..)$/;

// Connection, insufficient resources, operator intervention, system error, authentication, no such database;
// a lock timeout; a server that only reads (a standby).
const UNAVAILABLE_CODES = /^(08...|53...|57...|58...|28...|3D000|55P03|25006)$/;

/** The errors of `pg` and its pool themselves, which have no code. */
const BROKEN_CONNECTION =
  /^(Connection terminated|timeout exceeded|Client (was closed|has encountered)|The server does not support SSL|Cannot use a pool after)/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_CODES.test(error.code ?? '');
  if (error instanceof NoAnswer) return true;
  // Errors of sockets, name lookup and TLS have codes of their own.
  return ('code' in error && typeof error.code === 'string') || BROKEN_CONNECTION.test(error.message);
}
