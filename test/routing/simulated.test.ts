/** Live keys without a real carrier: reported by the log, the metrics, the doctor and the portal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';

const GATEWAY = { type: 'http', url: 'http://127.0.0.1:9/', json: { to: '{{to}}', code: '{{code}}' } };
const WARNING = /"level":"warn".*"option":"routes\[0\]".*goes only to the simulator/;

const warned = (service: Service) =>
  service
    .logs()
    .split('\n')
    .some((line) => WARNING.test(line));

async function countSimulated({ client }: Service): Promise<string[]> {
  const { text } = await client.get('/metrics', { key: null });
  return text.split('\n').filter((line) => line.startsWith('countersign_live_simulated_total{'));
}

test('a live key whose messages nobody gets does not look like success', async () => {
  await using service = await startService();
  const { client } = service;
  const testKey = await service.createKey('test', { test: true });
  await eventually(async () => (warned(service) ? true : undefined), 5_000);
  assert.ok(warned(service), 'the log of the start says so');
  assert.match(
    await service.command('doctor'),
    /^warn {2}routes\[0\]: sms to everywhere goes only to the simulator/m,
  );

  assert.equal((await client.verify(freshNumber(), 'sms', { key: testKey })).status, 200);
  assert.equal((await client.verify(freshNumber())).status, 200);
  const counted = await eventually(async () => {
    const lines = await countSimulated(service);
    return lines.includes('countersign_live_simulated_total{channel="sms"} 1') ? lines : undefined;
  }, 10_000);
  assert.deepEqual(counted, [
    'countersign_live_simulated_total{channel="sms"} 1',
    'countersign_live_simulated_total{channel="voice"} 0',
  ]);
});

test('without live keys, and with a carrier, nothing is reported', async () => {
  await using first = await startService({ withoutKeys: true });
  assert.doesNotMatch(await first.command('doctor'), /^warn/m);
  // What runs writes its log twice a second, and what stops writes all of it.
  assert.equal(await first.stop(), 0);
  assert.ok(!warned(first));
  await using second = await startService({
    config: {
      carriers: { gateway: GATEWAY },
      routes: [{ channel: 'sms', carriers: ['gateway', 'simulator'] }],
    },
  });
  assert.equal((await second.client.verify(freshNumber())).status, 200);
  assert.deepEqual(await countSimulated(second), [
    'countersign_live_simulated_total{channel="sms"} 0',
    'countersign_live_simulated_total{channel="voice"} 0',
  ]);
  assert.equal(await second.stop(), 0);
  assert.ok(!warned(second));
});
