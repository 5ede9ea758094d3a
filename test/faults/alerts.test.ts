/** A service that is killed while it tells of an alert tells of it after its restart. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { mintEntryId } from '../../src/accounts/token.ts';
import { query } from '../../src/core/accounts/records.ts';
import { SYSTEM_RANDOM } from '../../src/core/random.ts';
import { eventually } from '../acceptance/client.ts';
import { withStoreOf } from '../events/endpoint.ts';
import { startService } from '../service.ts';

test('an alert that a kill interrupted is told after the restart, and then no more', async (t) => {
  let isHanging = true;
  const received: { readonly id: string; readonly body: string }[] = [];
  const chat = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ id: String(request.headers['webhook-id']), body });
    if (!isHanging) response.writeHead(200).end('ok');
  });
  chat.listen(0, '127.0.0.1');
  await once(chat, 'listening');
  t.after(() => {
    chat.close();
    chat.closeAllConnections();
  });
  const address = chat.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const webhook = { url: `http://127.0.0.1:${port}/hook` };
  await using service = await startService({ config: { alerts: { every: '1s', webhook } } });
  const env = { COUNTERSIGN_DATA_DIR: service.dataDir };
  await withStoreOf(env, async (store) => {
    const [account] = await query(store, "SELECT id FROM account WHERE name = 'default'");
    const now = Date.now();
    await store.transact([
      {
        sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
          VALUES ($1, $2, $3, 'Ada', NULL, 'member.joined', 'new@example.com', 'as owner')`,
        args: [String(account?.id), mintEntryId(now, SYSTEM_RANDOM), now],
      },
    ]);
  });
  await eventually(async () => received[0], 30_000);
  await service.kill9();
  isHanging = false;
  await service.restart();
  await eventually(async () => received[1], 30_000);
  assert.equal(received[1]?.id, received[0]?.id, 'the same message');
  assert.match(received[1]?.body ?? '', /new@example\.com joined as an owner/);
  const sent = await eventually(
    () =>
      withStoreOf(env, async (store) => {
        const rows = await query(store, 'SELECT due_at, sent_at FROM alert_notice');
        return rows.length === 1 && rows[0]?.sent_at !== null ? rows : undefined;
      }),
    30_000,
  );
  assert.equal(sent?.[0]?.due_at, null);
  assert.equal(received.length, 2);
});
