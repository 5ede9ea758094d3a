/** A real PgBouncer that is given a primary and its standby as hosts sends transactions to both. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { Database } from '../../../src/store/postgres/connection/database.ts';
import { readDurability } from '../../../src/store/postgres/connection/durability.ts';
import { freePort } from '../../free-port.ts';
import { startOwnPostgres, startStandby } from '../../postgres.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { addressOf, lookAt } from './rig.ts';

/** PgBouncer knows one port for all hosts. Answers the hosts. */
async function listenOnOnePort(ports: readonly number[], port: number, parts: AsyncDisposableStack) {
  const hosts: string[] = [];
  for (const [index, target] of ports.entries()) {
    const host = `127.0.0.${index + 2}`;
    const server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1');
      pipeline(client, upstream, client, () => upstream.destroy());
    });
    parts.defer(() => void server.close());
    await once(server.listen(port, host), 'listening');
    hosts.push(host);
  }
  return hosts;
}

test('a pooler that leads to a standby, too: nothing is read there, and doctor says so', {
  timeout: 60_000,
}, async (t) => {
  const parts = new AsyncDisposableStack();
  t.after(() => parts.disposeAsync());
  const primary = parts.adopt(await startOwnPostgres(), (server) => server.dispose());
  const standby = parts.adopt(await startStandby(primary), (server) => server.dispose());
  const port = await freePort();
  const hosts = await listenOnOnePort([primary.port, standby.port], port, parts);
  const given = new URL(primary.url);
  given.port = String(port);
  const pooler = await startPgBouncer(given.href, { mode: 'transaction', size: 6, hosts });
  if (pooler === undefined) {
    t.skip('NOT TESTED: there is no pgbouncer on this machine');
    return;
  }
  parts.use(pooler);
  const url = pooler.through(primary.url);
  const seen = await Promise.all(
    Array.from({ length: 6 }, () =>
      lookAt(url, 'SELECT pg_is_in_recovery() AS at_standby FROM pg_sleep(0.2)'),
    ),
  );
  assert.deepEqual(new Set(seen.flat().map(({ at_standby }) => at_standby)), new Set([true, false]));

  const db = new Database(addressOf(url), SYSTEM_CLOCK);
  parts.defer(() => db.close());
  const statement = { name: 'where', text: 'SELECT pg_is_in_recovery() AS at_standby' };
  const ask = () =>
    db.read<{ at_standby: boolean }>(statement, []).then(
      ([row]) => row?.at_standby,
      (error: Error) => error.message,
    );
  const refused =
    'the pooler leads to a standby, too; name one server in its host=, or an address that follows the primary';
  const answers = await Promise.all(Array.from({ length: 40 }, ask));
  assert.deepEqual(new Set(answers), new Set([false, refused]));

  await assert.rejects(readDurability(addressOf(url)), { message: refused });
  assert.equal((await readDurability(addressOf(primary.url))).hasOthers, true);
});
