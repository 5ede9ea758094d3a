/** RCS in the whole service, and SMS where it does not reach: one verification, one code. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { THEN } from '../../../src/core/sending/routing.ts';
import { eventually, freshNumber } from '../../acceptance/client.ts';
import { envOf } from '../../doors/doors.ts';
import { type Gateway, openGateway } from '../../faults/gateway.ts';
import { type Service, startService } from '../../service.ts';
import { CLIENT_TOKEN, openPlatform, type Platform } from './platform.ts';

const PATH = '/carriers/google/receipts';
const DEADLINE_MS = 30_000;

for (const kind of ['embedded', 'shared'] as const) {
  suite(`RCS, then SMS, with the ${kind} store`, { concurrency: true }, () => {
    const parts = new AsyncDisposableStack();
    let platform: Platform;
    let sms: Gateway;
    let service: Service;

    before(async () => {
      platform = parts.use(await openPlatform());
      sms = parts.use(await openGateway());
      service = parts.use(
        await startService({
          config: {
            publicUrl: 'https://verify.example.com',
            limits: { requestsPerKey: [] },
            code: { length: 8 },
            delivery: { lease: '5s' },
            carriers: {
              google: platform.carrier,
              gateway: sms.carrier,
            },
            routes: [
              {
                ...{ channel: 'rcs', carriers: ['google'] },
                [THEN]: { channel: 'sms', carriers: ['gateway'], after: '5s' },
              },
              { channel: 'sms', carriers: ['simulator'] },
            ],
          },
          env: await envOf(kind, parts),
        }),
      );
      platform.webhook = async (raw, headers) =>
        (await service.client.post(PATH, undefined, { raw, key: null, headers })).status;
    });
    after(() => parts.disposeAsync());

    async function ask(number = freshNumber()) {
      const { status, json, text } = await service.client.verify(number, 'rcs');
      assert.equal(status, 200, text);
      assert.equal(json.channel, 'rcs');
      return { id: json.id ?? '', number };
    }
    const wait = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
      const found = await eventually(async () => look(), DEADLINE_MS);
      assert.ok(found !== undefined, service.logs());
      return found;
    };
    const sent = (number: string) => wait(() => platform.to(number));
    const byText = (number: string) => sms.received.filter(({ to }) => to === number);
    const codeIn = (text = '') => /\d{8}/.exec(text)?.[0] ?? '';
    const statesOf = async (id: string) =>
      ((await service.client.get(`/verifications/${id}`)).json.attempts ?? []).map(
        ({ channel, state }) => `${channel} ${state}`,
      );
    const until = (id: string, states: string) =>
      wait(async () => ((await statesOf(id)).join() === states ? true : undefined));
    const confirm = async (id: string, code: string) => (await service.client.confirm(id, code)).status;

    test('a telephone without RCS gets the code by SMS at once', async () => {
      const number = freshNumber();
      platform.unable.add(number);
      const { id } = await ask(number);
      const message = await wait(() => byText(number)[0]);
      assert.equal(platform.to(number), undefined, 'no code went to the platform');
      await until(id, 'rcs failed,sms submitted');
      assert.deepEqual([await confirm(id, message.code), await confirm(id, message.code)], [200, 409]);
      assert.equal(byText(number).length, 1);
    });

    test('one that gets it over RCS gets no SMS; forged events say nothing', async () => {
      const { id, number } = await ask();
      const message = await sent(number);
      await until(id, 'rcs submitted');
      const event = {
        ...{ senderPhoneNumber: number, eventType: 'DELIVERED', messageId: message.id },
        agentId: 'acme_codes_agent',
      };
      assert.equal(await platform.tell(event, 'guessed'), 403);
      assert.deepEqual(await statesOf(id), ['rcs submitted']);
      assert.equal(await platform.deliver(message), 200);
      await until(id, 'rcs delivered');
      assert.equal(await confirm(id, codeIn(message.text)), 200);
      assert.ok(message.ttl > 10 && message.ttl <= 600, `${message.ttl}`);
      assert.deepEqual([message.times, byText(number).length], [1, 0]);
      assert.ok(!platform.revocations.includes(message.id));
    });

    test('one that is off is sent an SMS with the same code, once RCS was taken back', async () => {
      const { id, number } = await ask();
      const message = await sent(number);
      const text = await wait(() => byText(number)[0]);
      assert.equal(text.code, codeIn(message.text));
      assert.deepEqual([message.state, message.times], ['revoked', 1]);
      assert.equal(platform.revocations.filter((each) => each === message.id).length, 1);
      await until(id, 'rcs undelivered,sms submitted');
      assert.deepEqual([await confirm(id, text.code), await confirm(id, text.code)], [200, 409]);
      assert.equal(byText(number).length, 1);
    });

    test('one that gets it while it is taken back gets no SMS', async () => {
      const { id, number } = await ask();
      const message = await sent(number);
      arriving.add(message.id);
      await until(id, 'rcs delivered');
      assert.ok(platform.revocations.includes(message.id));
      // Whatever the dispatcher had in mind would be done when a later message has gone all its way.
      const later = await ask();
      await wait(() => byText(later.number)[0]);
      assert.equal(byText(number).length, 0);
      assert.equal(await confirm(id, codeIn(message.text)), 200);
    });
    /** Messages whose telephone comes online just when they are to be taken back. */
    const arriving = new Set<string>();
    before(() => {
      platform.meanwhile = (message) => {
        if (arriving.has(message.id)) return platform.deliver(message);
        if (message.state === 'queued') message.state = 'revoked';
        return undefined;
      };
    });

    test('one whose message expired on the platform is sent an SMS before its time', async () => {
      const { id, number } = await ask();
      const message = await sent(number);
      await until(id, 'rcs submitted');
      message.state = 'revoked';
      const event = { eventType: 'TTL_EXPIRATION_REVOKED', eventId: 'e-2', agentId: 'acme_codes_agent' };
      assert.equal(await platform.tell({ phoneNumber: number, messageId: message.id, ...event }), 200);
      const text = await wait(() => byText(number)[0]);
      assert.equal(text.code, codeIn(message.text));
      await until(id, 'rcs undelivered,sms submitted');
      assert.ok(!platform.revocations.includes(message.id), 'there is nothing to take back');
    });

    test('STOP as an answer, and by the button of the app', async () => {
      for (const [stop, start] of [
        [{ text: 'STOP' }, { text: 'START' }],
        [{ eventType: 'UNSUBSCRIBE' }, { eventType: 'SUBSCRIBE' }],
        [{ suggestionResponse: { text: 'STOP', postbackData: 'p' } }, { text: 'START' }],
      ] as const) {
        const { id, number } = await ask();
        await platform.deliver(await sent(number));
        // Who answers has the message, and by then it is written whose it was.
        await until(id, 'rcs delivered');
        const say = (said: object) =>
          platform.tell({ senderPhoneNumber: number, agentId: 'acme_codes_agent', ...said });
        assert.equal(await say(stop), 200);
        const refused = await service.client.verify(number, 'rcs');
        assert.equal(refused.status, 400, refused.text);
        assert.match(refused.text, /do-not-send list/);
        assert.equal(await say(start), 200);
        assert.equal((await service.client.verify(number, 'rcs')).status, 200);
      }
    });

    test('the webhook is shaken hands with, if the token is ours', async () => {
      const shake = (clientToken: string) =>
        service.client.post(PATH, { clientToken, secret: '1234567890' }, { key: null });
      const shaken = await shake(CLIENT_TOKEN);
      assert.deepEqual([shaken.status, shaken.text], [200, '1234567890']);
      assert.equal((await shake('guessed')).status, 403);
    });

    test('test keys never reach it', async () => {
      const key = await service.createKey('test', { test: true });
      const number = freshNumber();
      const asked = await service.client.verify(number, 'rcs', { key });
      assert.equal(asked.status, 200, asked.text);
      const { code } = await service.client.message(number, asked.json.id ?? '', { key });
      assert.equal((await service.client.confirm(asked.json.id ?? '', code, { key })).status, 200);
      assert.equal(platform.to(number), undefined);
    });
  });

  test(`a process that dies between taking back and SMS, with the ${kind} store`, async () => {
    await using parts = new AsyncDisposableStack();
    const platform = parts.use(await openPlatform());
    const sms = parts.use(await openGateway());
    const service = parts.use(
      await startService({
        config: {
          publicUrl: 'https://verify.example.com',
          delivery: { lease: '5s' },
          carriers: { google: platform.carrier, gateway: sms.carrier },
          routes: [
            {
              ...{ channel: 'rcs', carriers: ['google'] },
              [THEN]: { channel: 'sms', carriers: ['gateway'], after: '5s' },
            },
          ],
        },
        env: await envOf(kind, parts),
      }),
    );
    const revoked = new Promise<void>((resolve) => {
      platform.meanwhile = (message) => {
        message.state = 'revoked';
        resolve();
      };
    });
    const number = freshNumber();
    const { json } = await service.client.verify(number, 'rcs');
    await revoked;
    await service.kill9();
    assert.equal(sms.received.length, 0);
    await service.restart();
    const text = await eventually(async () => sms.received[0], DEADLINE_MS);
    const [message] = platform.messages;
    assert.equal(text?.code, /\d{6}/.exec(message?.text ?? '')?.[0]);
    assert.deepEqual([message?.times, platform.revocations.length], [1, 2]);
    assert.equal((await service.client.confirm(json.id ?? '', text?.code ?? '')).status, 200);
    assert.equal(sms.received.length, 1);
    const shown = service.logs();
    for (const secret of [platform.privateKey, CLIENT_TOKEN, 'ya29.', number, text?.code ?? ''])
      assert.ok(!shown.includes(secret), 'a secret is shown');
  });
}
