/** Calls of the database, and what their failures mean. */
import type { PoolClient, QueryResultRow } from 'pg';
import { StoreUnavailable } from '../../../core/errors/store-failure.ts';
import type { Clock } from '../../../core/seams/clock.ts';
import type { Log } from '../../../core/sending/carrier.ts';
import type { ServerNote } from '../../../core/sql/database.ts';
import type { DatabaseAddress } from '../../../options/database-address.ts';
import { inTime } from './deadline.ts';
import { asFailure, isConflict, isDatabaseUnavailable, NoAnswer } from './failure.ts';
import { Servers } from './servers.ts';
import { type DatabaseSession, type PreparedStatement, STATEMENT_MS } from './session.ts';

/** Requests get a 503 within 5 s. */
const PATIENCE_MS = 4_500;
const MAX_CONFLICTS = 5;

/** Whether the call may already be durable. */
interface CallUnderWay {
  committing: boolean;
}

interface LentSession {
  readonly patienceMs: number;
  /** How long one of its statements may take; a pooler's session has what its role is set to. */
  readonly statementMs?: number;
}

export interface DatabaseOptions {
  /** Hears of servers that are not used. */
  readonly log?: Log | undefined;
  /** How long a call may take, in ms. */
  readonly patienceMs?: number | undefined;
}

export class Database {
  /** This machine's. */
  readonly machine: Clock;
  /** How long a call may take, in ms. */
  readonly patienceMs: number;
  readonly #servers: Servers;
  readonly #closed = new StoreUnavailable('the store is closed');
  #closing: Promise<void> | undefined;

  constructor(
    address: DatabaseAddress,
    machine: Clock,
    { log, patienceMs = PATIENCE_MS }: DatabaseOptions = {},
  ) {
    this.machine = machine;
    this.patienceMs = patienceMs;
    this.#servers = new Servers(address, { machine, log });
  }

  /** What the servers of the address were when they were last asked. */
  get servers(): readonly ServerNote[] {
    return this.#servers.notes;
  }

  /**
   * Runs one statement that writes, as its own transaction. When the database cannot be used before the deadline (in
   * steady time), rejects with StoreUnavailable if the statement did not arrive or the server refused it, and with
   * OutcomeUnknown otherwise.
   */
  query<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: readonly unknown[],
    deadline = this.machine.steady() + this.patienceMs,
  ): Promise<Row[]> {
    return this.#settled(deadline, (session, call) => {
      const run = () => session.run<Row>(statement, values);
      const commit = () => {
        call.committing = true;
        return true;
      };
      if (session.isPooled) return session.transaction(run, commit);
      commit();
      return run();
    });
  }

  /** Runs one statement that only reads: when it fails, nothing was done. */
  read<Row extends QueryResultRow>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.#settled(this.machine.steady() + this.patienceMs, (session) => {
      const run = () => session.run<Row>(statement, values);
      return session.isPooled ? session.transaction(run) : run();
    });
  }

  /** Runs statements as one transaction, and commits if `isDone` of the result is true. Rejects as `query` does. */
  transaction<T>(use: (session: DatabaseSession) => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
    return this.#settled(this.machine.steady() + this.patienceMs, (session, call) =>
      session.transaction(
        () => use(session),
        (result) => {
          call.committing = isDone(result);
          return call.committing;
        },
      ),
    );
  }

  async #settled<T>(
    deadline: number,
    use: (session: DatabaseSession, call: CallUnderWay) => Promise<T>,
  ): Promise<T> {
    for (let conflicts = 0; ; conflicts++) {
      const call = { committing: false };
      try {
        return await this.#use(deadline, (session) => use(session, call));
      } catch (error) {
        if (conflicts < MAX_CONFLICTS && isConflict(error)) continue;
        throw asFailure(error, call.committing);
      }
    }
  }

  /**
   * Lends a connection for statements that belong together. If it fails, some of them may have been done. What they need of
   * the session they set in a transaction, because behind a pooler each may be served by another one.
   */
  async session<T>(
    use: (client: PoolClient) => Promise<T>,
    { patienceMs, statementMs = STATEMENT_MS }: LentSession,
  ): Promise<T> {
    try {
      return await this.#use(this.machine.steady() + patienceMs, async ({ client, isPooled }) => {
        if (isPooled || statementMs === STATEMENT_MS) return await use(client);
        await client.query(`SET statement_timeout = ${statementMs}`);
        try {
          return await use(client);
        } finally {
          await client.query(`SET statement_timeout = ${STATEMENT_MS}`);
        }
      });
    } catch (error) {
      throw asFailure(error, false);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#servers.close();
    return this.#closing;
  }

  async #connect(deadline: number): Promise<DatabaseSession> {
    const connecting = this.#servers.connect();
    const late = new NoAnswer();
    try {
      return await inTime(this.machine, connecting, deadline, late);
    } catch (error) {
      // A late connection serves the next call.
      connecting.then(({ client }) => client.release()).catch(() => {});
      if (error !== late) throw error;
      const { reasons } = this.#servers;
      const why = reasons === '' ? '' : ` (${reasons})`;
      throw new StoreUnavailable(`no connection to the database in time${why}`);
    }
  }

  async #use<T>(deadline: number, use: (session: DatabaseSession) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw this.#closed;
    const session = await this.#connect(deadline);
    const { client } = session;
    let broken: Error | undefined;
    // Ends the connection with its statement: nobody waits for the answer any more.
    const giveUp = () => {
      broken = new NoAnswer('the database did not answer in time');
      this.#servers.doubt();
      client.release(broken);
    };
    const timer = this.machine.after(Math.max(1, deadline - this.machine.steady()), giveUp);
    try {
      const result = await use(session);
      timer[Symbol.dispose]();
      if (broken === undefined) client.release();
      return result;
    } catch (error) {
      timer[Symbol.dispose]();
      if (broken !== undefined) throw broken;
      const isLost = isDatabaseUnavailable(error);
      // After a failover this connection may lead to a standby: the next call makes a new one.
      if (isLost) this.#servers.doubt();
      client.release(isLost);
      throw error;
    }
  }
}
