import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { describeError, ErrorFacts } from './error-facts.ts';
import { OutcomeUnknown, StoreDamaged, StoreUnavailable } from './store-failure.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it threw nothing');
}

function factsOf(error: unknown): ErrorFacts {
  const facts = describeError(error);
  assert.ok(facts instanceof ErrorFacts);
  return facts;
}

/** As the server words it; nothing here opens a connection. */
function databaseError(fields: Partial<pg.DatabaseError>): Error {
  const error = new pg.DatabaseError(fields.message ?? '', 0, 'error');
  return Object.assign(error, { severity: 'ERROR' }, fields);
}

test('an error of the system says its code, its number and what it is', () => {
  const { name, code, errno, message, stack } = factsOf(thrownBy(() => readFileSync('/nowhere/at/all')));
  assert.deepEqual([name, code, errno], ['Error', 'ENOENT', -2]);
  assert.match(String(message), /^ENOENT: no such file or directory/);
  assert.match(String(stack), /error-facts\.test\.ts/);
});

test('an error of SQLite says its result code and what it is', () => {
  using db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE t (a TEXT UNIQUE) STRICT');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  insert.run('+4915123456789');
  const facts = factsOf(thrownBy(() => insert.run('+4915123456789')));
  assert.deepEqual([facts.code, facts.errno], ['ERR_SQLITE_ERROR', 2067]);
  assert.equal(facts.message, 'UNIQUE constraint failed: t.a');
  assert.ok(!JSON.stringify(facts).includes('49151'));
});

test('an error of PostgreSQL shows its SQLSTATE and message, and no values', () => {
  const facts = factsOf(
    databaseError({
      code: '23505',
      message: 'duplicate key value violates unique constraint "api_key_hash"',
      detail: 'Key (hash)=(123456) already exists.',
      where: 'SQL statement "... +4915123456789"',
    }),
  );
  assert.deepEqual(
    [facts.code, facts.message],
    ['23505', 'duplicate key value violates unique constraint "api_key_hash"'],
  );
  assert.ok(!/123456|49151/.test(JSON.stringify(facts)));
  const quoting = factsOf(
    databaseError({ code: '22P02', message: 'invalid input syntax for type uuid: "4829"' }),
  );
  assert.deepEqual([quoting.code, quoting.message], ['22P02', undefined]);
  assert.ok(!JSON.stringify(quoting).includes('4829'));
});

test('what makes the store unavailable is told down the chain of causes, which ends', () => {
  const cause = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  const facts = factsOf(new StoreUnavailable('database or disk is full', { cause }));
  assert.deepEqual([facts.name, facts.cause?.errno], ['StoreUnavailable', 13]);
  for (const Kind of [StoreUnavailable, StoreDamaged, OutcomeUnknown]) {
    // Words of ours or of pg-pool, whose errors have nothing but them.
    const untold = new Error('timeout exceeded when trying to connect');
    assert.equal(factsOf(new Kind(untold.message, { cause: untold })).message, untold.message);
  }
  assert.equal(facts.cause?.message, 'database or disk is full');
  const endless = new Error('x');
  endless.cause = endless;
  assert.ok(JSON.stringify(describeError(endless)).length > 0);
});

test('any other message stays untold, wherever an engine puts it into the stack', () => {
  const secret = fc.stringMatching(/^[a-z +\n()/.:0-9]{8,40}$/).map((text) => `secret${text}`);
  fc.assert(
    fc.property(secret, fc.constantFrom(Error, TypeError, RangeError), (message, Kind) => {
      const told = JSON.stringify(describeError(new Kind(message, { cause: new Error(message) })));
      assert.ok(!told.includes('secret'), told);
    }),
  );
  assert.deepEqual(describeError('+4915123456789'), { name: 'string' });
});

test('keys and long numbers leave also those messages that are told', () => {
  const told = Object.assign(new Error('no 4915123456789, 123456 nor csk_live_AbC3dE7f'), {
    syscall: 'read',
  });
  assert.equal(factsOf(told).message, 'no [number], [number] nor csk_live_[redacted]');
});
