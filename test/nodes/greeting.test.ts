/** A database that breaks off while the service greets a newcomer: the service stays, and only its greeting is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../acceptance/client.ts';
import { startPostgres } from '../postgres.ts';
import { startService } from '../service.ts';
import { startCuttingProxy } from '../store/postgres/cutting-proxy.ts';

test('a store that is away for the greeting does not end the service', async () => {
  await using parts = new AsyncDisposableStack();
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const proxy = parts.use(await startCuttingProxy(await postgres.createDatabase()));
  // Keys and members are asked for by these; what the service cannot start without is not.
  proxy.cutAfter = (statement) => statement.startsWith('records_');
  const env = { COUNTERSIGN_STORE_URL: proxy.url, COUNTERSIGN_SECRET: 'a secret that only this test knows' };
  // A start with routes to the simulator only asks for the keys, too, before it serves anybody.
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
