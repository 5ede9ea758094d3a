/** What fails on one channel of a carrier leaves its others alone, unless they share a link: seen from outside. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { THEN } from '../../src/core/sending/routing.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { type Service, startService } from '../service.ts';
import { AriPeer } from './asterisk/peer.ts';
import { answer, startGateway } from './gateway.ts';

const DEADLINE_MS = 30_000;
/** So that the first failure closes a channel for as long as the test lasts. */
const breaker = { failures: 1, resetAfter: '1h' };

async function ask({ client }: Service, channel: string): Promise<string> {
  const number = freshNumber();
  const { status, text } = await client.verify(number, channel);
  assert.equal(status, 200, text);
  return number;
}
async function comes(service: Service, look: () => boolean | Promise<boolean>): Promise<void> {
  assert.ok(await eventually(async () => (await look()) || undefined, DEADLINE_MS), service.logs());
}

suite('what fails on one channel of a carrier', { concurrency: true }, () => {
  const refused = answer(401, { error: 'invalid_client' });
  const given = answer(200, { access_token: 'tok-1', expires_in: 3_599 });
  const throttled = answer(
    429,
    { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
    { 'retry-after': '600' },
  );
  for (const [fault, token] of [
    ['RCS whose tokens are refused', refused],
    ['RCS that wants a pause', given],
  ] as const) {
    test(`${fault} does not stop the SMS of the same carrier, and is left alone itself`, async () => {
      await using parts = new AsyncDisposableStack();
      /** Of RCS. */
      const asked: string[] = [];
      const sinch = await startGateway(undefined, (path) => {
        const isToken = path === '/oauth2/token';
        if (!isToken && !path.endsWith('messages:send')) return undefined;
        asked.push(path);
        return isToken ? token : throttled;
      });
      parts.defer(() => sinch.close());
      sinch.play(answer(200, { id: 's-1' }));
      const service = parts.use(
        await startService({
          config: {
            carriers: {
              sinch: {
                ...{ type: 'sinch', breaker },
                sms: { from: 'Acme', servicePlanId: 'plan1', apiToken: 'tok', url: sinch.url },
                rcs: {
                  ...{ from: '01EB37HMH1M6SV18ABNS3G135H', projectId: 'project-1', keyId: 'key-1' },
                  ...{ keySecret: 'secret-of-the-key', url: sinch.url, tokenUrl: sinch.url },
                },
              },
            },
            routes: [
              {
                ...{ channel: 'rcs', carriers: ['sinch'] },
                [THEN]: { channel: 'sms', carriers: ['sinch'], after: '20s' },
              },
              { channel: 'sms', carriers: ['sinch'] },
            ],
          },
        }),
      );
      const isSent = (number: string) =>
        sinch.requests.some(({ url, body }) => url.includes('/batches') && body.includes(number));
      for (const channel of ['rcs', 'rcs', 'sms']) {
        const number = await ask(service, channel);
        await comes(service, () => isSent(number));
      }
      assert.deepEqual(asked, [...new Set(asked)], 'RCS was tried once');
    });
  }

  test('a missed call that fails closes the calls of the same link, which another carrier makes', async () => {
    await using parts = new AsyncDisposableStack();
    const asterisk = parts.use(await new AriPeer().start());
    const { fate } = asterisk;
    const block = '+4930123';
    const isMissed = ({ order }: { order: Readonly<Record<string, unknown>> }) =>
      String(order.callerId).startsWith(block);
    asterisk.fate = (call) => (isMissed(call) ? call.end(34) : fate(call));
    const other = parts.use(await openGateway());
    const service = parts.use(
      await startService({
        config: {
          carriers: {
            calls: {
              ...{ type: 'asterisk', url: asterisk.url, user: 'otp', password: 'secret', trunk: 'carrier' },
              ...{ flashcall: { numbers: [`${block}xxxx`] }, breaker },
            },
            other: { ...other.carrier, channels: ['voice'] },
          },
          routes: [
            { channel: 'flashcall', carriers: ['calls'] },
            { channel: 'voice', carriers: ['calls', 'other'] },
          ],
        },
      }),
    );
    const dialled = (number: string) =>
      asterisk.calls.filter(({ order }) => String(order.endpoint).includes(number.slice(1))).length;
    const before = await ask(service, 'voice');
    await comes(service, () => dialled(before) === 1);
    const missed = await ask(service, 'flashcall');
    await comes(service, async () => {
      const { text } = await service.client.get('/metrics', { key: null });
      return /carrier_breaker_state\{carrier="calls"\} 2/.test(text);
    });
    assert.equal(dialled(missed), 1);
    const after = await ask(service, 'voice');
    await comes(service, () => other.received.some(({ to }) => to === after));
    assert.equal(dialled(after), 0);
  });
});
