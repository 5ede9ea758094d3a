/** Hundreds of messages are under way while the configuration changes again and again: each arrives, and no one twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, eventually } from '../acceptance/client.ts';
import { Smsc } from '../carriers/smpp/smsc.ts';
import { accept, type Behaviour, openGateway } from '../faults/gateway.ts';
import { spareRoute, startReloadable } from './rig.ts';

const RELOADS = 20;
const MESSAGES = 600;
/**
 * What is not answered in time is sent again, and a Node server takes only one new connection in each turn of its event loop:
 * beside other load, the connections of a carrier that has just changed wait for seconds.
 */
const PATIENCE = '60s';

test('nothing is lost and nothing is sent twice, over HTTP and over SMPP', async () => {
  await using one = await openGateway();
  await using two = await openGateway();
  await using smsc = await new Smsc({ responseMs: 40 }).start();
  const slowly: Behaviour = (...message) => void setTimeout(() => accept(...message), 40);
  for (const gateway of [one, two]) gateway.behave(slowly);
  const link = {
    type: 'smpp',
    host: '127.0.0.1',
    port: smsc.port,
    systemId: 'u',
    password: 'p',
    source: 'Acme',
    timeout: PATIENCE,
  };
  const [over, under] = [one, two].map(({ carrier }) => ({ ...carrier, timeout: PATIENCE }));
  const carriers = { one: over, two: under, smsc: link };
  /** Carriers stay, change, come and go, and routes with them. */
  const variants = [
    { carriers, routes: [{ channel: 'sms', carriers: ['one', 'smsc'] }] },
    { carriers, routes: [{ channel: 'sms', carriers: ['smsc', 'two'] }] },
    {
      carriers: { smsc: { ...link, window: 20 }, two: under },
      routes: [{ channel: 'sms', carriers: ['two', 'smsc'] }],
    },
    {
      carriers: { one: { ...one.carrier, timeout: '61s' }, smsc: { ...link, window: 30 } },
      routes: [{ channel: 'sms', carriers: ['smsc', 'one'], weights: { smsc: 1, one: 1 } }],
    },
  ].map(({ carriers, routes }) => ({
    limits: { requestsPerKey: [] },
    carriers,
    routes: [spareRoute(carriers), ...routes],
  }));
  const [first] = variants;
  assert.ok(first);
  await using reloadable = await startReloadable(first);
  const { service, reload } = reloadable;
  const client = createClient({ ...service, connections: 32 });
  // The SMSC takes their ending as a wish to take and deliver them.
  const numbers = Array.from({ length: MESSAGES }, (_, i) => `+49151${String(i).padStart(6, '0')}11`);
  let sent = 0;
  let reloaded = 0;
  const send = async () => {
    // Goes on until the last reload, so that each has messages under way.
    for (;;) {
      const number = numbers[sent++];
      if (number === undefined) return;
      const { status, text } = await client.verify(number);
      assert.equal(status, 200, text);
      if (sent / MESSAGES > (reloaded + 1) / RELOADS) await sleep(20);
    }
  };
  const change = async () => {
    for (let i = 1; i <= RELOADS; i++) {
      const outcome = await reload(variants[i % variants.length] ?? {});
      assert.deepEqual([outcome.ok, outcome.problems], [true, []]);
      assert.ok(outcome.changed.includes('routes'));
      reloaded = i;
    }
  };
  await Promise.all([change(), ...Array.from({ length: 40 }, send)]);
  client.close();
  const arrived = () => [
    ...[...one.received, ...two.received].map(({ to }) => to),
    ...smsc.seen.map(({ to }) => `+${to}`),
  ];
  await eventually(async () => arrived().length >= MESSAGES || undefined, 20_000);
  // What would be sent again is sent again within a second.
  await sleep(1_500);
  assert.deepEqual(arrived().sort(), numbers.toSorted());
  for (const each of [one.received, two.received, smsc.seen]) assert.ok(each.length > 20, `${each.length}`);
  // At most the links of a carrier and of the one before it are left.
  assert.ok(
    await eventually(async () => smsc.sessions.size <= 2 || undefined, 10_000),
    `${smsc.sessions.size} links`,
  );
});
