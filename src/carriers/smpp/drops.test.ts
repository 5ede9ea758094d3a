import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Drops } from './drops.ts';

const named = (id: string, expiresAt = 1_000) => ({ id, expiresAt });

it('suspects a message after two drops, until it is answered', () => {
  const drops = new Drops();
  drops.note(named('a'), 0);
  assert.equal(drops.isSuspect(named('a')), false);
  drops.note(named('a'), 0);
  assert.equal(drops.isSuspect(named('a')), true);
  assert.equal(drops.isSuspect(named('b')), false);
  drops.forget(named('a'));
  assert.equal(drops.isSuspect(named('a')), false);
});

it('forgets expired codes, and the oldest of too many', () => {
  const drops = new Drops();
  for (const id of ['a', 'a', 'b', 'b']) drops.note(named(id, id === 'a' ? 500 : 1_000), 0);
  drops.note(named('c'), 500);
  assert.deepEqual([drops.isSuspect(named('a')), drops.isSuspect(named('b'))], [false, true]);
  for (let count = 0; count < 10_000; count += 1) drops.note(named(`d${count}`), 500);
  assert.equal(drops.isSuspect(named('b')), false);
  drops.note(named('d9999'), 500);
  assert.equal(drops.isSuspect(named('d9999')), true);
});
