/**
 * Before and after a whole run of the tests: makes what each file would otherwise make for itself, which would take
 * minutes. One PostgreSQL, in which each file makes its own databases, with a schema to copy, one certificate, and the
 * browser unpacked.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureSelfSigned } from '../src/http/connection/tls.ts';
import { findPacked } from './browser/rig/packed.ts';
import { startOwnPostgres } from './postgres.ts';
import { openNode } from './store/postgres/rig.ts';

const parts = new AsyncDisposableStack();

export async function globalSetup(): Promise<void> {
  // The test files' processes inherit what is set here.
  const { env } = process;
  // A small file of tests spends most of its time reading TypeScript, so all files share the service's cache of what was read.
  env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/countersign', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'countersign-certificate-'));
  parts.defer(() => rm(folder, { recursive: true }));
  await ensureSelfSigned(folder);
  env.COUNTERSIGN_TEST_CERTIFICATE = folder;
  // Where it cannot be unpacked, each test that needs a browser says so, with every way that was tried.
  await findPacked().catch(() => {});
  if (env.COUNTERSIGN_TEST_DATABASE_URL !== undefined) return;
  const postgres = await startOwnPostgres();
  parts.defer(() => postgres.dispose());
  env.COUNTERSIGN_TEST_DATABASE_URL = postgres.url;
  const schema = await postgres.createDatabase();
  const store = await openNode(schema);
  await store.close();
  env.COUNTERSIGN_TEST_SCHEMA_URL = schema;
}

export async function globalTeardown(): Promise<void> {
  await parts.disposeAsync();
}
