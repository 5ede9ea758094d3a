/** Calls in languages that the carriers have no voice for, with a whole service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultyFields } from '../acceptance/client.ts';
import { answer, startGateway } from '../carriers/gateway.ts';
import { startService } from '../service.ts';

const ETHIOPIA = '+251111234567';
const GERMANY = '+493012345678';
const GEORGIA = '+995322123456';

test('a call is taken only if a carrier of its route speaks, and goes to one that does', async () => {
  const sinch = await startGateway();
  const twilio = await startGateway();
  sinch.play(answer(200, { callId: 'r' }));
  twilio.play(answer(201, { sid: 'r' }));
  const from = '+12025550123';
  await using service = await startService({
    config: {
      carriers: {
        strict: {
          type: 'twilio',
          accountSid: `AC${'0'.repeat(32)}`,
          authToken: 'token',
          url: twilio.url,
          voice: { from, englishFallback: false },
        },
        other: {
          type: 'sinch',
          voice: {
            from,
            applicationKey: 'key',
            applicationSecret: 'secret',
            url: sinch.url,
            englishFallback: false,
          },
        },
      },
      routes: [{ channel: 'voice', carriers: ['strict', 'other'] }],
    },
  });
  try {
    const call = (destination: string) => service.client.verify(destination, 'voice');

    // Neither has a voice for Albanian; only Twilio has one for Amharic, and only Sinch for Georgian.
    const refused = await call('+35522345678');
    assert.deepEqual([refused.status, faultyFields(refused)], [400, ['destination']]);
    assert.match(refused.text, /no voice/);
    for (const destination of [GERMANY, ETHIOPIA, GEORGIA]) {
      assert.equal((await call(destination)).status, 200, destination);
    }
    const end = Date.now() + 20_000;
    while (twilio.requests.length + sinch.requests.length < 3 && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const said = twilio.requests.map(({ body }) => new URLSearchParams(body).get('To'));
    assert.deepEqual(said.sort(), [ETHIOPIA, GERMANY]);
    assert.deepEqual(
      sinch.requests.map(({ body }) => JSON.parse(body).ttsCallout.destination.endpoint),
      [GEORGIA],
    );
  } finally {
    await sinch.close();
    await twilio.close();
  }
});
