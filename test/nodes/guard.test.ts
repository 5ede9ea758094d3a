/** What the guard of one node learns, the guards of the others know within two seconds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, eventually, freshNumber, problemOf, wrongCode } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { startStopwatch } from '../stopwatch.ts';
import { startCluster } from './cluster.ts';

/** Two seconds, and one more for a machine that tests share. So few requests that the other node has room for all. */
const EVERY_MS = 300;
const MOST_TIMES = 10;

test('a flood of one number, an address that guesses and codes of another account are refused at the other node', async (t) => {
  await using gateway = await openGateway();
  await using cluster = await startCluster({
    config: {
      limits: { requestsPerKey: [], sendsPerDestination: ['100/10m'] },
      carriers: { gateway: gateway.carrier },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
    env: { COUNTERSIGN_GUARD_MODE: 'enforce' },
  });
  const [one, other] = cluster.nodes;
  const { key } = cluster;
  const stranger = await cluster.createKey('stranger', { account: 'globex' });
  const ask = ({ client }: typeof one, destination: string, ip: string, by = key): Promise<Answer> =>
    client.post('/verify', { destination, channel: 'sms', signals: { ip } }, { key: by });

  const [flooded, bombed] = [freshNumber(), freshNumber()];
  for (let times = 0; times < 6; times++) assert.equal((await ask(one, flooded, '192.0.2.1')).status, 200);
  assert.equal((await ask(one, bombed, '192.0.2.1')).status, 200);
  for (let victims = 0; victims < 4; victims++) {
    const { json, status } = await ask(one, freshNumber(), '192.0.2.66');
    if (status !== 200) break;
    const id = json.id ?? '';
    const code = await eventually(async () => gateway.received.find((message) => message.id === id)?.code);
    for (let guess = 0; guess < 4; guess++) await one.client.confirm(id, wrongCode(code ?? ''), { key });
  }
  // What one node told first the other heard first.
  const watch = startStopwatch();
  let answer = await ask(other, freshNumber(), '192.0.2.66');
  for (let times = 1; times <= MOST_TIMES && answer.status === 200; times++) {
    while (watch.read() < times * EVERY_MS) await sleep(EVERY_MS / 10);
    answer = await ask(other, freshNumber(), '192.0.2.66');
  }
  t.diagnostic(`refused after ${Math.round(watch.read())} ms`);
  const refused = [
    answer,
    await ask(other, flooded, '192.0.2.2'),
    await ask(other, bombed, '192.0.2.2', stranger),
  ];
  assert.deepEqual(
    refused.map((each) => [each.status, problemOf(each)]),
    Array(3).fill([429, 'guarded']),
  );
  assert.equal((await ask(other, freshNumber(), '192.0.2.2')).status, 200);
});
