/** Receipts of `http` carriers in the whole service: forged ones are counted, a failed one starts a failover. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { eventually, freshNumber } from '../../acceptance/client.ts';
import { openGateway } from '../../faults/gateway.ts';
import { type Service, startService } from '../../service.ts';

const PUBLIC_URL = 'https://verify.example.com';
const SECRETS = {
  hmac: 'the-signing-secret-of-the-first',
  secret: 'the-shared-secret-of-the-second',
  address: 'the-secret-key-for-the-addresses',
};
const WORDS = { delivered: ['ok'], undelivered: ['failed'] };

async function counted({ client }: Service, series: string): Promise<number> {
  const { text } = await client.get('/metrics', { key: null });
  return text
    .split('\n')
    .filter((line) => line.startsWith(series))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

test('three gateways, each with its proof: a failed receipt hands the same code to the next', async () => {
  await using signing = await openGateway();
  await using sharing = await openGateway();
  await using addressed = await openGateway();
  await using last = await openGateway();
  const urls: string[] = [];
  addressed.behave((message, response) => {
    urls.push(String(Reflect.get(message, 'dlr')));
    response.writeHead(202).end();
  });
  const asking = { to: '{{to}}', text: '{{text}}', code: '{{code}}', id: '{{id}}', dlr: '{{receiptUrl}}' };
  await using service = await startService({
    config: {
      publicUrl: PUBLIC_URL,
      carriers: {
        signing: {
          ...signing.carrier,
          reference: 'id',
          receipts: {
            ...{ in: 'json', id: 'message', status: 'status', ...WORDS },
            proof: { type: 'hmac', secret: SECRETS.hmac, header: 'X-Signature' },
          },
        },
        sharing: {
          ...sharing.carrier,
          reference: 'id',
          receipts: {
            ...{ in: 'query', id: 'message', status: 'status', ...WORDS },
            proof: { type: 'secret', secret: SECRETS.secret, query: 'token' },
          },
        },
        addressed: {
          ...addressed.carrier,
          reference: undefined,
          json: asking,
          receipts: {
            ...{ in: 'form', status: 'status', ...WORDS },
            proof: { type: 'address', secret: SECRETS.address },
          },
        },
        last: last.carrier,
      },
      routes: [{ channel: 'sms', carriers: ['signing', 'sharing', 'addressed', 'last'] }],
    },
  });
  const { client } = service;
  const { json } = await client.verify(freshNumber());
  const id = json.id ?? '';

  const sign = (body: string) => createHmac('sha256', SECRETS.hmac).update(body).digest('hex');
  const signed = async (fields: object, signature?: string) => {
    const raw = JSON.stringify(fields);
    const headers = { 'content-type': 'application/json', 'x-signature': signature ?? sign(raw) };
    return (await client.post('/carriers/signing/receipts', undefined, { raw, key: null, headers })).status;
  };
  const shared = async (status: string, token = SECRETS.secret) => {
    const query = new URLSearchParams({ token, message: `ref-${id}`, status });
    return (await client.get(`/carriers/sharing/receipts?${query}`, { key: null })).status;
  };
  const toAddress = async (address: string, status: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const path = address.replace(PUBLIC_URL, '');
    return (await client.post(path, undefined, { raw: `status=${status}`, key: null, headers })).status;
  };
  const submitted = (carriers: number) =>
    eventually(
      async () =>
        (await counted(service, 'countersign_verifications_submitted_total{')) === carriers || undefined,
      10_000,
    );

  assert.ok(await submitted(1));
  const failed = { message: `ref-${id}`, status: 'failed' };
  assert.equal(await signed(failed, sign('other')), 403);
  assert.equal(await signed({ ...failed, message: 'never heard of' }), 204, 'kept, as for every carrier');
  assert.equal(await signed({ ...failed, status: 'on its way' }), 204);
  assert.equal(await signed({ message: 'without a status' }), 400);
  assert.equal(sharing.received.length, 0, 'none of these is a failure of the message');
  assert.equal(await signed(failed), 204);
  assert.equal(await signed(failed), 204, 'a repetition changes nothing');

  assert.ok(await submitted(2));
  assert.equal(await shared('failed', 'the-shared-secret-of-somebody'), 403);
  assert.equal(await shared('failed'), 204);

  assert.ok(await submitted(3));
  const [address = ''] = urls;
  assert.ok(address.startsWith(`${PUBLIC_URL}/carriers/addressed/receipts?id=`), address);
  assert.equal(await toAddress(`${address}x`, 'failed'), 403);
  assert.equal(await toAddress(address, 'failed'), 204);

  const received = await eventually(async () => last.received[0], 10_000);
  const codes = [signing, sharing, addressed].map((gateway) => gateway.received[0]?.code);
  assert.deepEqual(codes, [received?.code, received?.code, received?.code], 'the same code all along');
  assert.equal((await client.confirm(id, received?.code ?? '')).status, 200);

  const refused = 'countersign_http_requests_total{route="/carriers/:name/receipts",status="403"}';
  assert.equal(await counted(service, refused), 3);
  assert.equal(await counted(service, 'countersign_verifications_undelivered_total{'), 3);
  await service.stop();
  const logs = service.logs();
  for (const secret of [...Object.values(SECRETS), new URL(address).searchParams.get('token') ?? '']) {
    assert.ok(!logs.includes(secret), 'a secret in the log');
  }
});
