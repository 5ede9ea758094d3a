/** Two nodes on one PostgreSQL share the sending of webhooks: each event once, and all of them when one node is killed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { query } from '../../src/core/accounts/records.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { LOOPBACK, makeWebhook, openEndpoint, withStoreOf } from '../events/endpoint.ts';
import { startPostgres } from '../postgres.ts';
import { startCluster } from './cluster.ts';

/** A node that stands still for longer loses its endpoints, and what it was sending goes twice. */
const LEASE = '10s';

test('each event is sent once, and a killed node leaves none behind', async () => {
  await using parts = new AsyncDisposableStack();
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const url = await postgres.createDatabase(postgres.schema);
  const env = { COUNTERSIGN_STORE_URL: url, COUNTERSIGN_SECRET: randomBytes(32).toString('hex') };
  await using cluster = await startCluster(
    {
      env,
      config: {
        limits: { requestsPerKey: [] },
        webhooks: { privateNetworks: LOOPBACK },
        delivery: { lease: LEASE },
      },
    },
    postgres,
  );
  const endpoints = [parts.use(await openEndpoint()), parts.use(await openEndpoint())];
  for (const endpoint of endpoints) {
    const { secret } = await makeWebhook(env, { url: endpoint.url, types: ['verification.requested'] });
    endpoint.secrets = [secret];
  }

  const request = async (count: number, client = cluster.client) => {
    const answers = await Promise.all(Array.from({ length: count }, () => client.verify(freshNumber())));
    return answers.map(({ status, json }) => {
      assert.equal(status, 200);
      return json.id ?? '';
    });
  };
  const allArrive = async (ids: readonly string[]) => {
    for (const { received } of endpoints) {
      const missing = () => {
        const arrived = new Set(received.map(({ data }) => data.id));
        return ids.filter((id) => !arrived.has(id));
      };
      await eventually(async () => (missing().length === 0 ? true : undefined), 30_000);
      assert.deepEqual(missing(), []);
    }
  };

  await allArrive(await request(1));
  await allArrive(await request(200));
  for (const { received } of endpoints) {
    assert.equal(new Set(received.map(({ id }) => id)).size, received.length, 'no event came twice');
  }
  for (const [killed, left] of [
    [cluster.nodes[0], cluster.nodes[1]],
    [cluster.nodes[1], cluster.nodes[0]],
  ] as const) {
    const asked = Array.from({ length: 50 }, () => request(1).catch(() => []));
    await killed.kill9();
    // What is left of the leases passes here at once.
    await withStoreOf(env, (store) => query(store, 'UPDATE webhook SET leased_until = 0'));
    // What the killed node did not answer promises nothing.
    const answered = (await Promise.all(asked)).flat();
    await allArrive([...answered, ...(await request(50, left.client))]);
    await killed.restart();
  }
});
