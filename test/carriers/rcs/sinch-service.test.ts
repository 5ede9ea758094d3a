/** RCS over Sinch in the whole service, where all that is known of a telephone comes by the webhook. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { THEN } from '../../../src/core/sending/routing.ts';
import { eventually, freshNumber } from '../../acceptance/client.ts';
import { type Gateway, openGateway } from '../../faults/gateway.ts';
import { type Service, startService } from '../../service.ts';
import { answer, type Gateway as Recorder, startGateway } from '../gateway.ts';
import { signed, WEBHOOK_SECRET } from './sinch-webhook.ts';

const PATH = '/carriers/sinch/receipts';
const APP = '01EB37HMH1M6SV18ABNS3G135H';
const DEADLINE_MS = 30_000;

suite('RCS over Sinch, then SMS', { concurrency: true }, () => {
  const parts = new AsyncDisposableStack();
  let sinch: Recorder;
  let sms: Gateway;
  let service: Service;

  before(async () => {
    sinch = await startGateway(undefined, (path) =>
      path === '/oauth2/token' ? answer(200, { access_token: 'tok-1', expires_in: 3_599 }) : undefined,
    );
    parts.defer(() => sinch.close());
    // Each message is known by how many came before it.
    sinch.play((response) => answer(200, { message_id: `m-${sinch.requests.length}` })(response));
    sms = parts.use(await openGateway());
    service = parts.use(
      await startService({
        config: {
          publicUrl: 'https://verify.example.com',
          limits: { requestsPerKey: [] },
          carriers: {
            sinch: {
              type: 'sinch',
              rcs: {
                ...{ from: APP, projectId: 'project-1', keyId: 'key-1', keySecret: 'secret-of-the-key' },
                ...{ webhookSecret: WEBHOOK_SECRET, url: sinch.url, tokenUrl: sinch.url },
              },
            },
            gateway: sms.carrier,
          },
          routes: [
            {
              ...{ channel: 'rcs', carriers: ['sinch'] },
              [THEN]: { channel: 'sms', carriers: ['gateway'] },
            },
            { channel: 'sms', carriers: ['simulator'] },
          ],
        },
      }),
    );
  });
  after(() => parts.disposeAsync());

  const wait = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
    const found = await eventually(async () => look(), DEADLINE_MS);
    assert.ok(found !== undefined, service.logs());
    return found;
  };
  const byText = (number: string) => sms.received.filter(({ to }) => to === number);

  /** Asks for a code, and waits until Sinch has it. */
  async function ask() {
    const number = freshNumber();
    const { status, json, text } = await service.client.verify(number, 'rcs');
    assert.equal(status, 200, text);
    const place = await wait(() => {
      const found = sinch.requests.findIndex(({ body }) => body.includes(number));
      return found < 0 ? undefined : found;
    });
    const { message } = JSON.parse(sinch.requests[place]?.body ?? '');
    const code = /\d{6}/.exec(message.text_message.text)?.[0] ?? '';
    return { id: json.id ?? '', number, code, reference: `m-${place + 1}` };
  }

  async function tell(told: object, secret?: string): Promise<number> {
    const { body, headers } = signed({ app_id: APP, ...told }, '', Date.now(), secret);
    return (await service.client.post(PATH, undefined, { raw: body, key: null, headers })).status;
  }
  const report = (message_id: string, status: string, more: object = {}) => ({
    message_delivery_report: { message_id, status, ...more },
  });
  const until = (id: string, states: string) =>
    wait(async () => {
      const { json } = await service.client.get(`/verifications/${id}`);
      const seen = (json.attempts ?? []).map(({ channel, state }) => `${channel} ${state}`).join();
      return seen === states ? true : undefined;
    });

  test('a telephone without RCS gets the same code by SMS as soon as that is known, and not on a forged word', async () => {
    const { id, number, code, reference } = await ask();
    const failed = report(reference, 'FAILED', { reason: { code: 'RECIPIENT_NOT_REACHABLE' } });
    assert.equal(await tell(failed, 'guessed'), 403);
    assert.equal(await tell(report(reference, 'QUEUED_ON_CHANNEL')), 204);
    assert.equal(byText(number).length, 0);
    assert.equal(await tell(failed), 204);
    const text = await wait(() => byText(number)[0]);
    assert.equal(text.code, code);
    await until(id, 'rcs undelivered,sms submitted');
    assert.equal((await service.client.confirm(id, code)).status, 200);
  });

  test('one that has it gets no SMS, and may answer STOP', async () => {
    const { id, number, reference } = await ask();
    assert.equal(await tell(report(reference, 'DELIVERED')), 204);
    await until(id, 'rcs delivered');
    assert.equal(byText(number).length, 0);
    const said = (text: string) => ({
      message: {
        channel_identity: { channel: 'RCS', identity: number.slice(1) },
        contact_message: { text_message: { text } },
      },
    });
    assert.equal(await tell(said('STOP')), 204);
    const refused = await service.client.verify(number, 'rcs');
    assert.deepEqual([refused.status, /do-not-send list/.test(refused.text)], [400, true]);
    assert.equal(await tell(said('START')), 204);
    assert.equal((await service.client.verify(number, 'rcs')).status, 200);
  });
});
