/**
 * The acceptance suite against two nodes on one PostgreSQL: of two requests one after another, each reaches another node.
 * Tests that need a configuration of their own are not among these; `races.test.ts` beside this file has some.
 */
import assert from 'node:assert/strict';
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
    { files: FILES.map((name) => `acceptance/${name}`), least: 185 },
    {
      COUNTERSIGN_TEST_BASE_URL: cluster.baseUrl,
      COUNTERSIGN_TEST_CA: ca,
      COUNTERSIGN_TEST_KEY: cluster.key,
      COUNTERSIGN_TEST_TEST_KEY: await cluster.createKey('test', { test: true }),
      COUNTERSIGN_TEST_OTHER_KEY: await cluster.createKey('other', { account: 'other' }),
    },
  );
  const served = await Promise.all(
    cluster.nodes.map(async ({ client }) => {
      const { text } = await client.get('/metrics', { key: null });
      const lines = text.match(/^countersign_verifications_requested_total\{.* \d+$/gm) ?? [];
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    }),
  );
  t.diagnostic(`verifications requested at each node: ${served.join(', ')}`);
  const [least, most] = [Math.min(...served), Math.max(...served)];
  assert.ok(least > most / 3, 'both nodes were asked');
});
