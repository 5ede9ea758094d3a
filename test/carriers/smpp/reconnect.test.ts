/** A link that breaks under load and is bound again a moment later. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier } from '../../../src/core/sending/carrier.ts';
import { scriptedCarrier } from '../../../src/delivery/fixture.ts';
import { freePort } from '../../free-port.ts';
import { startFlow } from './flow.ts';
import { bound, createRig, freshNumber, until } from './rig.ts';
import { Smsc } from './smsc.ts';

const AWAY_MS = 400;
const numbers = (count: number) => Array.from({ length: count }, () => freshNumber('88'));

async function started(t: TestContext, port: number): Promise<Carrier> {
  const { carrier } = createRig({ port });
  t.after(() => carrier.stop());
  carrier.start();
  await bound(carrier);
  return carrier;
}

const isDown = async (carrier: Carrier) => !(await carrier.check()).ok;

it('holds messages back while no link is up, and then sends each of them once', async (t) => {
  const first = await new Smsc({ port: await freePort(), responseMs: 20 }).start();
  const carrier = await started(t, first.port);
  await using flow = await startFlow([carrier]);
  const before = await flow.send(numbers(30));
  await until(() => flow.taken.length > 0);
  await first.stop();
  await until(() => isDown(carrier));
  const meanwhile = await flow.send(numbers(30));
  await sleep(AWAY_MS);
  const second = await new Smsc({ port: first.port }).start();
  t.after(() => second.stop());
  await bound(carrier);
  const after = await flow.send(numbers(30));
  await flow.emptied();

  assert.deepEqual(flow.states, [], 'the breaker stays closed');
  assert.deepEqual(flow.taken.toSorted(), [...before, ...meanwhile, ...after].toSorted());
  for (const id of [...meanwhile, ...after]) assert.deepEqual(flow.triesOf(id), ['smsc: accepted']);
});

it('leaves messages to the next carrier while no link is up, and takes them again once one is', async (t) => {
  const first = await new Smsc({ port: await freePort(), responseMs: 20 }).start();
  const carrier = await started(t, first.port);
  const spare = scriptedCarrier('spare', () => ({ kind: 'accepted' }));
  await using flow = await startFlow([carrier, spare]);
  await flow.send(numbers(10));
  await until(() => first.seen.length > 0);
  await first.stop();
  await until(() => isDown(carrier));
  const meanwhile = await flow.send(numbers(30));
  await flow.emptied();
  for (const id of meanwhile) assert.deepEqual(flow.triesOf(id), ['spare: accepted']);

  const second = await new Smsc({ port: first.port }).start();
  t.after(() => second.stop());
  await bound(carrier);
  const after = await flow.send(numbers(30));
  await flow.emptied();
  assert.deepEqual(flow.states, [], 'the breaker stays closed');
  for (const id of after) assert.deepEqual(flow.triesOf(id), ['smsc: accepted']);
});
