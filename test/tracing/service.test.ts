/** Traces of the whole service: from a caller's request, over attempts and a crash, to receipts and the confirmation. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { openTwilio, PUBLIC_URL, report } from '../carriers/twilio-stand-in.ts';
import { accept, answer, type Gateway, openGateway } from '../faults/gateway.ts';
import { type Service, startService } from '../service.ts';
import { attributesOf, type Collector, openCollector, type ReceivedSpan } from './collector.ts';

const [SERVER, INTERNAL, PRODUCER, CONSUMER] = [2, 1, 4, 5];
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const traced = (flags: string) => ({
  headers: { traceparent: `00-${TRACE}-${CALLER}-${flags}`, tracestate: 'a=1,b=2' },
});
const AMERICAN = '+14155550123';

const placeOf = ({ kind, traceId, parentSpanId }: ReceivedSpan) => ({ kind, traceId, parentSpanId });
const linksOf = ({ links = [] }: ReceivedSpan) => links.map(({ traceId, spanId }) => ({ traceId, spanId }));

suite('traces of the service', () => {
  let collector: Collector;
  let twilio: Awaited<ReturnType<typeof openTwilio>>;
  let gateway: Gateway;
  let service: Service;
  const secrets: string[] = [];

  before(async () => {
    collector = await openCollector();
    twilio = await openTwilio();
    gateway = await openGateway();
    service = await startService({
      quick: true,
      config: {
        publicUrl: PUBLIC_URL,
        carriers: { twilio: twilio.carrier, gateway: gateway.carrier },
        routes: [
          { channel: 'sms', countries: ['US'], carriers: ['gateway'] },
          { channel: 'sms', carriers: ['twilio', 'gateway'] },
        ],
      },
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20of-the-collector,x-tenant=one',
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=te%20st',
        OTEL_SERVICE_NAME: 'verify',
        // Of others, and none of our business.
        OTEL_METRICS_EXPORTER: 'none',
      },
    });
    secrets.push(service.key);
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await twilio?.[Symbol.asyncDispose]();
    await collector?.[Symbol.asyncDispose]();
  });

  /** What the log says with the ids of this span. */
  const linesOf = ({ traceId, spanId }: ReceivedSpan) =>
    service
      .logs()
      .split('\n')
      .filter((line) => line.includes(`"trace_id":"${traceId}","span_id":"${spanId}","trace_flags":"01"`))
      .map((line) => JSON.parse(line));

  test('a caller’s trace goes on over the commit and the attempt; receipts and later attempts are linked to it', async () => {
    const number = freshNumber();
    const { json } = await service.client.verify(number, 'sms', traced('01'));
    const sent = await eventually(async () => twilio.sent[0], 10_000);
    const server = await collector.span('POST /verify');
    assert.deepEqual(placeOf(server), { kind: SERVER, traceId: TRACE, parentSpanId: CALLER });
    assert.equal(server.traceState, 'a=1,b=2');
    assert.equal(server.flags, 0x301, 'sampled, and its parent is elsewhere');
    const facts = {
      'countersign.verification.id': json.id,
      'countersign.channel': 'sms',
      'countersign.country': 'DE',
      'countersign.test': false,
    };
    assert.deepEqual(attributesOf(server.attributes), {
      'http.request.method': 'POST',
      'http.route': '/verify',
      'url.scheme': 'https',
      ...facts,
      'http.response.status_code': '200',
    });
    const within = { traceId: TRACE, parentSpanId: server.spanId };
    const commit = await collector.span('store commit');
    assert.deepEqual(placeOf(commit), { kind: INTERNAL, ...within });
    assert.deepEqual(attributesOf(commit.attributes), {
      'db.system.name': 'sqlite',
      'db.operation.name': 'issue',
      ...facts,
      'countersign.outcome': 'issued',
    });
    const send = await collector.span('send twilio');
    assert.deepEqual(placeOf(send), { kind: PRODUCER, ...within });
    assert.deepEqual(attributesOf(send.attributes), {
      'messaging.system': 'countersign',
      'messaging.destination.name': 'twilio',
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      ...facts,
      'countersign.outcome': 'accepted',
    });
    const [line] =
      (await eventually(async () => (linesOf(server).length > 0 ? linesOf(server) : undefined), 10_000)) ??
      [];
    assert.partialDeepStrictEqual(line, { msg: 'request', route: '/verify', status: 200 });

    const fields = { MessageSid: sent?.sid ?? '', MessageStatus: 'undelivered', ErrorCode: '30005' };
    await eventually(async () => ((await report(service, fields)) === 204 ? true : undefined), 10_000);
    const receipt = await collector.span('receipt');
    assert.equal(receipt.kind, CONSUMER);
    assert.notEqual(receipt.traceId, TRACE);
    assert.deepEqual(linksOf(receipt), [{ traceId: TRACE, spanId: send.spanId }]);
    assert.partialDeepStrictEqual(attributesOf(receipt.attributes), {
      'messaging.destination.name': 'twilio',
      'countersign.outcome': 'undelivered',
      'countersign.requeued': true,
    });
    const again = await collector.span('send gateway');
    assert.notEqual(again.traceId, TRACE);
    assert.equal(again.parentSpanId, undefined);
    assert.deepEqual(linksOf(again), [{ traceId: TRACE, spanId: server.spanId }]);

    const code = gateway.received.find(({ id }) => id === json.id)?.code ?? '';
    const { status } = await service.client.confirm(json.id ?? '', code, {
      headers: { traceparent: `00-${TRACE}-${CALLER}-0x` },
    });
    assert.equal(status, 200);
    const confirm = await collector.span('POST /confirm');
    assert.notEqual(confirm.traceId, TRACE, 'an invalid traceparent is none');
    assert.equal(confirm.parentSpanId, undefined);
    const judged = await collector.span(
      'store commit',
      ({ parentSpanId }) => parentSpanId === confirm.spanId,
    );
    assert.equal(attributesOf(judged.attributes)['countersign.outcome'], 'confirmed');
    await service.client.get(`/verifications/${json.id}`);
    await collector.span('GET /verifications/{id}');
    secrets.push(number.slice(1), code);
  });

  test('a message that a crash left behind is linked to its request', async () => {
    gateway.behave(answer(503));
    const { json } = await service.client.verify(AMERICAN, 'sms', traced('01'));
    const isOurs = ({ attributes }: ReceivedSpan) =>
      attributesOf(attributes)['countersign.verification.id'] === json.id;
    const server = await collector.span('POST /verify', isOurs);
    const failed = await collector.span('send gateway', isOurs);
    assert.equal(failed.status.code, 2);
    assert.equal(attributesOf(failed.attributes)['error.type'], 'temporary');
    await service.kill9();
    gateway.behave(accept);
    await service.restart();
    const again = await collector.span(
      'send gateway',
      (span) => isOurs(span) && span.status.code === undefined,
    );
    assert.deepEqual(linksOf(again), [{ traceId: TRACE, spanId: server.spanId }]);
    secrets.push(AMERICAN.slice(1), gateway.received.at(-1)?.code ?? '');
  });

  test('what the caller does not trace leaves only its ids in the log', async () => {
    const before = collector.spans().length;
    const { json } = await service.client.verify(freshNumber(), 'sms', traced('00'));
    const line = await eventually(async () => {
      const lines = service.logs().split('\n');
      return lines.find((each) => each.includes('"trace_flags":"00"') && each.includes('"route":"/verify"'));
    }, 10_000);
    assert.match(line ?? '', new RegExp(`"trace_id":"${TRACE}"`));
    await service.client.confirm(json.id ?? '', '000000', traced('00'));
    await service.client.get('/readyz', { key: null });
    const { json: next } = await service.client.verify(freshNumber());
    await collector.span(
      'POST /verify',
      ({ attributes }) => attributesOf(attributes)['countersign.verification.id'] === next.id,
    );
    const since = collector.spans().slice(before);
    assert.deepEqual(
      since.filter(({ traceId }) => traceId === TRACE),
      [],
    );
  });

  test('the last spans leave at the stop; nobody outside but the collector hears of a trace, and nothing of it is a secret', async () => {
    const { json } = await service.client.verify(freshNumber());
    assert.equal(await service.stop(), 0);
    await collector.span(
      'POST /verify',
      ({ attributes }) => attributesOf(attributes)['countersign.verification.id'] === json.id,
    );
    assert.deepEqual(
      new Set(collector.requests.map(({ method, url }) => `${method} ${url}`)),
      new Set(['POST /otlp/v1/traces']),
    );
    assert.partialDeepStrictEqual(collector.requests[0]?.headers, {
      authorization: 'Bearer of-the-collector',
      'x-tenant': 'one',
      'content-type': 'application/json',
    });
    assert.partialDeepStrictEqual(collector.resource(), {
      'service.name': 'verify',
      'deployment.environment.name': 'te st',
    });
    secrets.push(...twilio.sent.map(({ form }) => form.get('To')?.slice(1) ?? ''));
    secrets.push(...gateway.received.map(({ code }) => code));
    const exported = collector.requests.map(({ url, body }) => url + body).join('\n');
    // The digits of ids and times are no codes: what is said stands between quotation marks.
    for (const secret of new Set(secrets)) {
      assert.ok(secret.length >= 6);
      assert.ok(!exported.includes(secret.length === 6 ? `"${secret}"` : secret), secret);
    }
    assert.doesNotMatch(service.logs(), /of-the-collector/);
  });
});
