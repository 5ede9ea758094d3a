/** A database that fails during the greeting of a first start: the service stays up, and only the greeting is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../acceptance/client.ts';
import { startPostgres } from '../postgres.ts';
import { startService } from '../service.ts';
import { startCuttingProxy } from '../store/postgres/cutting-proxy.ts';

test('a store that is unavailable for the greeting does not stop the service', async () => {
  await using parts = new AsyncDisposableStack();
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const proxy = parts.use(await startCuttingProxy(await postgres.createDatabase(postgres.schema)));
  // The queries for keys and members, and none that the service needs to start.
  proxy.cutAfter = (statement) => statement.startsWith('records_');
  const env = { COUNTERSIGN_STORE_URL: proxy.url, COUNTERSIGN_SECRET: 'a secret that only this test knows' };
  // A start whose routes lead only to the simulator also reads the keys before serving.
  const config = {
    carriers: {
      gateway: { type: 'http', url: 'http://127.0.0.1:1/', json: { to: '{{to}}', text: '{{text}}' } },
    },
    routes: [{ channel: 'sms', carriers: ['gateway'] }],
  };
  const service = parts.use(await startService({ config, env, withoutKeys: true }));

  const isTold = async () => service.logs().includes('countersign: no greeting: the store ') || undefined;
  assert.ok(await eventually(isTold, 10_000), service.logs());
  assert.ok(proxy.cuts > 0);
  proxy.cutAfter = () => false;
  const key = await service.createKey('first');
  const answer = await service.client.verify('+14155550123', 'sms', { key });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(await service.stop(), 0);
});
