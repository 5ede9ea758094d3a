/** The settings of every session, and those that it requires. */
import type { ClientBase } from 'pg';
import { StoreUnavailable } from '../../../core/errors.ts';

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

// By a statement, not when connecting: a pooler refuses settings that it does not know.
const SET_UP = `
  SELECT ${Object.entries(SETTINGS).map(([name, value]) => `set_config('${name}', '${value}', false)`)},
    current_setting('synchronous_commit') AS commits`;

/** The statement that corrects the setting, depending on where the setting comes from. */
const FIX = `
  SELECT CASE source
    WHEN 'database' THEN format('ALTER DATABASE %I SET synchronous_commit = on', current_database())
    WHEN 'user' THEN format('ALTER ROLE %I SET synchronous_commit = on', current_user)
    WHEN 'database user'
      THEN format('ALTER ROLE %I IN DATABASE %I SET synchronous_commit = on', current_user, current_database())
    ELSE format('ALTER ROLE %I SET synchronous_commit = on', current_user) END AS fix
  FROM pg_settings WHERE name = 'synchronous_commit'`;

/**
 * Rejects with StoreUnavailable if a commit does not wait for the disk: what was answered 200 could be lost. Checked in every
 * session, because the settings of a role or a database can change at any time.
 */
export async function setUpSession(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ commits: string }>(SET_UP);
  if (rows[0]?.commits !== 'off') return;
  const { rows: fixes } = await client.query<{ fix: string }>(FIX);
  throw new StoreUnavailable(
    `synchronous_commit is off, so a commit could be lost after it was promised; run: ${fixes[0]?.fix}`,
  );
}
