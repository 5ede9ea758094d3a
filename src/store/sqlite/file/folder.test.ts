/** The data directory: who may open it, who may read it, and what of a code stays in it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { Progress } from '../../../core/reporting/progress.ts';
import type { NextStep } from '../../../core/sending/delivery.ts';
import { seenByPeople } from '../../../core/verification/scope.ts';
import type { NewVerification } from '../../../core/verification/verification.ts';
import { newVerification } from '../../../core/verification/verification-fixture.ts';
import type { Store } from '../../port.ts';
import { openSqliteStore } from '../store.ts';

const MINUTE = 60_000;
const RULES = {
  limits: { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] },
  retention: {
    events: 7 * 86_400_000,
    verifications: 30 * 86_400_000,
    simulatorMessages: 86_400_000,
    signals: 86_400_000,
    statistics: 1_095 * 86_400_000,
  },
};

/** Opens the folder in a process of its own, issues one verification, and stays. */
const OWNER = `
  import { openSqliteStore } from ${JSON.stringify(new URL('../store.ts', import.meta.url).href)};
  const store = await openSqliteStore(JSON.parse(process.env.OPTIONS));
  await store.issue(JSON.parse(process.env.VERIFICATION));
  console.log('ready');
  setInterval(() => {}, 60_000);
`;

/** Always the same one. */
const verification = (createdAt = Date.now()): NewVerification =>
  newVerification({
    ...{ id: 'ver_1', accountId: 'acc_1', codeMac: 'mac', codeSealed: 'the sealed code' },
    ...{ createdAt, leaseUntil: createdAt + MINUTE },
  });

