/** Connections to the database that break right after a commit: the cap of a route still holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { startPostgres } from '../postgres.ts';
import { startService } from '../service.ts';
import { startCuttingProxy } from '../store/postgres/cutting-proxy.ts';

const CAP = 40;
const CLIENTS = 8;
const REQUESTS = 300;

test('requests answered 503 but written anyway count towards the cap', async (t) => {
  await using parts = new AsyncDisposableStack();
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const proxy = parts.use(await startCuttingProxy(await postgres.createDatabase(postgres.schema)));
  const gateway = parts.use(await openGateway());
  const service = parts.use(
    await startService({
      config: {
        limits: { requestsPerKey: [] },
        delivery: { lease: '3s' },
        carriers: { gateway: gateway.carrier },
        routes: [{ channel: 'sms', carriers: ['gateway'], dailyCap: CAP }],
      },
      env: { COUNTERSIGN_STORE_URL: proxy.url, COUNTERSIGN_SECRET: 'a secret that only this test knows' },
    }),
  );
  let batches = 0;
  proxy.cutAfter = (statement) => statement === 'issue' && batches++ % 2 === 0;

  const answers = new Map<string, number>();
  let left = REQUESTS;
  const work = async () => {
    const client = createClient(service);
    while (left-- > 0) {
      const answer = await client.verify(freshNumber());
      const kind = answer.status === 200 ? 'issued' : (problemOf(answer) ?? answer.text);
      answers.set(kind, (answers.get(kind) ?? 0) + 1);
      assert.ok(answer.status !== 503 || Number(answer.headers['retry-after']) > 0);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  assert.ok(proxy.cuts > 0);
  t.diagnostic(JSON.stringify(Object.fromEntries(answers)));

  const sent = () => new Set(gateway.received.map(({ id }) => id)).size;
  const promised = answers.get('issued') ?? 0;
  const unclear = answers.get('outcome-unknown') ?? 0;
  // Verifications written despite a 503 are sent when their lease ends.
  await eventually(async () => (sent() >= promised + unclear ? true : undefined), 15_000);
  await sleep(4_000);
  assert.ok(sent() <= CAP, `${sent()} of ${CAP} were sent`);
  assert.equal(promised + unclear, CAP, 'every place was used, and none twice');
});
