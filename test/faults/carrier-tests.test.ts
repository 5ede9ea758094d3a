/** A service that is killed between the request to a carrier and its answer does not send the test again, and says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierTest } from '../../src/portal/carrier-tests/contract.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { firstAccount, read, startPortal } from '../portal/rig.ts';
import { accept, openGateway } from './gateway.ts';

/** Twice its timeout, and the time to write it down. */
const OVERDUE_MS = 12_000;

test('a test whose answer a kill took is unknown, and is not sent twice', async (t) => {
  await using gateway = await openGateway();
  const { service, setUp } = await startPortal(t, {
    config: {
      delivery: { lease: '2s' },
      carriers: { gateway: { ...gateway.carrier, timeout: '1s' } },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
  });
  const owner = await setUp();
  const path = `/portal/api/accounts/${(await firstAccount(owner)).id}/carriers`;
  const number = freshNumber();
  const send = () =>
    owner.post(`${path}/gateway/test`, { number, channel: 'sms' }, { headers: { 'idempotency-key': 'one' } });
  const killed = Promise.withResolvers<void>();
  // At once: a second later the carrier’s answer is overdue, and what became of the test is written down.
  gateway.behave(() => killed.resolve(asked.then(() => service.kill9())));
  const asked = send();
  const { id, asked_at: askedAt } = read<CarrierTest>(await asked);
  const stateOf = async () => read<CarrierTest[]>(await owner.get(`${path}/tests`)).map(({ state }) => state);
  await killed.promise;
  gateway.behave(accept);
  await service.restart();
  const [state] = await stateOf();
  // A machine that tests share may take so long to start it again that the answer is overdue by then.
  if (Date.now() - Date.parse(askedAt) < OVERDUE_MS) assert.equal(state, 'waiting');
  assert.equal(read<CarrierTest>(await send()).id, id, 'a repetition is answered with the one that was sent');
  const unknown = await eventually(
    async () => ((await stateOf())[0] === 'unknown' ? true : undefined),
    30_000,
  );
  assert.ok(unknown);
  // What is in a queue would have been sent again by now: the leases of the killed process are over.
  await sleep(3_000);
  assert.deepEqual(
    gateway.received.map((each) => each.id),
    [id],
  );
  assert.equal((await service.client.get('/readyz')).status, 200);
});
