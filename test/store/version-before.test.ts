/**
 * Stores as version 0.2.0 left them, made by its service: the file of an embedded store, and the rows of a shared one. What it served
 * must be served on.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { auditStep, readAuditLog } from '../../src/accounts/audit.ts';
import { verifyAuditLog } from '../../src/accounts/audit-log/verify.ts';
import { createKeys } from '../../src/accounts/keys.ts';
import type { TallyDimension } from '../../src/core/counting/tally.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { createVerifier } from '../../src/core/verification/fixture.ts';
import { seenByPeople } from '../../src/core/verification/scope.ts';
import type { Store } from '../../src/store/port.ts';
import { ensurePartitions } from '../../src/store/postgres/schema/partitions.ts';
import { SCHEMA_OF_0_2 } from '../../src/store/shared/schema-files.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { startService } from '../service.ts';
import { attempt as attemptOf, DAY, HOUR, receipt, SECOND, SUBMITTED, withLimits } from './contract/rig.ts';
import { makeBefore, makeTablesBefore } from './postgres/before.ts';
import { lookAt, openNode } from './postgres/rig.ts';
import { embeddedFile } from './version-before/embedded.ts';
import facts from './version-before/facts.json' with { type: 'json' };

const keyring = new Keyring(facts.secret);
const RULES = withLimits({ sendsPerDestination: [{ max: 3, windowMs: HOUR }] });

/** The time in the id of a verification. */
const timeOf = (id: string): number => Number.parseInt(id.slice('ver_'.length).slice(0, 12), 16);

async function openEmbedded(t: TestContext): Promise<Store> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-before-'));
  await writeFile(join(dataDir, 'countersign.db'), embeddedFile());
  const store = await openSqliteStore({ dataDir, exclusive: true, ...RULES });
  t.after(async () => {
    await store.close();
    await rm(dataDir, { recursive: true });
  });
  return store;
}

