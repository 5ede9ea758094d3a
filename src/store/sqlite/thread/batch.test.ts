import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../core/seams/random.ts';
import { newVerification } from '../../../core/verification/verification-fixture.ts';
import { migrate } from '../schema/migrate.ts';
import { TallyBook } from '../statistics/tally-book.ts';
import { type BatchParts, type Call, runBatch } from './batch.ts';
import { createOperations } from './operations.ts';
import { packVerification } from './packed.ts';

const RULES = {
  limits: { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] },
  retention: { verifications: 1, simulatorMessages: 1, signals: 1, statistics: 1, events: 1 },
};

suite('batch', () => {
  let db: DatabaseSync;
  let operations: BatchParts['operations'];
  let parts: BatchParts;

  beforeEach(() => {
    db = new DatabaseSync(':memory:');
    migrate(db);
    const book = new TallyBook(db);
    operations = createOperations(db, RULES, book, { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM });
    parts = { db, operations, book };
  });
  afterEach(() => db.close());

  const create = (id: string): Call => [
    'transact',
    [{ sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, 0)', args: [id] }],
    false,
  ];
  const ids = () =>
    db
      .prepare('SELECT id FROM account')
      .all()
      .map(({ id }) => id);

  test('is one transaction', () => {
    const statements: string[] = [];
    const record = (sql: string) => {
      statements.push(sql);
      db.exec(sql);
    };
    const spied = new Proxy(db, {
      get(target, name) {
        if (name === 'exec') return record;
        return Reflect.get(target, name, target);
      },
    });
    runBatch({ ...parts, db: spied }, [create('a'), create('b')]);
    assert.deepEqual(statements, ['BEGIN IMMEDIATE', 'COMMIT']);
  });

  test('one bad call fails alone', () => {
    const results = runBatch(parts, [create('a'), create('a'), create('b')]);
    assert.deepEqual(
      results.map((result) => 'value' in result),
      [true, false, true],
    );
    assert.deepEqual(ids(), ['a', 'b']);
    assert.equal(db.isTransaction, false);
  });

  test('a bad call is no outage', () => {
    const [, bad] = runBatch(parts, [create('a'), create('a')]);
    assert.ok(bad && 'failure' in bad);
    const { kind, message, details } = bad.failure;
    assert.deepEqual([kind, message], ['fault', 'UNIQUE constraint failed: account.name']);
    assert.equal(details.errcode, 2067);
  });

  test('an outage fails all of it, writes nothing and is told as such', () => {
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    let calls = 0;
    const failing = {
      ...operations,
      transact: (...args: Parameters<typeof operations.transact>) => {
        if (++calls === 2) throw full;
        return operations.transact(...args);
      },
    };
    const results = runBatch({ ...parts, operations: failing }, [create('a'), create('b'), create('c')]);
    assert.deepEqual(
      results.map((result) => 'failure' in result && result.failure.kind),
      ['unavailable', 'unavailable', 'unavailable'],
    );
    assert.deepEqual(ids(), []);
    assert.equal(calls, 2, 'the others are not tried one by one on a full disk');
  });

  test('after an outage it tells no endpoint that was never written', () => {
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    const failing = {
      ...operations,
      depth: () => {
        throw full;
      },
    };
    const webhook = {
      sql: `INSERT INTO webhook (id, account_id, url, types, secret_sealed, created_at)
        VALUES ('whk', 'a', 'https://example.com/', '[]', '', 0)`,
      args: [],
    };
    const issue = (): Call => ['issue', packVerification(newVerification({ accountId: 'a' }))];
    const lost: readonly Call[] = [create('a'), ['transact', [webhook], true], issue(), ['depth']];
    for (const result of runBatch({ ...parts, operations: failing }, lost)) assert.ok('failure' in result);
    for (const result of runBatch(parts, [create('a'), issue()])) assert.ok('value' in result);
    assert.deepEqual(db.prepare('SELECT * FROM webhook_message').all(), []);
  });

  test('extended result codes of an outage are known', () => {
    const failing = {
      ...operations,
      depth: () => {
        throw Object.assign(new Error('disk I/O error'), { errcode: 10 | (12 << 8) });
      },
    };
    const [result] = runBatch({ ...parts, operations: failing }, [['depth']]);
    assert.ok(result && 'failure' in result);
    assert.equal(result.failure.kind, 'unavailable');
  });

  /** The same database, whose commits fail. */
  const failingWith = (errcode: number, what = 'simulated') =>
    new Proxy(db, {
      get(target, name) {
        if (name !== 'exec') return Reflect.get(target, name, target);
        return (sql: string) => {
          if (sql === 'COMMIT') throw Object.assign(new Error(what), { errcode });
          target.exec(sql);
        };
      },
    });

  for (const [what, errcode, kind] of [
    ['a full disk', 13, 'unavailable'],
    ['an fsync that failed', 10 | (4 << 8), 'unknown'],
  ] as const) {
    test(`a commit that fails by ${what} is ${kind}`, () => {
      const results = runBatch({ ...parts, db: failingWith(errcode, what) }, [create('a'), create('b')]);
      assert.deepEqual(
        results.map((result) => 'failure' in result && result.failure.kind),
        [kind, kind],
      );
      assert.deepEqual(ids(), []);
    });
  }

  test('on a full disk what only reads is answered, and sees nothing of what was not written beside it', () => {
    const select = { sql: 'SELECT id FROM account', args: [] };
    /** A commit of changes finds no room. */
    const full = new Proxy(db, {
      get(target, name) {
        if (name !== 'exec') return Reflect.get(target, name, target);
        return (sql: string) => {
          if (sql === 'COMMIT' && ids().length > 0)
            throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
          target.exec(sql);
        };
      },
    });
    const [created, read] = runBatch({ ...parts, db: full }, [create('a'), ['transact', [select], false]]);
    assert.ok(created && 'failure' in created);
    assert.deepEqual(read, { value: { done: true, rows: [[]] } });
  });

  test('of what only reads, nobody is in doubt after a broken commit: it did nothing', () => {
    const select = { sql: 'SELECT id FROM account', args: [] };
    const insert = { sql: "INSERT INTO account (id, name, created_at) VALUES ('b', 'b', 0)", args: [] };
    const calls: readonly Call[] = [
      ...([['depth'], ['transact', [select, select], false]] as const),
      ...([create('a'), ['transact', [select, insert], false]] as const),
    ];
    assert.deepEqual(
      runBatch({ ...parts, db: failingWith(10) }, calls).map(
        (result) => 'failure' in result && result.failure.kind,
      ),
      ['unavailable', 'unavailable', 'unknown', 'unknown'],
    );
  });
});
