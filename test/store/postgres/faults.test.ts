/** A database that dies, hangs, fills up or says no: calls end in time, nothing is half-done, and it goes on by itself. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import pg from 'pg';
import { createKeys } from '../../../src/accounts/keys.ts';
import { StoreFailure, StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import type { NewVerification } from '../../../src/core/verification/verification.ts';
import type { Store } from '../../../src/store/port.ts';
import { type OwnPostgres, startOwnPostgres } from '../../postgres.ts';
import { startStopwatch } from '../../stopwatch.ts';
import {
  DELIVERED,
  guessAt,
  issueOne,
  mismatch,
  newVerification,
  settlement,
  tally,
} from '../contract/rig.ts';
import { addressOf, lookAt, openNode } from './rig.ts';

/** What a request may wait for its 503, with room for a busy machine. */
const BOUND_MS = 5_500;
const RECOVERY_MS = 2_000;

suite('a PostgreSQL in trouble', () => {
  let postgres: OwnPostgres;
  let url: string;
  let store: Store;

  beforeEach(async () => {
    postgres = await startOwnPostgres();
    url = await postgres.createDatabase();
    store = await openNode(url);
  });
  afterEach(async () => {
    await store.close();
    await postgres.dispose();
  });

  /** Issues until told to stop. Answers what was issued; any refusal but `unavailable` is thrown. */
  const load = () => {
    const issued: NewVerification[] = [];
    let unavailable = 0;
    let stopped = false;
    const worker = async () => {
      while (!stopped) {
        const v = newVerification();
        try {
          const outcome = await store.issue(v);
          assert.equal(outcome.kind, 'issued');
          issued.push(v);
        } catch (error) {
          assert.ok(error instanceof StoreFailure, String(error));
          unavailable++;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    const done = Promise.all(Array.from({ length: 64 }, worker));
    return {
      issued,
      async stop() {
        stopped = true;
        await done;
        return unavailable;
      },
    };
  };

  const recovers = async () => {
    const watch = startStopwatch();
    for (;;) {
      try {
        await store.check();
        return watch.read();
      } catch (error) {
        assert.ok(error instanceof StoreFailure, String(error));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };

  test('killed and back under load, five times: nothing answered is lost, and it goes on by itself', async () => {
    const running = load();
    for (let round = 0; round < 5; round++) {
      const before = running.issued.length;
      while (running.issued.length < before + 200) await new Promise((resolve) => setTimeout(resolve, 5));
      await postgres.kill();
      await postgres.start();
      assert.ok((await recovers()) < RECOVERY_MS);
    }
    assert.ok((await running.stop()) > 0);
    const confirmed = await Promise.all(running.issued.map((v) => store.confirm(guessAt(v, 'right'))));
    assert.deepEqual(tally(confirmed), { confirmed: running.issued.length });
  });

  test('one that hangs is given up in time, by all that wait, and taken up again', async () => {
    const v = await issueOne(store);
    await postgres.freeze();
    const calls = [
      ...Array.from({ length: 1_000 }, () => () => store.issue(newVerification())),
      ...Array.from({ length: 300 }, () => () => store.confirm(guessAt(v, 'wrong'))),
      ...Array.from({ length: 300 }, () => () => store.settle(settlement(v, DELIVERED))),
      () => store.claim(Date.now(), Date.now(), 10),
      () => store.keysRevision(),
      () => createKeys(store).findKey('some hash'),
      () => store.check(),
      () => store.purge(Date.now()),
    ];
    const waited = startStopwatch();
    const outcomes = await Promise.allSettled(calls.map((call) => call()));
    assert.ok(waited.read() < BOUND_MS);
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreFailure);
    }
    assert.equal(store.pending, 0);
    // Also those that come while it still hangs.
    const late = startStopwatch();
    await assert.rejects(store.issue(newVerification()), StoreFailure);
    assert.ok(late.read() < BOUND_MS);
    postgres.thaw();
    assert.ok((await recovers()) < RECOVERY_MS);
    assert.equal((await store.confirm(guessAt(v, 'right'))).kind, 'confirmed');
  });

  test('a row that somebody else holds makes calls wait, and not without end', async () => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    const v = await issueOne(store);
    await holder.query('BEGIN');
    await holder.query('SELECT FROM destination FOR UPDATE');
    const waited = startStopwatch();
    await assert.rejects(store.confirm(guessAt(v, 'right')), StoreUnavailable);
    assert.ok(waited.read() < BOUND_MS);
    await holder.query('ROLLBACK');
    await holder.end();
    assert.deepEqual(await store.confirm(guessAt(v, 'wrong')), mismatch(4));
  });

  test('one that only reads, as a standby does, is unavailable', async () => {
    const { pathname } = new URL(url);
    await lookAt(url, `ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`);
    const standby = openNode(url);
    await assert.rejects(standby, StoreUnavailable);
  });

  test('one in whose place somebody put an empty one is unavailable', async () => {
    const name = new URL(url).pathname.slice(1);
    const server = new URL(url);
    server.pathname = '/postgres';
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
    await lookAt(server.href, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await lookAt(server.href, end);
    await lookAt(server.href, `ALTER DATABASE ${name} RENAME TO ${name}_before`);
    await lookAt(server.href, `CREATE DATABASE ${name}`);
    await assert.rejects(store.check(), StoreUnavailable);
    await assert.rejects(store.issue(newVerification()), StoreUnavailable);
    await assert.rejects(store.confirm(guessAt(newVerification(), 'right')), StoreUnavailable);
  });

  test('one that ends our connections is asked again', async () => {
    await lookAt(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign'",
    );
    assert.ok((await recovers()) < RECOVERY_MS);
  });

  test('no error holds the password', async () => {
    const secret = 'hunter2 secret';
    const wrong = new URL(url);
    wrong.password = encodeURIComponent(secret);
    const away = new URL(wrong);
    away.port = '1';
    const elsewhere = new URL(wrong);
    elsewhere.pathname = '/no_such_database';
    for (const each of [wrong, away, elsewhere]) {
      await assert.rejects(openNode(each.href), (error: Error) => {
        assert.ok(error instanceof StoreUnavailable);
        const told = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join('\n');
        assert.ok(!told.includes('hunter2'), told);
        return true;
      });
    }
    assert.ok(!addressOf(wrong.href).shown.includes('hunter2'));
  });
});