let postgres: Postgres;
let original: string;
before(async () => {
  postgres = await startPostgres();
  original = await postgres.createDatabase();
  await makeTablesBefore(original);
  const client = new pg.Client({ connectionString: original });
  await client.connect();
  await ensurePartitions(client, [Math.floor(timeOf(facts.postgres.open.id) / DAY)]);
  const packed = await readFile(new URL('./version-before/postgres.json.gz', import.meta.url));
  const tables: Record<string, object[]> = JSON.parse(String(gunzipSync(packed)));
  for (const [table, rows] of Object.entries(tables)) {
    if (rows.length === 0) continue;
    await client.query(
      `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1) ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }
  await client.end();
});
after(() => postgres.dispose());

async function openShared(t: TestContext): Promise<Store> {
  const store = await openNode(await postgres.createDatabase(original), RULES);
  t.after(() => store.close());
  return store;
}

for (const [name, open, made] of [
  ['embedded', openEmbedded, facts.sqlite],
  ['shared', openShared, facts.postgres],
] as const) {
  suite(`the ${name} store of the version before`, () => {
    const { accountId, keyId } = made;
    const caller = { accountId, keyId, test: false };
    const now = timeOf(made.once.id) + SECOND;
    const begin = async (t: TestContext) => {
      const store = await open(t);
      const clock = { ...SYSTEM_CLOCK, now: () => now };
      const verifier = createVerifier({ clock, keyring, store });
      const ask = (destination: string, idempotencyKey?: string) =>
        verifier.request(caller, { destination, channel: 'sms', idempotencyKey });
      return { store, ask, confirm: (id: string, code: string) => verifier.confirm(caller, id, code) };
    };

    test('confirms what was sent, once', async (t) => {
      const { confirm } = await begin(t);
      const { id, code, destination } = made.open;
      assert.deepEqual(await confirm(id, 'none'), { kind: 'mismatch', attemptsRemaining: 4 });
      const confirmed = { kind: 'confirmed', id, destination, channel: 'sms', confirmedAt: now };
      assert.deepEqual(await confirm(id, code), confirmed);
      assert.deepEqual(await confirm(id, code), { kind: 'already-confirmed' });
    });

    test('knows what was confirmed, and the guesses that failed', async (t) => {
      const { confirm } = await begin(t);
      assert.deepEqual(await confirm(made.confirmed.id, made.confirmed.code), { kind: 'already-confirmed' });
      assert.deepEqual(await confirm(made.guessed.id, 'none'), { kind: 'mismatch', attemptsRemaining: 2 });
      assert.equal((await confirm(made.guessed.id, made.guessed.code)).kind, 'confirmed');
    });

    test('counts two sends of three', async (t) => {
      const { ask } = await begin(t);
      assert.equal((await ask(made.twice.destination)).kind, 'issued');
      assert.equal((await ask(made.twice.destination)).kind, 'limited');
    });

    test('knows an Idempotency-Key', async (t) => {
      const { ask } = await begin(t);
      const { id, destination } = made.once;
      assert.deepEqual(await ask(destination, 'key-1'), { kind: 'issued', id, destination, channel: 'sms' });
    });

    test('has its audit log in a chain, which goes on', async (t) => {
      const { store } = await begin(t);
      const chained = async () => {
        const verdict = await verifyAuditLog(store, accountId, Date.now());
        assert.ok(verdict.ok);
        return verdict.facts;
      };
      const { entries, last } = await chained();
      assert.ok(entries > 0);
      assert.equal((await readAuditLog(store, accountId)).entries.length, entries);
      const by = { name: 'Ada', address: null };
      const entry = { accountId, by, action: 'key.changed' as const, subject: '', detail: '', at: now };
      await store.transact([auditStep(store, entry)]);
      assert.deepEqual([(await chained()).entries, (await chained()).last.seq], [entries + 1, last.seq + 1]);
    });

    test('has counts that add up to the same by places, by keys, and by both', async (t) => {
      const { store } = await begin(t);
      const sums = async (by: TallyDimension[]) => {
        const tallies = await store.tally({ accountId, from: 0, to: now + 100 * DAY, by });
        return (['requested', 'submitted', 'confirmed', 'mismatched', 'cost'] as const).map((measure) =>
          tallies.reduce((sum, tally) => sum + tally[measure], 0),
        );
      };
      const assertEqual = async () => {
        const [requested = 0, ...others] = await sums(['country', 'carrier', 'key']);
        assert.ok(requested > 0);
        assert.deepEqual(await sums(['country', 'carrier']), [requested, ...others]);
        assert.deepEqual(await sums(['key']), [requested, ...others]);
      };
      await assertEqual();
      // Into hours, and into days.
      for (const later of [HOUR * 4, 70 * DAY]) {
        while (await store.purge(now + later));
        await assertEqual();
      }
    });

    test('is purged when its time is over', async (t) => {
      const { store, confirm } = await begin(t);
      assert.notEqual(await store.findArchived(seenByPeople(accountId), made.open.id, now), undefined);
      // A shared store drops whole days.
      const late = now + RULES.retention.verifications + DAY;
      while (await store.purge(late));
      assert.equal(await store.findArchived(seenByPeople(accountId), made.open.id, late), undefined);
      assert.deepEqual(await confirm(made.open.id, 'none'), { kind: 'unknown' });
    });
  });
}

suite('a key that was rotated in the version before', () => {
  const line = ['key_first', 'key_second', 'key_third'];
  /** As that version left them. One whose row is gone was the first of another line. */
  const rows = [
    ...line.map((id, n) => [id, line[n + 1] ?? null] as const),
    ...[['key_alone', null] as const, ['key_last', 'key_gone'] as const],
  ].map(([id, next]) => [id, `prefix ${id}`, `hash ${id}`, next] as const);
  const insert = (account: string, test: string) => `INSERT INTO api_key
    (id, account_id, name, test, prefix, hash, created_at, replaced_by)
    VALUES ($1, '${account}', 'shop', ${test}, $2, $3, 1, $4)`;
  const assertKnown = async (store: Store) => {
    const known = await Promise.all(rows.map(([, , hash]) => createKeys(store).findKey(hash)));
    assert.deepEqual(
      known.map((key) => key?.predecessors),
      [undefined, line.slice(0, 1), line.slice(0, 2), undefined, undefined],
    );
  };

  test('knows those that it came from, in an embedded store', async (t) => {
    const dataDir = await makeFolder(t);
    const db = new DatabaseSync(join(dataDir, 'countersign.db'));
    const statement = db.prepare(insert(facts.sqlite.accountId, '0').replaceAll(/\$(\d)/g, '?$1'));
    for (const row of rows) statement.run(...row);
    db.close();
    const store = await openSqliteStore({ dataDir, exclusive: true, ...RULES });
    t.after(() => store.close());
    await assertKnown(store);
  });

  test('knows those that it came from, in a shared store', async (t) => {
    const url = await postgres.createDatabase(original);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const row of rows) await client.query(insert(facts.postgres.accountId, 'false'), [...row]);
    await client.end();
    const store = await openNode(url, RULES);
    t.after(() => store.close());
    await assertKnown(store);
  });
});

test('what the embedded store of the version before had to send goes on', async (t) => {
  const dataDir = await makeFolder(t);
  const now = timeOf(facts.sqlite.once.id) + SECOND;
  const idOf = (number: number) =>
    `ver_${now.toString(16).padStart(12, '0')}7${`${number}`.padStart(19, '0')}`;
  const [waiting, leased, submitted, shown] = [1, 2, 3, 4].map(idOf) as [string, string, string, string];
  const ends = now + 600 * SECOND;
  const db = new DatabaseSync(join(dataDir, 'countersign.db'));
  const verification = db.prepare(`
    INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash, destination_sealed, code_mac,
      code_sealed, guesses_left, state, carrier, due_at, fence, rounds, inbox_at, created_at, expires_at)
    VALUES (?, ?, 'key', 1, 'sms', 'DE', 'hash', '2.sealed', 'mac', 'code of ' || ?, 5, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const { accountId } = facts.sqlite;
  const add = (id: string, state: string, carrier: string | null, ...queue: (number | null)[]) =>
    verification.run(id, accountId, id, state, carrier, ...queue, now, ends);
  add(waiting, 'queued', null, now + SECOND, 2, 1, null);
  add(leased, 'queued', null, now + 15 * SECOND, 0, 0, null);
  add(submitted, 'submitted', 'smsc', ends, 0, 0, null);
  add(shown, 'delivered', 'simulator', null, 0, 0, now);
  const attempt = db.prepare(`
    INSERT INTO attempt (verification_id, number, carrier, started_at, ended_at, outcome, reference, recipient_tag)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  attempt.run(waiting, 1, 'first', now, now, 'permanent', null, null);
  attempt.run(waiting, 2, 'second', now, now, 'temporary', null, null);
  attempt.run(submitted, 1, 'smsc', now, now, 'accepted', 'r1', 'tag');
  db.close();

  const store = await openSqliteStore({ dataDir, exclusive: true, ...RULES });
  t.after(() => store.close());
  const claim = async () =>
    (await store.claim(now + 2 * SECOND, now + 20 * SECOND, 10))
      .filter(({ createdAt }) => createdAt === now)
      .map(({ id, fence, rounds, codeSealed, spentCarriers }) => ({
        ...{ id, fence, rounds, spentCarriers },
        isItsCode: codeSealed === `code of ${id}`,
      }));
  assert.deepEqual(await claim(), [
    { id: waiting, fence: 3, rounds: 1, spentCarriers: ['first'], isItsCode: true },
    { id: leased, fence: 1, rounds: 0, spentCarriers: [], isItsCode: true },
  ]);
  const undelivered = receipt(now + SECOND, { carrier: 'smsc', references: ['r1'], status: 'undelivered' });
  assert.partialDeepStrictEqual(await store.receive(undelivered), { kind: 'applied', requeued: true });
  assert.deepEqual(await claim(), [
    { id: submitted, fence: 1, rounds: 0, spentCarriers: ['smsc'], isItsCode: true },
  ]);
  const taken = attemptOf(now + 3 * SECOND, { carrier: 'third' });
  await store.settle({ id: waiting, fence: 3, attempts: [taken], next: SUBMITTED, charged: [] });
  const found = await store.findArchived(seenByPeople(accountId), waiting, now + 4 * SECOND);
  assert.deepEqual(
    found?.attempts.map(({ carrier }) => carrier),
    ['first', 'second', 'third'],
  );
  assert.deepEqual([found?.verification.carrier, found?.verification.status], ['third', 'pending']);
  const messages = await store.list(seenByPeople(accountId), null, 10, now + SECOND);
  assert.equal(messages.find(({ id }) => id === shown)?.codeSealed, `code of ${shown}`);
});

async function makeFolder(t: TestContext): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-before-'));
  t.after(() => rm(dataDir, { recursive: true }));
  await writeFile(join(dataDir, 'countersign.db'), embeddedFile());
  return dataDir;
}

test('the service that takes over such a store counts what was sent before', async (t) => {
  const dataDir = await makeFolder(t);
  // For as long as there are such stores to test with.
  const config = { limits: { sendsPerDestination: ['3/3650d'] }, retention: { verifications: '3650d' } };
  await using service = await startService({ dataDir, config, env: { COUNTERSIGN_SECRET: facts.secret } });
  const { destination } = facts.sqlite.twice;
  const ask = async () => (await service.client.post('/verify', { destination, channel: 'sms' })).status;
  assert.deepEqual([await ask(), await ask()], [200, 429]);
});

suite('a store that version 0.1 served from last is refused, and left as it is', () => {
  const refused = /version 0\.1 sealed the newest verification .* start version 0\.2\.0 on it first/s;
  /** A code of six digits, as that version sealed it. */
  const sealed = 'aACMCzTeOqUnwResrY1.DvqNiherrgR7tSRbTDvlI-vhu_Bn2N';

  test('by a start of the service', async (t) => {
    const dataDir = await makeFolder(t);
    const file = join(dataDir, 'countersign.db');
    const db = new DatabaseSync(file);
    const newest = '(SELECT max(rowid) FROM verification)';
    db.prepare(`UPDATE verification SET destination_sealed = ? WHERE rowid = ${newest}`).run(sealed);
    db.close();
    const before = await readFile(file);
    const start = async () => {
      await using service = await startService({ dataDir, env: { COUNTERSIGN_SECRET: facts.secret } });
      await service.stop();
    };
    await assert.rejects(start, refused);
    assert.deepEqual(await readFile(file), before);
  });

  test('on a shared store', async () => {
    const url = await postgres.createDatabase();
    await makeBefore(url);
    const applied = () => lookAt(url, 'SELECT max(number) AS number FROM schema_migration');
    await lookAt(url, `UPDATE verification SET destination_sealed = '${sealed}'`);
    const start = async () => (await openNode(url)).close();
    await assert.rejects(start, refused);
    assert.deepEqual(await applied(), [{ number: SCHEMA_OF_0_2 }]);
  });
});
