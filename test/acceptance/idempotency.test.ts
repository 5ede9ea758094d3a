import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { faultyFields, freshNumber, problemOf, wrongCode } from './client.ts';
import { openTarget } from './target.ts';

const { client, otherKey } = await openTarget();

const repeatable = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } });

test('the same key and body get the same answer, and one message', async () => {
  const destination = freshNumber();
  const options = repeatable();
  const first = await client.verify(destination, 'sms', options);
  assert.equal(first.status, 200);
  for (let i = 0; i < 8; i++) {
    const replay = await client.verify(destination, 'sms', options);
    assert.equal(replay.status, 200, 'a replay counts against no limit');
    assert.equal(replay.text, first.text);
  }
  await client.message(destination, first.json.id ?? '');
  // What a replay had sent would have been queued before this one.
  const last = await client.issue(destination);
  const ids = (await client.messages(destination)).map(({ id }) => id);
  assert.deepEqual(ids, [last.id, first.json.id]);
});

test('the same key with another body answers 422 and sends nothing', async () => {
  const [destination, other] = [freshNumber(), freshNumber()];
  const options = repeatable();
  const first = await client.verify(destination, 'sms', options);
  assert.equal(first.status, 200);
  await client.message(destination, first.json.id ?? '');
  for (const [number, channel] of [
    [other, 'sms'],
    [destination, 'voice'],
  ] as const) {
    const answer = await client.verify(number, channel, options);
    assert.deepEqual([answer.status, problemOf(answer)], [422, 'idempotency-key-reused']);
  }
  // What had been sent in spite of it would have been queued before these.
  for (const [to, before] of [
    [other, []],
    [destination, [first.json.id]],
  ] as const) {
    const last = await client.issue(to);
    const ids = (await client.messages(to)).map(({ id }) => id);
    assert.deepEqual(ids, [last.id, ...before]);
  }
});

test('a replay is answered past the limit of the destination', async () => {
  const destination = freshNumber();
  const options = repeatable();
  const first = await client.verify(destination, 'sms', options);
  for (let i = 1; i < 5; i++) await client.verify(destination);
  assert.equal((await client.verify(destination)).status, 429);
  const replay = await client.verify(destination, 'sms', options);
  assert.deepEqual([replay.status, replay.text], [200, first.text]);
});

test('a refused request leaves its key unused', async () => {
  const options = repeatable();
  assert.equal((await client.verify('+4912', 'sms', options)).status, 400);
  assert.equal((await client.verify(freshNumber(), 'sms', options)).status, 200);
});

for (const [what, key] of [
  ['empty', ''],
  ['too long', 'x'.repeat(256)],
  ['not visible ASCII', 'käse'],
] as const) {
  test(`a key that is ${what} answers 400 naming the header`, async () => {
    const answer = await client.verify(freshNumber(), 'sms', repeatable(key));
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(faultyFields(answer), ['Idempotency-Key']);
    const guess = await client.confirm('ver_1', '', repeatable(key));
    assert.deepEqual(faultyFields(guess), ['Idempotency-Key', 'code']);
  });
}

test('a confirmation is answered again with the same body, and any other with 409', async () => {
  const { id, code } = await client.issue(freshNumber());
  const options = repeatable();
  const first = await client.confirm(id, code, options);
  assert.equal(first.status, 200);
  for (const typed of [code, ` ${code} `]) {
    const replay = await client.confirm(id, typed, options);
    assert.deepEqual([replay.status, replay.text], [200, first.text]);
  }
  for (const others of [{}, repeatable()]) {
    const answer = await client.confirm(id, code, others);
    assert.deepEqual([answer.status, problemOf(answer)], [409, 'already-confirmed']);
  }
});

test('a wrong code is answered again, spends one guess, and holds its key against another code', async () => {
  const { id, code } = await client.issue(freshNumber());
  const options = repeatable();
  const first = await client.confirm(id, wrongCode(code), options);
  assert.equal(problemOf(first), 'code-mismatch');
  const { attempts_remaining: left } = first.json;
  for (let i = 0; i < 8; i++) {
    const replay = await client.confirm(id, wrongCode(code), options);
    assert.deepEqual([problemOf(replay), replay.json.attempts_remaining], ['code-mismatch', left]);
  }
  const other = await client.confirm(id, code, options);
  assert.deepEqual([other.status, problemOf(other)], [422, 'idempotency-key-reused']);
  assert.equal((await client.confirm(id, code)).status, 200);
});

test('many simultaneous confirms with one key: the same answer, or one that is in progress', async () => {
  const { id, code } = await client.issue(freshNumber());
  const options = repeatable();
  const answers = await Promise.all(Array.from({ length: 100 }, () => client.confirm(id, code, options)));
  const told = answers.filter((answer) => problemOf(answer) !== 'idempotency-in-progress');
  assert.ok(told.length > 0);
  for (const { status, text } of told) assert.deepEqual([status, text], [200, told[0]?.text]);
  assert.equal((await client.confirm(id, code, options)).text, told[0]?.text);
});

test('one key serves a request for a code and its confirmation', async () => {
  const options = repeatable();
  const destination = freshNumber();
  const { json } = await client.verify(destination, 'sms', options);
  const { code } = await client.message(destination, json.id ?? '');
  assert.equal((await client.confirm(json.id ?? '', code, options)).status, 200);
});

if (otherKey !== undefined) {
  test('keys of different accounts have nothing to do with each other', async () => {
    const destination = freshNumber();
    const options = repeatable();
    const mine = await client.verify(destination, 'sms', options);
    const theirs = await client.verify(destination, 'sms', { ...options, key: otherKey });
    assert.equal(theirs.status, 200);
    assert.notEqual(mine.json.id, theirs.json.id);
  });
}
