/** What a session is set up with, and what a database must be set to: it may not promise what it has not written. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { StoreFailure, StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import { readDurability } from '../../../src/store/postgres/connection/durability.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { guessAt, issueOne } from '../contract/rig.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { addressOf, lookAt, openNode } from './rig.ts';

const SETTINGS = `
  SELECT current_setting('statement_timeout') AS timeout, current_setting('plan_cache_mode') AS plans,
    current_setting('enable_seqscan') AS scans, current_setting('transaction_isolation') AS isolation`;
const EXPECTED = { timeout: '3s', plans: 'force_generic_plan', scans: 'off', isolation: 'read committed' };

const LEFT_BEHIND = `
  SELECT current_setting('statement_timeout') AS timeout, current_setting('enable_seqscan') AS scans,
    (SELECT count(*) FROM pg_prepared_statements) AS prepared,
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks
  FROM pg_sleep(0.2)`;

const SESSIONS = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
const END_SESSIONS = `SELECT pid, pg_terminate_backend(pid) FROM (${SESSIONS}) AS session`;

suite('settings of the database', () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.dispose());

  const refuses = (url: string, fix: RegExp) =>
    assert.rejects(openNode(url), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.match(error.message, /synchronous_commit is off/);
      assert.match(error.message, fix);
      return true;
    });

  test('a database whose commits do not wait for the disk is refused, with the fix', async (t) => {
    const url = await postgres.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await lookAt(url, `ALTER DATABASE ${name} SET synchronous_commit = off`);
    await refuses(url, new RegExp(`ALTER DATABASE ${name} SET synchronous_commit = on`));
    await lookAt(url, `ALTER DATABASE ${name} SET synchronous_commit = local`);
    const node = await openNode(url);
    t.after(() => node.close());
    await node.check();
  });

  test('so is a role, also one that was set so while a node runs', async (t) => {
    const url = new URL(await postgres.createDatabase());
    await lookAt(
      url.href,
      'DROP ROLE IF EXISTS "un safe"; CREATE ROLE "un safe" LOGIN SUPERUSER PASSWORD \'secret\'',
    );
    t.after(() => lookAt(url.href, 'DROP OWNED BY "un safe"; DROP ROLE "un safe"'));
    const own = new URL(url);
    [own.username, own.password] = ['un%20safe', 'secret'];
    const node = await openNode(own.href);
    t.after(() => node.close());
    await lookAt(url.href, 'ALTER ROLE "un safe" SET synchronous_commit = off');
    await refuses(own.href, /ALTER ROLE "un safe" SET synchronous_commit = on/);
    await lookAt(
      url.href,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'un safe'",
    );
    // A session that was ended may take a statement before its end is noticed; what follows needs a new one.
    let refusal: unknown;
    do {
      refusal = await issueOne(node).catch((error: unknown) => error);
      assert.ok(refusal instanceof StoreFailure, String(refusal));
    } while (!/synchronous_commit is off/.test(refusal.message));
    for (let i = 0; i < 5; i++) await assert.rejects(issueOne(node), StoreUnavailable);
    await lookAt(url.href, 'ALTER ROLE "un safe" RESET synchronous_commit');
    await issueOne(node);
  });

  test('what a server is set to for the failure of its machine is read from it', async () => {
    const url = await postgres.createDatabase();
    const [row] = await lookAt<{ fsync: string }>(url, 'SHOW fsync');
    const alone = { synchronous: 0, hasOthers: false };
    const expected = { fsync: row?.fsync === 'on', fullPageWrites: true, ...alone };
    assert.deepEqual(await readDurability(addressOf(url)), expected);
  });

  test('hold in every session, also after a purge', async (t) => {
    const node = await openNode(await postgres.createDatabase());
    t.after(() => node.close());
    await node.purge(Date.now());
    const asked = Array.from({ length: 30 }, () => node.transact([{ sql: SETTINGS, args: [] }]));
    for (const answer of await Promise.all(asked)) {
      assert.deepEqual(answer, { done: true, rows: [[EXPECTED]] });
    }
  });

  for (const mode of ['session', 'transaction'] as const) {
    test(`hold through a PgBouncer with pool_mode = ${mode}, and nothing is left behind there`, async (t) => {
      const size = mode === 'session' ? 30 : 3;
      const pooler = await startPgBouncer(postgres.url, { mode, size });
      if (pooler === undefined) {
        t.skip('NOT TESTED: there is no pgbouncer on this machine');
        return;
      }
      t.after(() => pooler[Symbol.asyncDispose]());
      const direct = await postgres.createDatabase();
      const name = new URL(direct).pathname.slice(1);
      await lookAt(direct, `ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
      const url = pooler.through(direct);
      const nodes = [await openNode(url), await openNode(url)];
      t.after(() => Promise.all(nodes.map((node) => node.close())));
      const ask = (sql: string) =>
        nodes.flatMap((node) => Array.from({ length: 10 }, () => node.transact([{ sql, args: [] }])));
      for (const answer of await Promise.all(ask(SETTINGS))) {
        assert.deepEqual(answer, { done: true, rows: [[EXPECTED]] });
      }
      const [here, there] = nodes;
      assert.ok(here && there);
      const issued = await Promise.all(Array.from({ length: 100 }, () => issueOne(here)));
      await Promise.all(nodes.map((node) => node.purge(Date.now())));
      const confirmed = await Promise.all(issued.map((v) => there.confirm(guessAt(v, 'right'))));
      assert.ok(confirmed.every(({ kind }) => kind === 'confirmed'));
      if (mode === 'session') return;

      // Each in a transaction of its own, at the same time, so that all sessions are seen.
      const left = await Promise.all(Array.from({ length: size }, () => lookAt(url, LEFT_BEHIND)));
      assert.deepEqual(
        left.flat(),
        Array(size).fill({ timeout: '0', scans: 'on', prepared: '0', locks: '0' }),
      );

      await lookAt(direct, `ALTER DATABASE ${name} SET synchronous_commit = off`);
      // The nodes ask for the time every second, so that there are soon others.
      const ended = (await lookAt<{ pid: number }>(direct, END_SESSIONS)).map(({ pid }) => pid);
      const areLeft = async () =>
        (await lookAt<{ pid: number }>(direct, SESSIONS)).some(({ pid }) => ended.includes(pid));
      while (await areLeft());
      const sql = "SELECT current_setting('synchronous_commit') AS commits";
      assert.deepEqual(await here.transact([{ sql, args: [] }]), { done: true, rows: [[{ commits: 'on' }]] });
    });
  }
});
