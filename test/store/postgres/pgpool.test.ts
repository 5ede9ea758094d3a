/** A real pgpool-II has a standby answer, so it is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOwnPostgres, startStandby } from '../../postgres.ts';
import { hasPgpool, startPgpool } from './pgpool.ts';
import { lookAt, openNode } from './rig.ts';

const skip = hasPgpool ? false : 'NOT TESTED: there is no pgpool on this machine';

test('pgpool-II reads from a standby that is behind, and is refused', {
  skip,
  timeout: 60_000,
}, async (t) => {
  const parts = new AsyncDisposableStack();
  t.after(() => parts.disposeAsync());
  const primary = parts.adopt(await startOwnPostgres(), (server) => server.dispose());
  const standby = parts.adopt(await startStandby(primary), (server) => server.dispose());
  const url = await startPgpool(primary, standby, parts);
  await lookAt(primary.url, 'CREATE TABLE kept (id integer)');
  while ((await lookAt(standby.url, "SELECT to_regclass('kept') AS kept"))[0]?.kept === null) await sleep(20);
  await lookAt(standby.url, 'SELECT pg_wal_replay_pause()');
  await lookAt(url, 'INSERT INTO kept VALUES (1)');
  assert.deepEqual(await lookAt(primary.url, 'SELECT id FROM kept'), [{ id: 1 }]);
  assert.deepEqual(await lookAt(url, 'SELECT id FROM kept'), [], 'what was saved is not there');
  await assert.rejects(openNode(url), /leads to pgpool-II/);
  await lookAt(standby.url, 'SELECT pg_wal_replay_resume()');
});
