/** RCS and the channel after it in the whole service, where one of them fails: neither takes the other with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THEN } from '../../../src/core/sending/routing.ts';
import { eventually, freshNumber } from '../../acceptance/client.ts';
import { openGateway } from '../../faults/gateway.ts';
import { startService } from '../../service.ts';
import { openPlatform } from './platform.ts';

const DEADLINE_MS = 30_000;
const BEYOND_SMS = '+33612345678';

test('RCS is not taken back while no SMS can go, and may still arrive', async () => {
  await using parts = new AsyncDisposableStack();
  const platform = parts.use(await openPlatform());
  const sms = parts.use(await openGateway());
  const goingOnOver = (carrier: string) => ({
    ...{ channel: 'rcs', carriers: ['google'] },
    [THEN]: { channel: 'sms', carriers: [carrier], after: '5s' },
  });
  const service = parts.use(
    await startService({
      config: {
        publicUrl: 'https://verify.example.com',
        carriers: {
          google: platform.carrier,
          full: { ...sms.carrier, dailyCap: 1 },
          free: sms.carrier,
        },
        routes: [
          { ...goingOnOver('full'), countries: ['FR'] },
          goingOnOver('free'),
          { channel: 'sms', carriers: ['full'] },
        ],
      },
    }),
  );
  platform.webhook = async (raw, headers) =>
    (await service.client.post('/carriers/google/receipts', undefined, { raw, key: null, headers })).status;
  const texts = (number: string) => sms.received.filter(({ to }) => to === number).length;
  const comes = async (look: () => boolean) =>
    assert.ok(await eventually(async () => look() || undefined, DEADLINE_MS));

  const last = freshNumber();
  await service.client.verify(last, 'sms');
  await comes(() => texts(last) === 1);

  const { json } = await service.client.verify(BEYOND_SMS, 'rcs');
  await comes(() => platform.to(BEYOND_SMS) !== undefined);
  // Its turn comes later.
  const control = freshNumber();
  await service.client.verify(control, 'rcs');
  await comes(() => texts(control) === 1);
  assert.equal(platform.to(control)?.state, 'revoked');

  const message = platform.to(BEYOND_SMS);
  assert.ok(message !== undefined && !platform.revocations.includes(message.id));
  assert.equal(await platform.deliver(message), 200);
  const stateOf = async () =>
    (await service.client.get(`/verifications/${json.id}`)).json.attempts?.[0]?.state;
  assert.ok(await eventually(async () => (await stateOf()) === 'delivered' || undefined, DEADLINE_MS));
  assert.equal(texts(BEYOND_SMS), 0);
});
