/**
 * Before and after a whole run of the tests: makes what each file would otherwise make for itself, which would take
 * minutes. One PostgreSQL, in which each file makes its own databases, with a schema to copy, one certificate, and one
 * browser, in which each file opens its own windows.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureSelfSigned } from '../src/http/connection/tls.ts';
import { serveChromium } from './browser/rig/chromium.ts';
import { startOwnPostgres } from './postgres.ts';
import { setOf } from './sets.ts';
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
  if (process.argv.some((word) => setOf(word) === 'browser')) await shareBrowser();
  if (env.COUNTERSIGN_TEST_DATABASE_URL !== undefined) return;
  const postgres = await startOwnPostgres();
  parts.defer(() => postgres.dispose());
  env.COUNTERSIGN_TEST_DATABASE_URL = postgres.url;
  const schema = await postgres.createDatabase();
  const store = await openNode(schema);
  await store.close();
  env.COUNTERSIGN_TEST_SCHEMA_URL = schema;
}

/** Where none starts, each test that needs one says so, with every way that was tried. */
async function shareBrowser(): Promise<void> {
  const browser = await serveChromium().catch(() => undefined);
  if (browser === undefined) return;
  parts.defer(() => browser.close());
  process.env.COUNTERSIGN_TEST_BROWSER = browser.wsEndpoint();
}

export async function globalTeardown(): Promise<void> {
  await parts.disposeAsync();
}
