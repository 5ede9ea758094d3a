/** Nodes that are changed one after the other: what one of them cannot send yet, or no longer, waits for the one that can. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../acceptance/client.ts';
import { accept, openGateway } from '../faults/gateway.ts';
import { startCluster } from './cluster.ts';

test('messages to a country that one node has no route for yet are sent by the other, whoever claims them', async (t) => {
  await using gateway = await openGateway();
  const folder = await mkdtemp(join(tmpdir(), 'countersign-routes-'));
  t.after(() => rm(folder, { recursive: true }));
  const configuration = (...countries: string[]) => ({
    carriers: { gateway: gateway.carrier },
    routes: [{ channel: 'sms', countries, carriers: ['gateway'] }],
  });
  const changed = join(folder, 'changed.yaml');
  await writeFile(changed, JSON.stringify(configuration('FR', 'DE')));
  await using cluster = await startCluster({
    config: configuration('FR'),
    secondEnv: { COUNTERSIGN_CONFIG: changed },
  });
  const [, second] = cluster.nodes;
  gateway.behave((_message, response) => response.writeHead(503).end());
  const ids: (string | undefined)[] = [];
  for (let i = 0; i < 10; i++) {
    const { status, json, text } = await second.client.verify(`+491511234560${i}`, 'sms', {
      key: cluster.key,
    });
    assert.equal(status, 200, text);
    ids.push(json.id);
  }
  await eventually(async () => gateway.received.length >= 10 || undefined, 30_000);
  gateway.behave(accept);
  const tried = gateway.received.length;
  const isThere = (id: string | undefined) =>
    gateway.received.slice(tried).some((message) => message.id === id);
  await eventually(async () => ids.every(isThere) || undefined, 60_000);
  assert.deepEqual(
    ids.filter((id) => !isThere(id)),
    [],
  );
});

test('a receipt that comes to a node without its carrier is reported again, and kept once the node has it', async (t) => {
  await using gateway = await openGateway();
  const folder = await mkdtemp(join(tmpdir(), 'countersign-receipts-'));
  t.after(() => rm(folder, { recursive: true }));
  const secret = randomBytes(16).toString('hex');
  const receipts = {
    ...{ in: 'json', id: 'id', status: 'status', delivered: ['DELIVRD'], undelivered: ['UNDELIV'] },
    proof: { type: 'secret', header: 'x-secret', secret },
  };
  const carriers = { added: { ...gateway.carrier, receipts } };
  const routes = [{ channel: 'sms', carriers: ['added'] }];
  const file = join(folder, 'countersign.yaml');
  const publicUrl = 'https://verify.example.com';
  await writeFile(file, JSON.stringify({ publicUrl }));
  await using cluster = await startCluster({
    config: { publicUrl, carriers, routes },
    secondEnv: { COUNTERSIGN_CONFIG: file },
  });
  const [, second] = cluster.nodes;
  const report = (name: string) =>
    second.client.post(
      `/carriers/${name}/receipts`,
      { id: 'ref-1', status: 'DELIVRD' },
      { key: null, headers: { 'x-secret': secret } },
    );
  await eventually(async () => (await report('added')).status === 503 || undefined, 30_000);
  assert.equal((await report('removed')).status, 404);
  await writeFile(file, JSON.stringify({ publicUrl, carriers, routes }));
  process.kill(second.pid, 'SIGHUP');
  await eventually(async () => (await report('added')).status === 204 || undefined, 30_000);
});
