/**
 * The acceptance suite against two nodes on one PostgreSQL: of two requests one after another, each reaches another node.
 * Tests that need a configuration of their own are not among these; `races.test.ts` beside this file has some.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCluster } from './cluster.ts';
import { runSuite } from './suite.ts';

// The others test what belongs to one process: its listener, its start, its documents.
const FILES = ['authentication', 'verify', 'confirm', 'idempotency', 'problems', 'limits', 'simulator'];

test('the acceptance suite is green on two nodes', async (t) => {
  await using cluster = await startCluster();
  const ca = join(cluster.dataDir, 'trusted.pem');
  await writeFile(ca, cluster.ca);
  await runSuite(
    t,
    { files: FILES.map((name) => `acceptance/${name}`), least: 100 },
    {
      COUNTERSIGN_TEST_BASE_URL: cluster.baseUrl,
      COUNTERSIGN_TEST_CA: ca,
      COUNTERSIGN_TEST_KEY: cluster.key,
      COUNTERSIGN_TEST_TEST_KEY: await cluster.createKey('test', { test: true }),
      COUNTERSIGN_TEST_OTHER_KEY: await cluster.createKey('other', { account: 'other' }),
    },
  );
});
