/** RCS and the channel after it in the whole service, where one of them fails: neither takes the other with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THEN } from '../../../src/core/sending/routing.ts';
import { eventually, freshNumber } from '../../acceptance/client.ts';
import { openGateway } from '../../faults/gateway.ts';
import { startService } from '../../service.ts';
import { answer, startGateway } from '../gateway.ts';
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

test('RCS whose tokens are refused does not stop the SMS of the same carrier', async () => {
  await using parts = new AsyncDisposableStack();
  const sinch = await startGateway(undefined, (path) =>
    path === '/oauth2/token' ? answer(401, { error: 'invalid_client' }) : undefined,
  );
  parts.defer(() => sinch.close());
  sinch.play(answer(200, { id: 's-1' }));
  const service = parts.use(
    await startService({
      config: {
        carriers: {
          sinch: {
            type: 'sinch',
            breaker: { failures: 1, resetAfter: '1h' },
            sms: { from: 'Acme', servicePlanId: 'plan1', apiToken: 'tok', url: sinch.url },
            rcs: {
              ...{ from: '01EB37HMH1M6SV18ABNS3G135H', projectId: 'project-1', keyId: 'key-1' },
              ...{ keySecret: 'secret-of-the-key', url: sinch.url, tokenUrl: sinch.url },
            },
          },
        },
        routes: [
          {
            channel: 'rcs',
            carriers: ['sinch'],
            [THEN]: { channel: 'sms', carriers: ['sinch'], after: '20s' },
          },
          { channel: 'sms', carriers: ['sinch'] },
        ],
      },
    }),
  );
  for (const channel of ['rcs', 'rcs', 'sms'] as const) {
    const number = freshNumber();
    await service.client.verify(number, channel);
    const isSent = () =>
      sinch.requests.some(({ url, body }) => url.includes('/batches') && body.includes(number));
    assert.ok(await eventually(async () => isSent() || undefined, DEADLINE_MS), service.logs());
  }
});
