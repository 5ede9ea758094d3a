import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGateway } from '../faults/gateway.ts';
import { eventually, faultyFields, freshNumber, problemOf, reasons } from './client.ts';
import { openTarget, startTarget } from './target.ts';

const { client, testKey, otherKey, own } = await openTarget();
const asTest = { key: testKey };

test('shows the messages of a destination, newest first', async () => {
  const destination = freshNumber();
  const ids: (string | undefined)[] = [];
  for (const channel of ['sms', 'voice', 'sms']) {
    const { id } = await client.issue(destination, channel);
    ids.unshift(id);
  }
  const messages = await client.messages(destination);
  assert.deepEqual(
    messages.map(({ id }) => id),
    ids,
  );
  for (const message of messages) {
    assert.deepEqual(Object.keys(message).sort(), ['at', 'channel', 'code', 'destination', 'id', 'text']);
    assert.equal(message.destination, destination);
    assert.match(message.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  }
  assert.deepEqual(
    messages.map(({ channel }) => channel),
    ['sms', 'voice', 'sms'],
  );
});

test('shows the messages of the whole account without a destination', async () => {
  const destination = freshNumber();
  const { id } = await client.issue(destination);
  const answer = await client.get('/simulator/messages');
  assert.equal(answer.status, 200);
  const newest: { id: string }[] = JSON.parse(answer.text);
  assert.ok(newest.some((message) => message.id === id));
});

test('reads a destination as /verify does, and refuses an invalid one', async () => {
  const destination = freshNumber();
  const { id } = await client.issue(destination);
  const spelled = await client.messages(destination.replace('+49', '+49 '));
  assert.equal(spelled[0]?.id, id);
  const answer = await client.get('/simulator/messages?destination=nobody');
  assert.deepEqual([answer.status, faultyFields(answer)], [400, ['destination']]);
  assert.deepEqual(await client.messages(freshNumber()), []);
});

test('says that a plus sign is not escaped', async () => {
  for (const number of [freshNumber(), `tel:${freshNumber()};ext=12`]) {
    const answer = await client.get(`/simulator/messages?destination=${number}`);
    assert.deepEqual([answer.status, reasons(answer)], [400, ['destination unescaped_plus']]);
    assert.match(answer.text, /%2B/);
  }
});

if (otherKey !== undefined) {
  test('never shows the messages of another account', async () => {
    const destination = freshNumber();
    const { id } = await client.issue(destination);
    assert.deepEqual(await client.messages(destination, { key: otherKey }), []);
    const all = await client.get('/simulator/messages', { key: otherKey });
    assert.ok(!all.text.includes(id));
  });
}

test('magic destinations play out one outcome each', async () => {
  const request = async (destination: string) => {
    const { json, status, text } = await client.verify(destination, 'sms', asTest);
    assert.equal(status, 200, text);
    return json.id ?? '';
  };
  for (const destination of ['+15005550001', '+15005550004']) {
    const id = await request(destination);
    const { code } = await client.message(destination, id, asTest);
    assert.equal((await client.confirm(id, code, asTest)).status, 200, destination);
  }
  // The route is valid and the request is accepted; what the carrier makes of it is learned later, or never.
  for (const destination of ['+15005550002', '+15005550003']) {
    const id = await request(destination);
    await client.issue(freshNumber(), 'sms', asTest);
    const messages = await client.messages(destination, asTest);
    assert.ok(!messages.some((message) => message.id === id), 'nothing arrives');
  }
  const unroutable = await client.verify('+15005550005', 'sms', asTest);
  assert.deepEqual([unroutable.status, faultyFields(unroutable)], [400, ['destination']]);
  const limited = await client.verify('+15005550006', 'sms', asTest);
  assert.deepEqual([limited.status, problemOf(limited)], [429, 'quota-exceeded']);
  assert.match(limited.headers['retry-after'] ?? '', /^\d+$/);
});

if (own !== undefined) {
  test('only its own messages can be read, and a test key reaches no other carrier', async () => {
    await using gateway = await openGateway();
    await using service = await startTarget({
      config: {
        carriers: { gateway: gateway.carrier },
        routes: [{ channel: 'sms', carriers: ['gateway'] }],
      },
    });
    const key = await service.createKey('test', { test: true });
    const [real, simulated] = [freshNumber(), freshNumber()];
    const live = await service.client.verify(real);
    await service.client.issue(simulated, 'sms', { key });
    const sent = await eventually(async () => gateway.received.find(({ id }) => id === live.json.id));
    assert.equal(sent?.to, real);
    assert.deepEqual(await service.client.messages(real), []);
    assert.ok(!gateway.received.some(({ to }) => to === simulated));
    const confirmed = await service.client.confirm(live.json.id ?? '', sent?.code ?? '');
    assert.equal(confirmed.status, 200);
  });

  test('messages survive a crash', async () => {
    const destination = freshNumber();
    const { id, code } = await client.issue(destination);
    await own.kill9();
    await own.restart();
    const message = await client.message(destination, id);
    assert.equal(message.code, code);
  });
}
