/** RCS in the whole service, and SMS where it does not reach: one verification, one code. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { freshNumber } from '../../acceptance/client.ts';
import { CLIENT_TOKEN, openPlatform, type Platform } from './platform.ts';
import { codeIn, type RcsService, startRcs } from './service-rig.ts';

const PATH = '/carriers/google/receipts';

for (const kind of ['embedded', 'shared'] as const) {
  suite(`RCS, then SMS, with the ${kind} store`, { concurrency: true }, () => {
    const parts = new AsyncDisposableStack();
    let platform: Platform;
    let rcs: RcsService;

    before(async () => {
      platform = parts.use(await openPlatform());
      rcs = parts.use(await startRcs(kind, { google: platform.carrier }, '5s'));
      platform.webhook = (raw, headers) => rcs.tell('google', raw, headers);
    });
    after(() => parts.disposeAsync());

    const sent = (number: string) => rcs.wait(() => platform.to(number));

    test('a telephone without RCS gets the code by SMS at once', async () => {
      const number = freshNumber();
      platform.unable.add(number);
      const { id } = await rcs.ask(number);
      const message = await rcs.wait(() => rcs.byText(number)[0]);
      assert.equal(platform.to(number), undefined, 'no code went to the platform');
      await rcs.until(id, 'rcs failed,sms submitted');
      assert.deepEqual(
        [await rcs.confirm(id, message.code), await rcs.confirm(id, message.code)],
        [200, 409],
      );
      assert.equal(rcs.byText(number).length, 1);
    });

    test('one that gets it over RCS gets no SMS; forged events say nothing', async () => {
      const { id, number } = await rcs.ask();
      const message = await sent(number);
      await rcs.until(id, 'rcs submitted');
      const event = {
        ...{ senderPhoneNumber: number, eventType: 'DELIVERED', messageId: message.id },
        agentId: 'acme_codes_agent',
      };
      assert.equal(await platform.tell(event, 'guessed'), 403);
      assert.deepEqual(await rcs.statesOf(id), ['rcs submitted']);
      assert.equal(await platform.deliver(message), 200);
      await rcs.until(id, 'rcs delivered');
      assert.equal(await rcs.confirm(id, codeIn(message.text)), 200);
      assert.ok(message.ttl > 10 && message.ttl <= 600, `${message.ttl}`);
      assert.deepEqual([message.times, rcs.byText(number).length], [1, 0]);
      assert.ok(!platform.revocations.includes(message.id));
    });

    test('one that is off is sent an SMS with the same code, once RCS was taken back', async () => {
      const { id, number } = await rcs.ask();
      const message = await sent(number);
      const text = await rcs.wait(() => rcs.byText(number)[0]);
      assert.equal(text.code, codeIn(message.text));
      assert.deepEqual([message.state, message.times], ['revoked', 1]);
      assert.equal(platform.revocations.filter((each) => each === message.id).length, 1);
      await rcs.until(id, 'rcs undelivered,sms submitted');
      assert.deepEqual([await rcs.confirm(id, text.code), await rcs.confirm(id, text.code)], [200, 409]);
      assert.equal(rcs.byText(number).length, 1);
    });

    test('one that gets it while it is taken back gets no SMS', async () => {
      const { id, number } = await rcs.ask();
      const message = await sent(number);
      arriving.add(message.id);
      await rcs.until(id, 'rcs delivered');
      assert.ok(platform.revocations.includes(message.id));
      // Whatever the dispatcher had in mind would be done when a later message has gone all its way.
      const later = await rcs.ask();
      await rcs.wait(() => rcs.byText(later.number)[0]);
      assert.equal(rcs.byText(number).length, 0);
      assert.equal(await rcs.confirm(id, codeIn(message.text)), 200);
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
      const { id, number } = await rcs.ask();
      const message = await sent(number);
      await rcs.until(id, 'rcs submitted');
      message.state = 'revoked';
      const event = { eventType: 'TTL_EXPIRATION_REVOKED', eventId: 'e-2', agentId: 'acme_codes_agent' };
      assert.equal(await platform.tell({ phoneNumber: number, messageId: message.id, ...event }), 200);
      const text = await rcs.wait(() => rcs.byText(number)[0]);
      assert.equal(text.code, codeIn(message.text));
      await rcs.until(id, 'rcs undelivered,sms submitted');
      assert.ok(!platform.revocations.includes(message.id), 'there is nothing to take back');
    });

    test('STOP as an answer, and by the button of the app', async () => {
      for (const [stop, start] of [
        [{ text: 'STOP' }, { text: 'START' }],
        [{ eventType: 'UNSUBSCRIBE' }, { eventType: 'SUBSCRIBE' }],
        [{ suggestionResponse: { text: 'STOP', postbackData: 'p' } }, { text: 'START' }],
      ] as const) {
        const { id, number } = await rcs.ask();
        await platform.deliver(await sent(number));
        // Who answers has the message, and by then it is written whose it was.
        await rcs.until(id, 'rcs delivered');
        const say = (said: object) =>
          platform.tell({ senderPhoneNumber: number, agentId: 'acme_codes_agent', ...said });
        assert.equal(await say(stop), 200);
        const refused = await rcs.service.client.verify(number, 'rcs');
        assert.equal(refused.status, 400, refused.text);
        assert.match(refused.text, /do-not-send list/);
        assert.equal(await say(start), 200);
        assert.equal((await rcs.service.client.verify(number, 'rcs')).status, 200);
      }
    });

    test('the webhook is shaken hands with, if the token is ours', async () => {
      const shake = (clientToken: string) =>
        rcs.service.client.post(PATH, { clientToken, secret: '1234567890' }, { key: null });
      const shaken = await shake(CLIENT_TOKEN);
      assert.deepEqual([shaken.status, shaken.text], [200, '1234567890']);
      assert.equal((await shake('guessed')).status, 403);
    });

    test('test keys never reach it', async () => {
      const key = await rcs.service.createKey('test', { test: true });
      const number = freshNumber();
      const asked = await rcs.service.client.verify(number, 'rcs', { key });
      assert.equal(asked.status, 200, asked.text);
      const { code } = await rcs.service.client.message(number, asked.json.id ?? '', { key });
      assert.equal((await rcs.service.client.confirm(asked.json.id ?? '', code, { key })).status, 200);
      assert.equal(platform.to(number), undefined);
    });
  });

  test(`a process that dies between taking back and SMS, with the ${kind} store`, async () => {
    await using parts = new AsyncDisposableStack();
    const platform = parts.use(await openPlatform());
    const rcs = parts.use(await startRcs(kind, { google: platform.carrier }, '5s'));
    const revoked = new Promise<void>((resolve) => {
      platform.meanwhile = (message) => {
        message.state = 'revoked';
        resolve();
      };
    });
    const number = freshNumber();
    const { id } = await rcs.ask(number);
    await revoked;
    await rcs.service.kill9();
    assert.equal(rcs.texts.length, 0);
    await rcs.service.restart();
    const text = await rcs.wait(() => rcs.texts[0]);
    const [message] = platform.messages;
    assert.equal(text.code, codeIn(message?.text));
    assert.deepEqual([message?.times, platform.revocations.length], [1, 2]);
    assert.equal(await rcs.confirm(id, text.code), 200);
    assert.equal(rcs.texts.length, 1);
    const shown = rcs.service.logs();
    for (const secret of [platform.privateKey, CLIENT_TOKEN, 'ya29.', number, text.code])
      assert.ok(!shown.includes(secret), 'a secret is shown');
  });

  test(`what was sent before a reload is taken back after it, with the ${kind} store`, async () => {
    await using parts = new AsyncDisposableStack();
    const platform = parts.use(await openPlatform());
    const { carrier } = platform;
    const rcs = parts.use(await startRcs(kind, { google: carrier }, '5s'));
    for (const [changed, asked] of [
      // The one that sent it, and the one in its place: they have the same agent.
      [{ google: { ...carrier, timeout: '9s' } }, 2],
      [{ other: carrier }, 1],
    ] as const) {
      const { id, number } = await rcs.ask();
      await rcs.until(id, 'rcs submitted');
      await rcs.reload(changed);
      const text = await rcs.wait(() => rcs.byText(number)[0]);
      const message = platform.to(number) ?? assert.fail();
      assert.deepEqual([message.state, message.times, codeIn(message.text)], ['revoked', 1, text.code]);
      assert.equal(platform.revocations.filter((each) => each === message.id).length, asked);
      await rcs.until(id, 'rcs undelivered,sms submitted');
      assert.equal(await rcs.confirm(id, text.code), 200);
      assert.equal(rcs.byText(number).length, 1);
    }
    const { text: metrics } = await rcs.service.client.get('/metrics', { key: null });
    assert.match(metrics, /verifications_undelivered_total\{[^}]*carrier="google"[^}]*\} 2$/m);
  });
}
