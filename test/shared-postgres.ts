/**
 * Before and after a whole run of the tests: one PostgreSQL in which each file makes databases of its own. To start a server for
 * each of them would take a minute of the run.
 */
import { type OwnPostgres, startOwnPostgres } from './postgres.ts';

let shared: OwnPostgres | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env.COUNTERSIGN_TEST_DATABASE_URL !== undefined) return;
  shared = await startOwnPostgres();
  // The processes of the files inherit it.
  process.env.COUNTERSIGN_TEST_DATABASE_URL = shared.url;
}

export async function globalTeardown(): Promise<void> {
  await shared?.dispose();
}