suite('data directory', () => {
  let dataDir: string;
  let opened: Store[];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'countersign-folder-'));
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await rm(dataDir, { recursive: true });
  });

  async function open(exclusive = true, folder = dataDir): Promise<Store> {
    const store = await openSqliteStore({ dataDir: folder, exclusive, ...RULES });
    opened.push(store);
    return store;
  }

  function read<T>(ask: (db: DatabaseSync) => T): T {
    const db = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true });
    try {
      return ask(db);
    } finally {
      db.close();
    }
  }

  test('a second owner is refused with a message that says what to do', async () => {
    const first = await open();
    await assert.rejects(open(), /another process serves from .*; stop it, or set another dataDir/);
    await open(false);
    await first.close();
    await open();
  });

  test('the first opening hears of the migrations, and the next of none', async () => {
    const reports: Progress[] = [];
    const onProgress = (progress: Progress) => void reports.push(progress);
    for (let opening = 0; opening < 2; opening++) {
      await (await openSqliteStore({ dataDir, exclusive: true, ...RULES, onProgress })).close();
    }
    const [{ total, ...first } = {}, ...others] = reports;
    assert.deepEqual(first, { step: 'migrating the store', done: 0 });
    assert.equal(others.length + 1, total);
  });

  test('what a killed owner held is free at once, and its leases with it', async (t) => {
    const v = verification();
    const env = {
      ...process.env,
      OPTIONS: JSON.stringify({ dataDir, exclusive: true, ...RULES }),
      VERIFICATION: JSON.stringify(v),
    };
    const script = join(dataDir, 'owner.mjs');
    await writeFile(script, OWNER);
    const owner = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => owner.kill('SIGKILL'));
    const died = once(owner, 'exit').then(() => Promise.reject(new Error('the owner ended early')));
    died.catch(() => undefined);
    await Promise.race([once(owner.stdout, 'data'), died]);
    await assert.rejects(open(), /another process serves/);
    const gone = once(owner, 'exit');
    owner.kill('SIGKILL');
    await gone;
    const store = await open();
    const now = v.createdAt + 1;
    const claimed = await store.claim(now, now + MINUTE, 10);
    assert.deepEqual(
      claimed.map(({ id }) => id),
      [v.id],
    );
  });

  test('a lease longer than its code is taken over by the next owner as well', async () => {
    const v = { ...verification(), leaseUntil: Date.now() + 15 * MINUTE };
    const first = await open();
    await first.issue(v);
    await first.close();
    const second = await open();
    const now = v.createdAt + 1;
    assert.equal((await second.claim(now, now + MINUTE, 10)).length, 1, 'its code is still of use');
  });

  test('what waits for a receipt is not sent again by the next owner', async () => {
    const v = verification();
    const first = await open();
    await first.issue(v);
    await first.settle({
      id: v.id,
      fence: 0,
      attempts: [],
      next: { kind: 'submitted', failover: true },
      charged: [],
    });
    await first.close();
    const second = await open();
    assert.deepEqual(await second.claim(v.createdAt + 1, v.createdAt + MINUTE, 10), []);
  });

  test('one that opens beside the owner leaves its leases alone', async () => {
    const v = verification();
    await (await open()).issue(v);
    const beside = await open(false);
    assert.deepEqual(await beside.claim(v.createdAt + 1, v.createdAt + MINUTE, 10), []);
  });

  test('a schema of a newer version is refused and left alone', async () => {
    await (await open()).close();
    const file = join(dataDir, 'countersign.db');
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 9999');
    newer.close();
    await assert.rejects(open(), /written by a newer version .*upgrade the program/);
    assert.equal(
      read((db) => db.prepare('PRAGMA user_version').get()?.user_version),
      9999,
    );
  });

  test('a file that has lost its tables is refused and left alone', async () => {
    const file = join(dataDir, 'countersign.db');
    const lost = new DatabaseSync(file);
    // A page without anything, as SQLite leaves it when it only begins a database.
    lost.exec('PRAGMA journal_mode = WAL');
    lost.close();
    for (const exclusive of [true, false]) {
      await assert.rejects(open(exclusive), /countersign\.db is empty: .*countersign restore/);
    }
    assert.equal(
      read((db) => db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n),
      0,
    );
  });

  test('a folder that could not be opened is not locked', async () => {
    await mkdir(join(dataDir, 'countersign.db'));
    await assert.rejects(open());
    await rm(join(dataDir, 'countersign.db'), { recursive: true });
    await open();
  });

  test('nobody else can read the files', async () => {
    const folder = join(dataDir, 'made', 'by us');
    const store = await open(true, folder);
    await store.issue(verification());
    assert.equal((await stat(folder)).mode & 0o077, 0);
    for (const name of await readdir(folder)) {
      assert.equal((await stat(join(folder, name))).mode & 0o077, 0, name);
    }
  });

  const ends: readonly NextStep[] = [
    { kind: 'submitted', failover: false },
    { kind: 'delivered', inbox: false },
    { kind: 'failed' },
  ];
  for (const next of ends) {
    test(`the sealed code is erased when ${next.kind}`, async () => {
      const store = await open();
      await store.issue(verification());
      assert.equal(codes().length, 1);
      await store.settle({ id: 'ver_1', fence: 0, attempts: [], next, charged: [] });
      assert.deepEqual(codes(), []);
    });
  }

  test('the sealed code is erased when it was confirmed, or has expired', async () => {
    const store = await open();
    const v = verification();
    await store.issue(v);
    const { id, accountId, test: isTest, createdAt: now } = v;
    await store.confirm({ id, accountId, test: isTest, codeMac: 'mac', earlierCodeMacs: [], now });
    assert.deepEqual(codes(), []);
    await store.issue({ ...v, id: 'ver_2' });
    await store.claim(v.expiresAt, v.expiresAt + MINUTE, 10);
    assert.deepEqual(codes(), []);
  });

  const codes = () =>
    read((db) =>
      db.prepare('SELECT code_sealed FROM delivery UNION ALL SELECT code_sealed FROM inbox_message').all(),
    );

  test('a message of the simulator past its retention is erased, and its verification stays', async () => {
    const store = await open();
    const createdAt = Date.now() - 2 * 86_400_000;
    await store.issue(verification(createdAt));
    const attempt = {
      carrier: 'c',
      startedAt: createdAt,
      endedAt: createdAt,
      reference: null,
      recipientTag: null,
      choice: null,
      cost: 0,
    };
    await store.settle({
      id: 'ver_1',
      fence: 0,
      attempts: [{ ...attempt, channel: null, reason: null, outcome: 'delivered' }],
      charged: ['c'],
      next: { kind: 'delivered', inbox: true },
    });
    assert.equal((await store.list(seenByPeople('acc_1'), null, 10, createdAt)).length, 1);
    await store.purge(Date.now());
    assert.deepEqual(await store.list(seenByPeople('acc_1'), null, 10, createdAt), []);
    assert.deepEqual(codes(), []);
    assert.equal(
      read((db) => db.prepare('SELECT count(*) AS n FROM verification').get()?.n),
      1,
    );
  });

  test('a purge takes everything that belongs to a verification', async () => {
    const store = await open();
    const createdAt = Date.now() - 40 * 86_400_000;
    const idempotency = { keyHash: 'k', bodyHash: 'b' };
    await store.issue({ ...verification(createdAt), idempotency });
    const attempt = {
      carrier: 'c',
      reference: 'r',
      recipientTag: null,
      reason: null,
      choice: null,
      cost: 0,
    } as const;
    await store.settle({
      id: 'ver_1',
      fence: 0,
      attempts: [
        { ...attempt, channel: null, startedAt: createdAt, endedAt: createdAt, outcome: 'delivered' },
      ],
      charged: ['c'],
      next: { kind: 'delivered', inbox: true },
    });
    await store.purge(Date.now());
    for (const table of ['verification', 'delivery', 'attempt', 'inbox_message', 'idempotency']) {
      assert.equal(
        read((db) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n),
        0,
        table,
      );
    }
  });
});
