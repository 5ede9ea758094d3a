/** Two nodes on one PostgreSQL tell each alert once; when the one that tells is killed, the other goes on. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { mintEntryId } from '../../src/accounts/token.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { query } from '../../src/core/sql/records.ts';
import { eventually } from '../acceptance/client.ts';
import { withStoreOf } from '../events/endpoint.ts';
import { startPostgres } from '../postgres.ts';
import { startCluster } from './cluster.ts';

const DEADLINE_MS = 30_000;

/** A chat that writes down what each alert is about, as often as it comes. While it hangs, it answers nothing. */
async function openChat() {
  const told: string[] = [];
  const chat = { told, isHanging: false };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    for (const { subject } of JSON.parse(body).alerts) told.push(subject);
    if (!chat.isHanging) response.writeHead(200).end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    chat,
    url: `http://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('each alert is told once, and a killed node leaves none behind', async () => {
  await using parts = new AsyncDisposableStack();
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const { chat, url: hook } = parts.use(await openChat());
  const url = await postgres.createDatabase(postgres.schema);
  const env = { COUNTERSIGN_STORE_URL: url, COUNTERSIGN_SECRET: randomBytes(32).toString('hex') };
  const config = { alerts: { webhook: { url: hook } } };
  await using cluster = await startCluster({ env, config, quick: true }, postgres);

  await withStoreOf(env, async (store) => {
    /** As the portal would write it. The id of each is what its alert is about. A letter names the first twenty. */
    async function addOwners(): Promise<string[]> {
      const [account] = await query(store, "SELECT id FROM account WHERE name = 'default'");
      const ids = Array.from({ length: 15 }, () => mintEntryId(Date.now(), SYSTEM_RANDOM));
      await store.transact(
        ids.map((id) => ({
          sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
            VALUES ($1, $2, $3, 'Ada', NULL, 'member.joined', 'new@example.com', 'as owner')`,
          args: [String(account?.id), id, Date.now()],
        })),
      );
      return ids;
    }
    const timesOf = (ids: readonly string[]) =>
      ids.map((id) => chat.told.filter((subject) => subject === id).length);
    async function untilTold(ids: readonly string[], times = 1): Promise<void> {
      const areTold = async () => timesOf(ids).every((count) => count >= times) || undefined;
      assert.ok(await eventually(areTold, DEADLINE_MS), `told ${times} times: ${timesOf(ids)}`);
    }
    const holder = async () => String((await query(store, 'SELECT holder FROM alert_turn'))[0]?.holder);

    /** Told while nobody died. */
    const calm = await addOwners();
    await untilTold(calm);
    for (const isHanging of [false, true]) {
      // It says so in its log, which the other does not.
      const teller = await eventually(async () =>
        cluster.nodes.find((node) => node.logs().includes(calm.at(-1) ?? '')),
      );
      assert.ok(teller !== undefined);
      // Told, and written down as told: together with new ones they would be more than a letter names.
      const areSettled = async () =>
        (await query(store, 'SELECT FROM alert_notice WHERE due_at IS NOT NULL')).length === 0 || undefined;
      assert.ok(await eventually(areSettled), 'a notice still waits');
      const before = await holder();
      chat.isHanging = isHanging;
      const ids = await addOwners();
      // In the middle of its letter, or whatever it does just then.
      if (isHanging) await untilTold(ids);
      await teller.kill9();
      chat.isHanging = false;
      assert.equal(await holder(), before, 'nobody takes the turn before it ends');
      // A lease outlasts the longest letter. What is left of it passes here at once; the other waits for its end as ever.
      await query(store, 'UPDATE alert_turn SET ends_at = $1 WHERE holder = $2', Date.now() + 1_000, before);
      // The killed one may have told them before it died: that they are told does not say that the other has the turn.
      const isTaken = async () => (await holder()) !== before || undefined;
      assert.ok(await eventually(isTaken, DEADLINE_MS), 'the other takes the turn');
      await untilTold(ids, isHanging ? 2 : 1);
      assert.ok(Math.max(...timesOf(ids)) <= 2, 'what was under way may come twice, and no more often');
      calm.push(...(await addOwners()));
      await untilTold(calm);
      await teller.restart();
    }
    assert.deepEqual(
      timesOf(calm),
      calm.map(() => 1),
      'nothing comes twice while nobody dies',
    );
  });
});
