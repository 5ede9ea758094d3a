/** Two nodes on one PostgreSQL tell each alert once; when the one that tells is killed, the other goes on. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { mintEntryId } from '../../src/accounts/token.ts';
import { query } from '../../src/core/accounts/records.ts';
import { eventually } from '../acceptance/client.ts';
import { withStoreOf } from '../events/endpoint.ts';
import { startPostgres } from '../postgres.ts';
import { startCluster } from './cluster.ts';

test('each alert is told once, and a killed node leaves none behind', async () => {
  await using parts = new AsyncDisposableStack();
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const told: string[] = [];
  const chat = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      for (const { subject } of JSON.parse(body).alerts) told.push(subject);
      response.writeHead(200).end('ok');
    });
  });
  chat.listen(0, '127.0.0.1');
  await once(chat, 'listening');
  parts.defer(() => void chat.close());
  const address = chat.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  const url = await postgres.createDatabase(postgres.schema);
  const env = { COUNTERSIGN_STORE_URL: url, COUNTERSIGN_SECRET: randomBytes(32).toString('hex') };
  const config = { alerts: { every: '1s', webhook: { url: `http://127.0.0.1:${port}/hook` } } };
  await using cluster = await startCluster({ env, config }, postgres);

  /** As the portal would write it. The id of each is what its alert is about. */
  const newOwners = (count: number) =>
    withStoreOf(env, async (store) => {
      const [account] = await query(store, "SELECT id FROM account WHERE name = 'default'");
      const ids = Array.from({ length: count }, () => mintEntryId(Date.now()));
      await store.transact(
        ids.map((id) => ({
          sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
            VALUES ($1, $2, $3, 'Ada', NULL, 'member.joined', 'new@example.com', 'as owner')`,
          args: [String(account?.id), id, Date.now()],
        })),
      );
      return ids;
    });
  // A letter names the first twenty.
  const allTold = async (ids: readonly string[]) => {
    await eventually(async () => (ids.every((id) => told.includes(id)) ? true : undefined), 120_000);
  };
  const holder = () =>
    withStoreOf(env, async (store) => {
      const [row] = await query(store, 'SELECT holder, ends_at FROM alert_turn');
      return String(row?.holder);
    });

  await allTold(await newOwners(15));
  assert.equal(new Set(told).size, told.length, 'nothing comes twice while nobody dies');
  const before = await holder();
  const ids = await newOwners(15);
  // Whichever of the two it was.
  await cluster.nodes[0].kill9();
  const first = await eventually(async () => {
    const now = await holder();
    return now !== before || ids.every((id) => told.includes(id)) ? true : undefined;
  }, 120_000);
  assert.ok(first);
  await allTold(ids);
  await cluster.nodes[0].restart();
  await cluster.nodes[1].kill9();
  await allTold(await newOwners(15));
  // What was under way when a node died may come twice, and nothing else does.
  const twice = told.length - new Set(told).size;
  assert.ok(twice <= 15, `${twice} of ${told.length} twice`);
});
