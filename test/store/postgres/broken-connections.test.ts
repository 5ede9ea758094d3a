/** Connections that break after the server has committed, and before we know: what a call says then is true. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import pg from 'pg';
import { OutcomeUnknown, StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import type { Store } from '../../../src/store/port.ts';
import { lendDatabase } from '../../emptied-databases.ts';
import { guessAt, issueOne, LEASE, newVerification, tally, unique } from '../contract/rig.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { lookAt, openNode } from './rig.ts';

suite('a connection that breaks after the commit', () => {
  let url: string;
  let parts: AsyncDisposableStack;
  let proxy: CuttingProxy;
  let store: Store;

  beforeEach(async () => {
    parts = new AsyncDisposableStack();
    const database = await lendDatabase();
    parts.defer(() => database.giveBack());
    url = database.url;
    proxy = parts.use(await startCuttingProxy(url));
    store = await openNode(proxy.url);
    parts.defer(() => store.close());
  });
  afterEach(() => parts.disposeAsync());

  test('a guess is not told of a break that only concerns why another was refused', async () => {
    const v = await issueOne(store);
    const asked: string[] = [];
    proxy.cutAfter = (statement) => {
      asked.push(statement);
      return statement !== 'confirm';
    };
    const [right, stranger] = await Promise.allSettled([
      store.confirm(guessAt(v, 'right')),
      store.confirm(guessAt(newVerification(), 'right')),
    ]);
    assert.equal(right.status === 'fulfilled' && right.value.kind, 'confirmed');
    assert.deepEqual(stranger.status === 'fulfilled' && stranger.value, { kind: 'unknown' });
    // Why it was refused comes with the judgement: there is no question of its own that could break.
    assert.deepEqual(
      asked.filter((statement) => statement !== 'clock'),
      ['confirm'],
    );
  });

  test('a verification may have been written, and says so', async () => {
    const v = newVerification();
    proxy.cutAfter = (statement) => statement === 'issue';
    await assert.rejects(store.issue(v), OutcomeUnknown);
    proxy.cutAfter = () => false;
    assert.deepEqual(
      (await store.claim(v.leaseUntil, v.leaseUntil + LEASE, 10)).map(({ id }) => id),
      [v.id],
    );
    assert.equal((await store.confirm(guessAt(v, 'right'))).kind, 'confirmed');
  });

  test('a question is not told that something may have been done', async () => {
    proxy.cutAfter = () => true;
    for (const ask of [
      () => store.depth(),
      () => store.keysRevision(),
      () => store.transact([{ sql: 'SELECT id FROM account', args: [] }]),
    ]) {
      await assert.rejects(ask(), StoreUnavailable);
    }
  });

  test('a session that the server ends while it works may have done so', async () => {
    const { destinationHash } = await issueOne(store);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM destination WHERE hash = $1 FOR UPDATE', [destinationHash]);
    const lost = assert.rejects(store.issue(newVerification({ destinationHash })), OutcomeUnknown);
    // As an administrator does, or a shutdown.
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'countersign' AND wait_event_type = 'Lock'`;
    while ((await lookAt(url, end)).length === 0);
    await lost;
    await holder.end();
    assert.equal((await store.issue(newVerification({ destinationHash }))).kind, 'issued');
  });

  test('a transaction is unknown from its COMMIT on', async () => {
    const name = unique('account');
    const add = { sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, 0)', args: [name] };
    const look = { sql: 'SELECT id FROM account WHERE id = $1', args: [name] };
    proxy.cutAfter = (statement) => statement.startsWith('records_');
    await assert.rejects(store.transact([add, look]), StoreUnavailable);
    proxy.cutAfter = (statement) => statement === 'COMMIT';
    await assert.rejects(store.transact([add, look]), OutcomeUnknown);
    proxy.cutAfter = () => false;
    assert.deepEqual(await store.transact([look]), { done: true, rows: [[{ id: name }]] });
  });

  test('behind a pooler a call is unknown from its COMMIT on', async (t) => {
    const pooler = await startPgBouncer(url, { mode: 'transaction', size: 3 });
    if (pooler === undefined) {
      t.skip('NOT TESTED: there is no pgbouncer on this machine');
      return;
    }
    parts.use(pooler);
    const way = parts.use(await startCuttingProxy(pooler.through(url)));
    const node = await openNode(way.url);
    parts.defer(() => node.close());
    const [early, late] = [newVerification(), newVerification()];
    // Statements have no name there.
    way.cutAfter = (statement) => statement === '';
    await assert.rejects(node.issue(early), StoreUnavailable);
    way.cutAfter = (statement) => statement === 'COMMIT';
    await assert.rejects(node.issue(late), OutcomeUnknown);
    way.cutAfter = () => false;
    assert.deepEqual(await node.confirm(guessAt(early, 'right')), { kind: 'unknown' });
    assert.equal((await node.confirm(guessAt(late, 'right'))).kind, 'confirmed');
  });

  test('a guess under an Idempotency-Key is repeated until it is told, and spent once', async () => {
    const verifications = await Promise.all(Array.from({ length: 60 }, () => issueOne(store)));
    let batches = 0;
    proxy.cutAfter = (statement) => statement === 'confirm_once' && batches++ % 3 !== 2;
    const outcomes = await Promise.all(
      verifications.map(async (v, i) => {
        const code = i % 2 === 0 ? 'right' : 'wrong';
        const guess = { ...guessAt(v, code), idempotency: { keyHash: unique('idem'), bodyHash: code } };
        for (;;) {
          try {
            const outcome = await store.confirm(guess);
            const told = outcome.kind === 'replayed' ? outcome.first : outcome;
            if (told.kind === 'mismatch') assert.equal(told.attemptsRemaining, 4);
            return told;
          } catch (error) {
            assert.ok(error instanceof OutcomeUnknown || error instanceof StoreUnavailable, String(error));
          }
        }
      }),
    );
    assert.ok(proxy.cuts > 0);
    assert.deepEqual(tally(outcomes), { confirmed: 30, mismatch: 30 });
  });

  test('of guesses without a key exactly one confirms, however many connections break', async () => {
    const v = await issueOne(store);
    let batches = 0;
    proxy.cutAfter = (statement) => statement === 'confirm' && batches++ % 2 === 0;
    const kinds: string[] = [];
    for (let i = 0; i < 10; i++) {
      const outcome = await store
        .confirm(guessAt(v, 'right'))
        .catch((error: Error) => ({ kind: error.name }));
      kinds.push(outcome.kind);
    }
    assert.equal(kinds[0], 'OutcomeUnknown', 'this one did');
    assert.deepEqual(new Set(kinds.slice(1)), new Set(['already-confirmed', 'OutcomeUnknown']));
  });
});
