/** A carrier's rate is a budget for all nodes together, not for each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { startCluster } from './cluster.ts';

test('two nodes together send no faster than one may', async () => {
  await using gateway = await openGateway();
  const times: number[] = [];
  const { behave, carrier } = gateway;
  behave((message, response) => {
    times.push(performance.now());
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: message.id }));
  });
  await using cluster = await startCluster({
    config: {
      carriers: { gateway: { ...carrier, rate: '20/1s' } },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
  });
  const [first, second] = cluster.nodes;
  const to = { key: first.key };
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      (i % 2 === 0 ? first : second).client.verify(freshNumber(), 'sms', to),
    ),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  await eventually(async () => (times.length === 100 ? true : undefined), 60_000);
  assert.equal(times.length, 100);
  const span = Math.max(...times) - Math.min(...times);
  // Five seconds; with a rate for each node it would take half as long.
  assert.ok(span >= 3_500, `100 messages at 20 a second were sent in ${Math.round(span)} ms`);
});
