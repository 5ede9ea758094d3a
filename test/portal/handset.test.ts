/** The simulator's messages over HTTP, as they arrive. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { maskDestination } from '../../src/core/destination/destination-mask.ts';
import type { Role } from '../../src/operations/contract.ts';
import type { HandsetMessage } from '../../src/portal/handset/contract.ts';
import { settlement } from '../store/contract/rig.ts';
import { ACCOUNT, type LookupRig, openLookup, path } from './store/lookup-rig.ts';

const NUMBER = '+4915123456789';
const PATIENCE_MS = 10_000;
/** Between two looks into an inbox. */
const PAUSE_MS = 400;

/** A message of a test key, unless said otherwise. */
async function deliver({ store, send }: LookupRig, code: string, wanted: object = {}): Promise<string> {
  const v = await send(NUMBER, { code, test: true, ...wanted });
  await store.settle(settlement(v, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
  return v.id;
}

interface Stream {
  readonly response: IncomingMessage;
  readonly events: { readonly id: string; readonly message: HandsetMessage }[];
  /** Everything that came, unchanged. */
  text(): string;
  /** Resolves once so many messages have come, with their codes. */
  until(count: number): Promise<readonly (string | null)[]>;
  close(): void;
}

async function watch(
  t: TestContext,
  port: number,
  headers: Record<string, string> = {},
  account = ACCOUNT,
  role: Role = 'developer',
): Promise<Stream> {
  const who = { 'x-role': role, 'x-account': account };
  const request = get({ port, path: path('handset/events', account), headers: { ...who, ...headers } });
  t.after(() => request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const events: Stream['events'] = [];
  let all = '';
  let rest = '';
  response.setEncoding('utf8').on('error', () => {});
  response.on('data', (chunk: string) => {
    all += chunk;
    const frames = (rest + chunk).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const fields = new Map(
        frame
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      const data = fields.get('data');
      if (fields.get('event') === 'message' && data !== undefined) {
        events.push({ id: fields.get('id') ?? '', message: JSON.parse(data) });
      }
    }
  });
  return {
    response,
    events,
    text: () => all,
    async until(count) {
      const deadline = Date.now() + PATIENCE_MS;
      while (events.length < count) {
        assert.ok(Date.now() < deadline, `${events.length} of ${count} messages came`);
        await sleep(10);
      }
      return events.map(({ message }) => message.code);
    },
    close: () => request.destroy(),
  };
}

test('a new watcher sees the newest messages, and then each one as it arrives', async (t) => {
  const rig = await openLookup(t);
  const id = await deliver(rig, '111111');
  const stream = await watch(t, await rig.listen());
  assert.equal(stream.response.statusCode, 200);
  assert.match(String(stream.response.headers['content-type']), /^text\/event-stream/);
  await stream.until(1);
  // Of one millisecond they may come in either order.
  const now = Date.now();
  await deliver(rig, '222222', { createdAt: now });
  await deliver(rig, '333333', { createdAt: now + 1 });
  assert.deepEqual(await stream.until(3), ['111111', '222222', '333333']);
  const { at, text, ...message } = stream.events[0]?.message ?? { at: '', text: '' };
  assert.deepEqual(message, { id, destination: NUMBER, channel: 'sms', locale: 'en', code: '111111' });
  assert.match(text, /^111111 is your Acme code/);
  assert.ok(Date.parse(at) > 0);
});

for (const role of ['developer', 'owner'] as const) {
  test(`to ${role}s a message shows its number and its code`, async (t) => {
    const rig = await openLookup(t);
    await deliver(rig, '111111');
    const stream = await watch(t, await rig.listen(), {}, ACCOUNT, role);
    assert.deepEqual(await stream.until(1), ['111111']);
    assert.equal(stream.events[0]?.message.destination, NUMBER);
  });
}

for (const channel of ['sms', 'voice'] as const) {
  test(`to viewers, neither the number nor the code of a message is sent (${channel})`, async (t) => {
    const rig = await openLookup(t);
    const stream = await watch(t, await rig.listen(), {}, ACCOUNT, 'viewer');
    const id = await deliver(rig, '918273', { channel });
    await stream.until(1);
    const { at, text, ...message } = stream.events[0]?.message ?? { at: '', text: '' };
    assert.deepEqual(message, {
      ...{ id, channel, locale: 'en', code: null },
      destination: maskDestination(NUMBER),
    });
    assert.match(text, /•.*code/);
    const sent = stream.text();
    // As written, and as a call spells it.
    assert.doesNotMatch(sent, /9\D{0,6}1\D{0,6}8\D{0,6}2\D{0,6}7\D{0,6}3/);
    assert.ok(!sent.includes(NUMBER.slice(4)), sent);
  });
}

for (const role of ['viewer', 'developer', 'owner'] as const) {
  test(`messages of a live key are neither shown to ${role}s nor opened`, async (t) => {
    const rig = await openLookup(t);
    const live = await deliver(rig, '918273', { test: false });
    const stream = await watch(t, await rig.listen(), {}, ACCOUNT, role);
    const later = await deliver(rig, '564738', { test: false });
    const shown = await deliver(rig, '111111');
    await stream.until(1);
    assert.deepEqual(
      stream.events.map(({ message }) => message.id),
      [shown],
    );
    for (const secret of [live, later, '918273', '564738']) assert.ok(!stream.text().includes(secret));
  });
}

test('messages of live keys push none of a test key out of view', async (t) => {
  const rig = await openLookup(t);
  const shown = await deliver(rig, '111111');
  for (let i = 0; i < 110; i++) await deliver(rig, '918273', { test: false });
  const stream = await watch(t, await rig.listen());
  await stream.until(1);
  assert.deepEqual(
    stream.events.map(({ message }) => message.id),
    [shown],
  );
});

test('a stream ends if its member may see less, or more, than it shows', async (t) => {
  const rig = await openLookup(t);
  const port = await rig.listen();
  const endOf = ({ response }: Stream) =>
    once(response.resume(), 'end', { signal: AbortSignal.timeout(PATIENCE_MS) });
  const clear = await watch(t, port);
  rig.roleNow = 'viewer';
  await endOf(clear);
  const masked = await watch(t, port, {}, ACCOUNT, 'viewer');
  rig.roleNow = 'developer';
  await endOf(masked);
});

test('a stream continues where the last one ended', async (t) => {
  const rig = await openLookup(t);
  const port = await rig.listen();
  const minutesAgo = (minutes: number) => ({ createdAt: Date.now() - minutes * 60_000 });
  await deliver(rig, '111111', minutesAgo(3));
  await deliver(rig, '222222', minutesAgo(2));
  const first = await watch(t, port);
  await first.until(2);
  first.close();
  await deliver(rig, '333333', minutesAgo(1));
  const lastEventId = first.events[1]?.id ?? '';
  const second = await watch(t, port, { 'last-event-id': lastEventId });
  await second.until(1);
  await deliver(rig, '444444');
  assert.deepEqual(await second.until(2), ['333333', '444444']);
});

test('an invalid id shows the newest messages', async (t) => {
  const rig = await openLookup(t);
  await deliver(rig, '111111');
  const stream = await watch(t, await rig.listen(), { 'last-event-id': 'nonsense' });
  assert.deepEqual(await stream.until(1), ['111111']);
});

test('only the account sees its messages', async (t) => {
  const rig = await openLookup(t);
  const port = await rig.listen();
  const [mine, theirs] = [await watch(t, port), await watch(t, port, {}, 'acc_other')];
  await deliver(rig, '111111', { accountId: 'acc_other' });
  await deliver(rig, '222222');
  assert.deepEqual(await mine.until(1), ['222222']);
  assert.deepEqual(await theirs.until(1), ['111111']);
});

test('the inbox of an account is read once for all watchers, and not at all without watchers', async (t) => {
  const real = await openLookup(t);
  let looks = 0;
  const inbox = {
    list: (...args: Parameters<typeof real.store.list>) => {
      looks += 1;
      return real.store.list(...args);
    },
  };
  const rig = await openLookup(t, { inbox });
  const port = await rig.listen();
  await deliver(real, '111111');
  const begun = performance.now();
  const streams = await Promise.all(Array.from({ length: 20 }, () => watch(t, port)));
  await Promise.all(streams.map((stream) => stream.until(1)));
  // One at once, and then one after each pause.
  const most = 2 + (performance.now() - begun) / PAUSE_MS;
  assert.ok(looks <= most, `${looks} looks, at most ${most}`);
  for (const stream of streams) stream.close();
  const deadline = Date.now() + PATIENCE_MS;
  for (let before = -1; before !== looks; await sleep(1_000)) {
    assert.ok(Date.now() < deadline);
    before = looks;
  }
});

test('a stream ends with its session', async (t) => {
  const rig = await openLookup(t);
  const stream = await watch(t, await rig.listen());
  rig.roleNow = null;
  await once(stream.response.resume(), 'end', { signal: AbortSignal.timeout(PATIENCE_MS) });
});

test('stopping the service ends the streams and waits for none', async (t) => {
  const rig = await openLookup(t);
  const stream = await watch(t, await rig.listen());
  const ended = once(stream.response.resume(), 'end', { signal: AbortSignal.timeout(PATIENCE_MS) });
  await Promise.race([
    rig.app.close(),
    sleep(5_000, undefined, { ref: false }).then(() => assert.fail('the stop waits for a stream')),
  ]);
  await ended;
});

test('too many streams of an account are refused, and closing one makes room', async (t) => {
  const rig = await openLookup(t);
  const port = await rig.listen();
  const streams = await Promise.all(Array.from({ length: 50 }, () => watch(t, port)));
  const refused = await watch(t, port);
  assert.equal(refused.response.statusCode, 503);
  assert.equal(refused.response.headers['retry-after'], '1');
  const other = await watch(t, port, {}, 'acc_other');
  assert.equal(other.response.statusCode, 200);
  streams[0]?.close();
  const deadline = Date.now() + PATIENCE_MS;
  while ((await watch(t, port)).response.statusCode !== 200) {
    assert.ok(Date.now() < deadline);
    await sleep(20);
  }
});

test('other people’s accounts have no stream, and a HEAD request leaves none open', async (t) => {
  const rig = await openLookup(t);
  const other = await rig.get(path('handset/events', 'acc_other'));
  assert.equal(other.status, 404);
  const head = await rig.app.inject({
    method: 'HEAD',
    url: path('handset/events'),
    headers: { 'x-role': 'viewer', 'x-account': ACCOUNT },
  });
  assert.equal(head.statusCode, 405);
});
