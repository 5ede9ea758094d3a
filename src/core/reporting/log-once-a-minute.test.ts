import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logOnceAMinute } from './log-once-a-minute.ts';

test('the same message passes once a minute, another at once', () => {
  const passed: string[] = [];
  let at = 1_000;
  const log = logOnceAMinute(
    (_level, message) => passed.push(message),
    () => at,
  );
  log('warn', 'a');
  log('warn', 'a');
  log('warn', 'b');
  at += 59_999;
  log('warn', 'a');
  assert.deepEqual(passed, ['a', 'b']);
  at += 1;
  log('warn', 'a');
  assert.deepEqual(passed, ['a', 'b', 'a']);
  for (const carrier of ['one', 'two', 'one']) log('warn', 'a', { carrier });
  assert.equal(passed.length, 5, 'each carrier has a minute of its own');
});
