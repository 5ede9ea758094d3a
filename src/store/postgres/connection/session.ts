/** The settings of every session, and those that it requires. */
import type { ClientBase, PoolClient, QueryResultRow } from 'pg';
import type { Target } from '../../../options/database-address.ts';
import { ServerRefused } from './server-state.ts';
import { inTransaction } from './transaction.ts';

/** A statement that each session prepares once, under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** Shorter than a call's patience: the server ends a slow statement, and we know that nothing was written. */
export const STATEMENT_MS = 3_000;

/**
 * All our statements find rows by key, from arrays whose length the planner does not know. A plan made for a small table must
 * still fit when the table has grown, so plans that read whole tables are ruled out.
 */
const SETTINGS = {
  statement_timeout: String(STATEMENT_MS),
  default_transaction_isolation: 'read committed',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;

const set = (isLocal: string) =>
  Object.entries(SETTINGS).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`);

/**
 * A pooler answers for the server, so the process that it names is not the one that serves. Then the settings are not made
 * here: for the transaction of this statement they mean nothing.
 *
 * By a statement, not when connecting: a pooler refuses settings that it does not know.
 */
const SET_UP = `
  SELECT ${set('is_pooled')}, is_pooled, current_setting('synchronous_commit') AS commits,
    current_setting('transaction_read_only') = 'on' AS only_reads, pg_is_in_recovery() AS is_standby
  FROM (SELECT pg_backend_pid() IS DISTINCT FROM $1::integer AS is_pooled) AS way`;

/**
 * The settings of one transaction. Those that the session had may have changed since it was set up, so a commit that does not wait is
 * made to. And another server may serve it.
 */
const BEGIN_POOLED = `
  BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT ${set('true')},
    set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true),
    pg_is_in_recovery() AS is_standby`;

const POOLED_STANDBY =
  'the pooler leads to a standby, too; name one server in its host=, or an address that follows the primary';

/** The statement that corrects the setting, depending on where the setting comes from. */
const FIX = `
  SELECT CASE source
    WHEN 'database' THEN format('ALTER DATABASE %I SET synchronous_commit = on', current_database())
    WHEN 'user' THEN format('ALTER ROLE %I SET synchronous_commit = on', current_user)
    WHEN 'database user'
      THEN format('ALTER ROLE %I IN DATABASE %I SET synchronous_commit = on', current_user, current_database())
    ELSE format('ALTER ROLE %I SET synchronous_commit = on', current_user) END AS fix
  FROM pg_settings WHERE name = 'synchronous_commit'`;

/** A connection that is set up. */
export class DatabaseSession {
  readonly client: PoolClient;
  /**
   * Each transaction may be served by another session of the server, so nothing outlives one: no setting, no prepared
   * statement and no lock.
   */
  readonly isPooled: boolean;

  constructor(client: PoolClient, isPooled: boolean) {
    this.client = client;
    this.isPooled = isPooled;
  }

  /** Runs one statement: behind a pooler only within `transaction`, which makes the settings. */
  async run<Row extends QueryResultRow>(
    { name, text }: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const prepared = this.isPooled ? {} : { name };
    const { rows } = await this.client.query<Row>({ ...prepared, text, values: [...values] });
    return rows;
  }

  transaction<T>(work: () => Promise<T>, isDone?: (result: T) => boolean): Promise<T> {
    return inTransaction(this.client, work, isDone, this.isPooled ? () => this.#beginPooled() : undefined);
  }

  /** A pooler that is given several hosts sends transactions to all of them, and a standby would tell what was so a while ago. */
  async #beginPooled(): Promise<void> {
    // Several statements have several results, which the types do not know.
    const results = [await this.client.query<{ is_standby: boolean }>(BEGIN_POOLED)].flat();
    if (results.at(-1)?.rows[0]?.is_standby === true) throw new ServerRefused('standby', POOLED_STANDBY);
  }
}

/**
 * Rejects with ServerRefused if the server is not what is wanted, or a commit does not wait for the disk: what was answered
 * 200 could be lost. Checked in every session, because the settings of a role or a database can change at any time.
 */
export async function setUpSession(client: PoolClient, target: Target): Promise<DatabaseSession> {
  const { rows } = await client.query<{
    is_pooled: boolean;
    commits: string;
    only_reads: boolean;
    is_standby: boolean;
  }>(SET_UP, ['processID' in client ? client.processID : null]);
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not tell its settings');
  const isOther = { any: false, 'read-write': row.only_reads, primary: row.is_standby }[target];
  if (isOther) {
    const what = row.is_standby ? 'is a standby' : 'only reads';
    const state = row.is_standby ? 'standby' : 'read-only';
    throw new ServerRefused(state, `the server ${what}, and target_session_attrs is ${target}`);
  }
  if (row.commits === 'off') throw await describeUnsafeCommits(client);
  return new DatabaseSession(client, row.is_pooled);
}

async function describeUnsafeCommits(client: ClientBase): Promise<ServerRefused> {
  const { rows } = await client.query<{ fix: string }>(FIX);
  return new ServerRefused(
    'unsafe-commits',
    `synchronous_commit is off, so a commit could be lost after it was promised; run: ${rows[0]?.fix}`,
  );
}
