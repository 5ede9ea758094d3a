/** Missed calls over the whole service: who calls is the code, of each open code another number, and the channel after it has the same digits. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { THEN } from '../../../src/core/sending/routing.ts';
import { eventually, freshNumber, problemOf } from '../../acceptance/client.ts';
import { envOf, type StoreKind } from '../../doors/doors.ts';
import { openGateway } from '../../faults/gateway.ts';
import { startService } from '../../service.ts';
import { AriPeer } from './peer.ts';

const BLOCK = '+4930123';

async function open(parts: AsyncDisposableStack, kind: StoreKind, config: object = {}) {
  const asterisk = parts.use(await new AriPeer().start());
  asterisk.fate = (call) => call.ring();
  const gateway = parts.use(await openGateway());
  const service = parts.use(
    await startService({
      config: {
        carriers: {
          calls: {
            ...{ type: 'asterisk', url: asterisk.url, user: 'otp', password: 'secret', trunk: 'carrier' },
            flashcall: { numbers: [`${BLOCK}xxxx`], ring: '2s' },
          },
          gateway: gateway.carrier,
        },
        routes: [
          { channel: 'flashcall', carriers: ['calls'], [THEN]: { channel: 'sms', carriers: ['gateway'] } },
          { channel: 'sms', carriers: ['gateway'] },
        ],
        ...config,
      },
      env: await envOf(kind, parts),
    }),
  );
  const ask = (more: object = {}, key?: string) =>
    service.client.post(
      '/verify',
      { destination: freshNumber(), channel: 'flashcall', ...more },
      key === undefined ? {} : { key },
    );
  const endings = () => asterisk.calls.map(({ order }) => String(order.callerId).slice(-4));
  const called = (count: number) =>
    eventually(async () => (endings().length >= count ? endings() : undefined), 20_000);
  return { asterisk, gateway, service, ask, endings, called };
}

for (const kind of ['embedded', 'shared'] as const) {
  suite(`a missed call, with the ${kind} store`, () => {
    test('is confirmed by the end of the number that called, once, and with three guesses', async () => {
      await using parts = new AsyncDisposableStack();
      const { asterisk, service, ask, called } = await open(parts, kind);
      const { status, json, text } = await ask();
      assert.equal(status, 200, text);
      const [ending = ''] = (await called(1)) ?? [];
      assert.equal(asterisk.calls[0]?.order.callerId, `${BLOCK}${ending}`);
      const id = json.id ?? '';
      const wrong = String((Number(ending) + 1) % 1e4).padStart(4, '0');
      const guesses = [await service.client.confirm(id, wrong), await service.client.confirm(id, ending)];
      assert.deepEqual(
        guesses.map((answer) => [answer.status, answer.json.attempts_remaining]),
        [
          [403, 2],
          [200, undefined],
        ],
      );
      assert.equal((await service.client.confirm(id, ending)).status, 409);
      assert.ok(!service.logs().includes(BLOCK), 'the log does not say who called');
      const shown = await eventually(async () => {
        const { text: metrics } = await service.client.get('/metrics', { key: null });
        return /verifications_delivered_total\{.*channel="flashcall".*\} 1/.exec(metrics)?.[0];
      }, 20_000);
      assert.ok(shown, 'it rang, so it was delivered');
    });

    test('of codes that are open at once comes from another number each', async () => {
      await using parts = new AsyncDisposableStack();
      const { ask, called } = await open(parts, kind, { limits: { requestsPerKey: [] } });
      const answers = await Promise.all(Array.from({ length: 60 }, () => ask()));
      assert.ok(answers.every(({ status }) => status === 200));
      const endings = (await called(60)) ?? [];
      assert.deepEqual([endings.length, new Set(endings).size], [60, 60]);
    });

    test('that nobody can be reached by goes on by SMS, with the same four digits', async () => {
      await using parts = new AsyncDisposableStack();
      const { asterisk, gateway, service, ask, called } = await open(parts, kind);
      asterisk.fate = (call) => call.end(1, 404);
      const { json } = await ask();
      const [ending = ''] = (await called(1)) ?? [];
      const sent = await eventually(async () => gateway.received[0], 20_000);
      assert.ok(JSON.stringify(sent).includes(ending));
      assert.equal((await service.client.confirm(json.id ?? '', ending)).status, 200);
    });

    test('takes neither a length nor a code of the client’s own, and is shown to test keys without a call', async () => {
      await using parts = new AsyncDisposableStack();
      const { asterisk, service, ask } = await open(parts, kind);
      const { status, json, text } = await ask({ options: { code_length: 4 } });
      assert.equal(status, 400);
      assert.match(text, /the code is the end of the number that calls/);
      assert.deepEqual(json.errors, [
        {
          field: 'options/code_length',
          code: 'not_allowed_value',
          detail: 'must be left out for flashcall, where the code is the end of the number that calls',
        },
      ]);
      const key = await service.createKey('probe', { test: true });
      const custom = await ask({ options: { custom_code: '1234' } }, key);
      assert.deepEqual([custom.status, problemOf(custom)], [400, 'invalid-request']);
      const asked = await ask({}, key);
      assert.equal(asked.status, 200, asked.text);
      const read = await eventually(async () => {
        const answer = await service.client.get('/simulator/messages', { key });
        return Array.isArray(answer.json) ? answer.json[0] : undefined;
      }, 20_000);
      assert.match(read?.code ?? '', /^[0-9]{4}$/);
      assert.deepEqual([read?.channel, read?.text], ['flashcall', '']);
      assert.equal(asterisk.calls.length, 0);
    });
  });
}
