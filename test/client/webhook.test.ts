/** Webhooks, against the library that Standard Webhooks publishes. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { unwrapWebhook, WebhookError } from '../../client/src/index.ts';
import { readProjectFile } from '../deploy/project.ts';

const secretOf = () => `whsec_${randomBytes(24).toString('base64')}`;

const SECRET = secretOf();
const NOW = new Date('2026-11-20T12:00:00Z');
const at = { now: NOW.getTime() };
const EVENT = {
  type: 'verification.confirmed',
  timestamp: '2026-11-20T12:00:00.000Z',
  data: { id: 'ver_1', channel: 'sms', country: 'DE', metadata: { order: 'Bestellung № 7 💥' }, test: false },
} as const;
const BODY = JSON.stringify(EVENT);

function sign(body = BODY, secret = SECRET, time = NOW, id = 'msg_1') {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, time, body),
  };
}

const refused = (reason: WebhookError['reason']) => (error: unknown) =>
  error instanceof WebhookError && error.reason === reason;

test('what Standard Webhooks signs is unwrapped, from text and bytes, from all kinds of headers', async () => {
  const headers = sign();
  assert.deepEqual(await unwrapWebhook(BODY, headers, SECRET, at), EVENT);
  assert.deepEqual(await unwrapWebhook(new TextEncoder().encode(BODY), headers, SECRET, at), EVENT);
  const event = await unwrapWebhook(BODY, new Headers(headers), SECRET, at);
  // The union tells what is in it.
  if (event.type === 'delivery.failed') assert.fail(event.data.reason ?? '');
  assert.equal(event.data.country, 'DE');
});

test('the example of the specification is understood', async () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const options = { now: 1_614_265_330_000 };
  // Its signature is right; that the body is no event of ours is found after it.
  await assert.rejects(unwrapWebhook('{"test": 2432232314}', headers, secret, options), refused('body'));
});

test('while secrets rotate, one signature of one of them is enough', async () => {
  const next = secretOf();
  const signatures = [sign(BODY, next), sign()].map((headers) => headers['webhook-signature']);
  const headers = { ...sign(), 'webhook-signature': `v1a,${'x'.repeat(88)} v1,??? ${signatures.join(' ')}` };
  for (const secrets of [SECRET, next, [secretOf(), next]]) {
    assert.deepEqual(await unwrapWebhook(BODY, headers, secrets, at), EVENT);
  }
  assert.deepEqual(await unwrapWebhook(BODY, sign(), [next, SECRET], at), EVENT);
});

for (const [what, body, headers, secret] of [
  ['another body', `${BODY} `, sign(), SECRET],
  ['another secret', BODY, sign(), secretOf()],
  ['another id', BODY, { ...sign(), 'webhook-id': 'msg_2' }, SECRET],
  ['another time', BODY, { ...sign(), 'webhook-timestamp': String(NOW.getTime() / 1000 + 1) }, SECRET],
  ['no signature', BODY, { ...sign(), 'webhook-signature': '' }, SECRET],
  ['an empty signature', BODY, { ...sign(), 'webhook-signature': 'v1,' }, SECRET],
  [
    'the right signature under another version',
    BODY,
    { ...sign(), 'webhook-signature': sign()['webhook-signature'].replace('v1,', 'v2,') },
    SECRET,
  ],
] as const) {
  test(`a webhook with ${what} is refused`, async () => {
    await assert.rejects(unwrapWebhook(body, headers, secret, at), refused('signature'));
  });
}

test('a webhook is good for five minutes, in both directions', async () => {
  for (const [seconds, isRecent] of [
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ] as const) {
    const unwrapped = unwrapWebhook(BODY, sign(), SECRET, { now: at.now + seconds * 1000 });
    await (isRecent ? unwrapped : assert.rejects(unwrapped, refused('timestamp')));
  }
  for (const timestamp of ['', 'soon', '1e3', '-1', ' 1']) {
    const headers = { ...sign(), 'webhook-timestamp': timestamp };
    await assert.rejects(unwrapWebhook(BODY, headers, SECRET, at), refused('timestamp'));
  }
});

test('a request without the headers is refused', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const headers = { ...sign(), [name]: undefined };
    await assert.rejects(unwrapWebhook(BODY, headers, SECRET, at), refused('headers'));
  }
});

test('a signed body that is not an event is refused', async () => {
  for (const body of ['', 'null', '[]', '{"type":1}', '{"type":"x"}', '{"type":"x","data":null}']) {
    await assert.rejects(unwrapWebhook(body, sign(body), SECRET, at), refused('body'));
  }
});

test('a secret of another form is a mistake, and is not repeated', async () => {
  for (const secret of ['', 'whsec_', 'whsec_???', 'c2VjcmV0']) {
    await assert.rejects(
      unwrapWebhook(BODY, sign(), secret, at),
      /^TypeError: secret must be whsec_ and then base64/,
    );
  }
  await assert.rejects(unwrapWebhook(BODY, sign(), [], at), /^TypeError: secret/);
});

test('what docs/webhooks.md shows for the package of the standard takes the Request as it came', async () => {
  const [, shown = ''] =
    /^import \{ Webhook \} from 'standardwebhooks';\n\n([^`]+)^```$/m.exec(
      readProjectFile('docs/webhooks.md'),
    ) ?? [];
  const request = new Request('https://example.com/', {
    method: 'POST',
    body: BODY,
    headers: sign(BODY, SECRET, new Date()),
  });
  const env = { COUNTERSIGN_WEBHOOK_SECRET: SECRET };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const event: unknown = await AsyncFunction(
    'Webhook',
    'process',
    'request',
    `${shown}\nreturn event;`,
  )(Webhook, { env }, request);
  assert.deepEqual(event, EVENT);
});
