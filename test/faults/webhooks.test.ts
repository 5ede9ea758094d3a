/**
 * `kill -9` at random moments under load: the event of everything that was answered arrives, at least once, and those of one
 * verification in their order.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { LOOPBACK, makeWebhook, openEndpoint } from '../events/endpoint.ts';
import { startService } from '../service.ts';

const KILLS = Number(process.env.COUNTERSIGN_TEST_WEBHOOK_KILLS ?? 2);
const CLIENTS = 6;
const ORDER = ['verification.requested', 'delivery.delivered', 'verification.confirmed'];

test(`${KILLS} crashes lose no event of what was answered`, async (t) => {
  await using endpoint = await openEndpoint();
  await using service = await startService({
    config: {
      limits: { requestsPerKey: [] },
      webhooks: { privateNetworks: LOOPBACK },
      delivery: { lease: '2s' },
    },
  });
  const made = await makeWebhook({ COUNTERSIGN_DATA_DIR: service.dataDir }, { url: endpoint.url });
  endpoint.secrets = [made.secret];
  // The service looks for new endpoints a few times a second.
  const seen = await eventually(async () => {
    await service.client.verify(freshNumber());
    return endpoint.received[0];
  });
  assert.ok(seen !== undefined);

  const promised: string[] = [];
  async function work(client: Client, killed: AbortSignal): Promise<void> {
    while (!killed.aborted) {
      const destination = freshNumber();
      const { status, json } = await client.verify(destination);
      assert.equal(status, 200);
      const { id = '' } = json;
      promised.push(`verification.requested ${id}`);
      if (randomInt(2) === 0) continue;
      const [message] = await client.messages(destination);
      if (message === undefined) continue;
      const confirmed = await client.confirm(id, message.code);
      if (confirmed.status === 200) promised.push(`verification.confirmed ${id}`);
    }
  }
  const workUntilKilled = async (client: Client, killed: AbortSignal): Promise<void> => {
    try {
      await work(client, killed);
    } catch (error) {
      if (error instanceof Error && 'code' in error && /^ECONN|^EPIPE/.test(String(error.code))) return;
      throw error;
    }
  };

  // On a busy machine a round may end before its first answer.
  for (let round = 0; round < KILLS || promised.length <= KILLS; round++) {
    const client = createClient(service);
    const killed = new AbortController();
    const clients = Array.from({ length: CLIENTS }, () => workUntilKilled(client, killed.signal));
    await sleep(randomInt(300, 1_500));
    killed.abort();
    await service.kill9();
    await Promise.all(clients);
    client.close();
    await service.restart();
  }

  const missing = () => {
    const arrived = new Set(endpoint.received.map(({ type, data }) => `${type} ${data.id}`));
    return promised.filter((each) => !arrived.has(each));
  };
  await eventually(async () => (missing().length === 0 ? true : undefined), 60_000);
  assert.deepEqual(missing(), []);
  assert.ok(promised.length > KILLS);

  const first = new Map<string, string[]>();
  for (const { type, data } of endpoint.received) {
    const types = first.get(data.id) ?? [];
    if (!types.includes(type)) types.push(type);
    first.set(data.id, types);
  }
  for (const [id, types] of first) {
    const known = types.filter((type) => ORDER.includes(type));
    assert.deepEqual(
      known,
      ORDER.filter((type) => known.includes(type)),
      id,
    );
  }
  assert.deepEqual(endpoint.faults, []);
  const ids = new Set(endpoint.received.map(({ id }) => id));
  t.diagnostic(
    `${promised.length} answers, ${ids.size} events, ${endpoint.received.length - ids.size} of them sent again`,
  );
});
