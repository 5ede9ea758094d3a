/** Webhooks of a running service, at real endpoints. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { listWebhooks, removeWebhook } from '../../src/accounts/webhooks/endpoints.ts';
import { COMMAND_LINE } from '../../src/core/accounts/actor.ts';
import { maskDestination } from '../../src/core/destination/destination-mask.ts';
import { ensureSelfSigned } from '../../src/http/connection/tls.ts';
import { eventually, freshNumber, wrongCode } from '../acceptance/client.ts';
import { assertNothingIn, assertNothingOnDisk, Evidence } from '../faults/evidence.ts';
import { type Service, startService } from '../service.ts';
import {
  LOOPBACK,
  makeWebhook,
  openEndpoint,
  type ReceivedEvent,
  type TestEndpoint,
  type WebhookOrder,
  withStoreOf,
} from './endpoint.ts';

suite('webhooks of a running service', () => {
  let folder: string;
  let service: Service;
  let tls: { readonly cert: string; readonly key: string };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-webhooks-'));
    const files = await ensureSelfSigned(folder);
    tls = { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
    service = await startService({
      config: {
        // Ten letters never occur by chance, as six digits do in a file of this size.
        code: { length: 10, alphabet: 'letters' },
        webhooks: { privateNetworks: LOOPBACK },
        log: { level: 'debug' },
        limits: { requestsPerKey: [] },
        // Endpoints are looked up at a third of it, too: what is noticed sooner is noticed when it changes.
        delivery: { lease: '10m' },
      },
      env: { NODE_EXTRA_CA_CERTS: files.cert },
    });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const env = () => ({ COUNTERSIGN_DATA_DIR: service.dataDir });
  /** An endpoint that the running service was told of, until the end of the test. */
  const open = async (wanted: Partial<WebhookOrder> = {}, at?: TestEndpoint) => {
    const endpoint = at ?? (await openEndpoint());
    const made = await makeWebhook(env(), { url: endpoint.url, ...wanted });
    endpoint.secrets = [made.secret];
    const remove = async () => {
      const change = { ...made, by: COMMAND_LINE, now: Date.now() };
      await withStoreOf(env(), (store) => removeWebhook(store, change));
      await endpoint[Symbol.asyncDispose]();
    };
    return { endpoint, ...made, [Symbol.asyncDispose]: remove };
  };
  const noticed = async ({ endpoint }: { readonly endpoint: TestEndpoint }) => {
    const seen = await eventually(async () => {
      await service.client.verify(freshNumber());
      return endpoint.received[0];
    });
    assert.ok(seen !== undefined, 'an endpoint that is added beside the service is noticed');
  };
  const eventsOf = (
    { endpoint }: { readonly endpoint: TestEndpoint },
    id: string | undefined,
    count: number,
  ) =>
    eventually(async () => {
      const found = endpoint.received.filter(({ data }) => data.id === id);
      return found.length >= count ? found : undefined;
    }, 20_000);
  const typesOf = (events: readonly ReceivedEvent[] | undefined) => events?.map(({ type }) => type);

  test('arrive over TLS, signed, in order, with the number masked', async () => {
    await using hook = await open({}, await openEndpoint(tls));
    await noticed(hook);
    const destination = freshNumber();
    const metadata = { order: 'A-17' };
    const { json } = await service.client.post('/verify', { destination, channel: 'sms', metadata });
    const { code } = await service.client.message(destination, json.id ?? '');
    assert.equal((await service.client.confirm(json.id ?? '', code)).status, 200);
    const events = await eventsOf(hook, json.id, 3);
    assert.deepEqual(typesOf(events), [
      'verification.requested',
      'delivery.delivered',
      'verification.confirmed',
    ]);
    for (const { data, timestamp, body } of events ?? []) {
      const { at, carrier: _, ...rest } = data;
      assert.deepEqual(rest, {
        ...{ id: json.id, channel: 'sms', country: 'DE', test: false, reason: null, metadata },
        destination: maskDestination(destination),
      });
      assert.notEqual(data.destination, destination);
      assert.equal(at, timestamp);
      assert.ok(!body.includes(code));
    }
    assert.deepEqual(hook.endpoint.faults, []);
  });

  test('begin at once for an endpoint that is added beside another', async () => {
    await using first = await open();
    await noticed(first);
    await using second = await open();
    await noticed(second);
  });

  test('have the whole number where it is asked for, and only the wanted types', async () => {
    await using hook = await open({
      fullNumbers: true,
      types: ['verification.exhausted', 'verification.requested'],
    });
    await noticed(hook);
    const destination = freshNumber();
    const { id, code } = await service.client.issue(destination);
    for (let i = 0; i < 6; i++) await service.client.confirm(id, wrongCode(code));
    const events = await eventsOf(hook, id, 2);
    assert.deepEqual(typesOf(events), ['verification.requested', 'verification.exhausted']);
    assert.equal(events?.[0]?.data.destination, destination);
  });

  test('an endpoint that hangs, and one that answers nonsense, hold up nobody', async () => {
    await using hanging = await open();
    hanging.endpoint.behave(() => {});
    await using odd = await open();
    odd.endpoint.behave((_, response) => response.socket?.end('nonsense\r\n\r\n'));
    await using healthy = await open({ types: ['verification.requested'] });
    await noticed(healthy);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => service.client.verify(freshNumber())),
    );
    for (const { json } of answers) assert.equal((await eventsOf(healthy, json.id, 1))?.length, 1);
    for (const { endpoint } of [hanging, odd]) assert.ok(await eventually(async () => endpoint.received[0]));
  });

  test('redirects are failures, and an endpoint that is gone is left alone', async () => {
    await using target = await open({ types: ['verification.expired'] });
    await using moved = await open({ types: ['verification.requested'] });
    moved.endpoint.behave((_, response) => response.writeHead(307, { location: target.endpoint.url }).end());
    await using gone = await open({ types: ['verification.requested'] });
    gone.endpoint.behave((_, response) => response.writeHead(410).end());
    await using healthy = await open({ types: ['verification.requested'] });
    await noticed(gone);
    const answer = await eventually(async () => {
      const all = await withStoreOf(env(), (store) => listWebhooks(store, gone.accountId, Date.now()));
      const [ended, failing] = [gone, moved].map(({ id }) => all.find((each) => each.id === id));
      return ended?.disabled?.why === 'gone' ? failing?.lastFailure?.answer : undefined;
    });
    assert.equal(answer, 'HTTP 307');
    // The log is written every half a second.
    assert.ok(await eventually(async () => service.logs().includes('webhook disabled') || undefined));
    const before = gone.endpoint.received.length;
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.client.verify(freshNumber())));
    // What was told to others would have been told to it, too.
    for (const { json } of answers) assert.equal((await eventsOf(healthy, json.id, 1))?.length, 1);
    assert.ok(gone.endpoint.received.length <= before + 1);
    assert.deepEqual(target.endpoint.received, []);
  });

  test('leave no number, code or secret in clear', async () => {
    const evidence = new Evidence();
    await using hook = await open({ fullNumbers: true });
    evidence.add(hook.secret, hook.secret.slice('whsec_'.length));
    await noticed(hook);
    hook.endpoint.behave((event, response) => {
      // Receivers often repeat in their answers what they were sent.
      response
        .writeHead(event.type === 'delivery.delivered' ? 500 : 200, { 'x-echo': event.id })
        .end(event.body);
    });
    const metadata = { order: 'the order that nobody may read' };
    evidence.add(metadata.order);
    for (let i = 0; i < 5; i++) {
      const destination = evidence.number();
      const { json } = await service.client.post('/verify', { destination, channel: 'sms', metadata });
      const { code } = await service.client.message(destination, json.id ?? '');
      evidence.add(code);
      await service.client.confirm(json.id ?? '', code);
      assert.ok(((await eventsOf(hook, json.id, 3))?.length ?? 0) >= 3);
    }
    const { text } = await service.client.get('/metrics', { key: null });
    assert.match(text, /countersign_webhook_tries_total\{result="sent"\} \d+/);
    assert.match(text, /countersign_webhook_messages_waiting \d+/);
    assertNothingIn(evidence, 'the metrics', text);
    await assertNothingOnDisk(evidence, service, 'while it runs');
    // What runs writes its log twice a second, and what stops writes all of it.
    assert.equal(await service.stop(), 0);
    assertNothingIn(evidence, 'the log', service.logs());
  });
});
