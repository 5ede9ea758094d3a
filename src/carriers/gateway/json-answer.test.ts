import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAnswer, textAt } from './json-answer.ts';

test('a path leads through objects and lists to a value', () => {
  const answer = parseAnswer('{"messages":[{"message-id":"a"},{"n":0,"ok":false,"nothing":null}]}');
  assert.equal(textAt(answer, 'messages.0.message-id'), 'a');
  assert.equal(textAt(answer, 'messages.1.n'), '0');
  assert.equal(textAt(answer, 'messages.1.ok'), 'false');
  for (const path of [
    'messages',
    'messages.1',
    'messages.1.nothing',
    'messages.2.n',
    'messages.length.x',
    'nowhere',
    '',
  ]) {
    assert.equal(textAt(answer, path), undefined, path);
  }
});

test('only what the answer itself holds is found', () => {
  for (const path of ['constructor.name', '__proto__.constructor.name', 'toString.name']) {
    assert.equal(textAt(parseAnswer('{}'), path), undefined);
  }
});

test('integers of any length keep their digits', () => {
  fc.assert(
    fc.property(fc.bigInt(), (id) => {
      assert.equal(textAt(parseAnswer(`{"id":${id}}`), 'id'), String(id));
    }),
  );
});

test('an integer with an exponent stays as it is written', () => {
  assert.equal(textAt(parseAnswer('{"id":1E30}'), 'id'), '1E30');
  assert.equal(textAt(parseAnswer('{"id":1e30,"n":2e1}'), 'n'), '20');
});

test('a byte order mark before an answer is passed over', () => {
  assert.equal(textAt(parseAnswer('\ufeff{"id":"a"}'), 'id'), 'a');
  assert.equal(parseAnswer('\ufeff\ufeff{"id":"a"}'), undefined);
});

test('no answer throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.string(), (body, path) => {
      assert.ok(['string', 'undefined'].includes(typeof textAt(parseAnswer(body), path)));
    }),
  );
});
