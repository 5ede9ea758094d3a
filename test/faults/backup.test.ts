/**
 * Backups at bad moments: under load, killed, interrupted, on a full disk. Everything answered 200 before a backup
 * began is in it, and an incomplete file never gets the requested name.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorkplace, type Workplace } from '../../src/cli/fixture.ts';
import { createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { makeKey } from '../make-key.ts';
import { type Service, startService } from '../service.ts';
import { canMount, fillDisk, mountSmallDisk } from './small-disk.ts';

const CONFIG = { limits: { requestsPerKey: [] } };
const CLIENTS = 12;
const BEFORE = 400;
const KILLS = 5;
const FILLER_MIB = 48;

interface Answered {
  readonly id: string;
  readonly destination: string;
}

/** Verifications one after another on several connections, until told to stop. */
function load(service: Service) {
  const client = createClient(service);
  const answered: Answered[] = [];
  const refused: string[] = [];
  let stopped = false;
  const work = async () => {
    while (!stopped) {
      const destination = freshNumber();
      const { status, json, text } = await client.verify(destination);
      if (status === 200) answered.push({ id: json.id ?? '', destination });
      else refused.push(text);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, work));
  return {
    answered,
    refused,
    async stop() {
      stopped = true;
      await clients;
      client.close();
    },
  };
}

async function assertConfirms({ client }: Service, answered: readonly Answered[]): Promise<void> {
  const rest = [...answered];
  const check = async () => {
    for (let each = rest.pop(); each !== undefined; each = rest.pop()) {
      const { code } = await client.message(each.destination, each.id);
      const { status, text } = await client.confirm(each.id, code);
      assert.equal(status, 200, `${each.id}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, check));
}

test('a backup under load holds every id answered before it began', async (t) => {
  using place = createWorkplace();
  const file = join(place.folder, 'backup.db');
  const dataDir = join(place.folder, 'data');
  const restore = (...more: string[]) =>
    place.run(['restore', '--from', file, ...more], { COUNTERSIGN_DATA_DIR: dataDir });
  let before: readonly Answered[];
  {
    await using service = await startService({ config: CONFIG });
    const loaded = load(service);
    await eventually(async () => (loaded.answered.length >= BEFORE ? true : undefined), 60_000);
    before = [...loaded.answered];
    const output = await service.command('backup', '--to', file);
    const during = loaded.answered.length - before.length;
    await loaded.stop();
    t.diagnostic(`${before.length} answered before the backup, ${during} while it was made`);
    assert.ok(before.length >= BEFORE && during > 0);
    assert.deepEqual(loaded.refused, [], 'nobody was turned away');
    assert.match(output, /^backed up to .*: \d+ verifications, the newest from 2\d{3}-.*Z; \d+\.\d MiB\n/);
    assert.match(output, new RegExp(`Also keep, in another place: .*${service.dataDir}/secret`));

    assert.match((await restore()).stderr, /written with a different secret; .*data\/secret\n$/);
    mkdirSync(dataDir, { recursive: true });
    await copyFile(join(service.dataDir, 'secret'), join(dataDir, 'secret'));
  }
  const restored = await restore();
  assert.equal(restored.status, 0);
  assert.match(restored.stderr, /^store: .*\n$/);
  for (const forgotten of [/do-not-send/, /keys revoked/, /removed/, /rules/, /erased/, /audit verify/]) {
    assert.match(restored.stdout, forgotten);
  }
  await using again = await startService({ config: CONFIG, dataDir });
  await assertConfirms(again, before);

  const refused = await restore('--replace');
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /^store: .*\ncountersign: a service is running in .*; stop it, or set another dataDir\n$/,
  );
});

/** A store large enough that copying it takes a while. */
async function fillStore(place: Workplace): Promise<void> {
  await place.makeStore();
  using db = new DatabaseSync(join(place.folder, 'data', 'countersign.db'));
  db.exec(`
    CREATE TABLE filler (bytes BLOB);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FILLER_MIB})
    INSERT INTO filler SELECT randomblob(1048576) FROM n`);
}

const CLI = new URL('../../bin/countersign.js', import.meta.url).pathname;

interface Run {
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Exit code and signal. */
  readonly gone: Promise<readonly unknown[]>;
  readonly isGone: () => boolean;
}

function start(place: Workplace, ...args: string[]): Run {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: place.folder,
    env: { PATH: process.env.PATH },
    stdio: 'ignore',
  });
  return {
    kill: (signal) => child.kill(signal),
    gone: once(child, 'close'),
    isGone: () => child.exitCode !== null,
  };
}

/** Looks often: what has begun may soon be over, on a busy machine before anybody has looked. */
async function begins({ isGone }: Run, hasBegun: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!hasBegun() && !isGone()) {
    assert.ok(Date.now() < end, `in vain: ${hasBegun}`);
    await sleep(5);
  }
}

/** A backup that has begun to write. */
async function startBackup(place: Workplace, file: string): Promise<Run> {
  const run = start(place, 'backup', '--to', file);
  await begins(run, () => existsSync(`${file}.part`));
  return run;
}

suite('a store that takes a while to copy', { concurrency: false }, () => {
  let place: Workplace;
  before(async () => {
    place = createWorkplace();
    await fillStore(place);
  });
  after(() => place[Symbol.dispose]());

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`a backup that ends by ${signal} leaves nothing`, async () => {
      const file = join(place.folder, 'backup.db');
      const interrupt = async () => {
        const run = await startBackup(place, file);
        run.kill(signal);
        return run.gone;
      };
      let ended = await interrupt();
      // One that was done before the signal came leaves its file.
      for (let again = 0; again < 10 && existsSync(file); again++) {
        rmSync(file);
        ended = await interrupt();
      }
      assert.deepEqual(ended, [null, signal]);
      assert.deepEqual(readdirSync(place.folder), ['data']);
    });
  }

  test('a killed backup leaves no incomplete file under its name', async () => {
    const restore = async (file: string, round: number) => {
      const restored = await place.run(['restore', '--from', file], {
        COUNTERSIGN_DATA_DIR: `restored-${round}`,
      });
      assert.equal(restored.status, 0);
      assert.match(restored.stderr, /^store: .*\n$/);
    };
    let killed: string | undefined;
    for (let round = 0; round < KILLS; round++) {
      const file = join(place.folder, `${round}.db`);
      const run = await startBackup(place, file);
      await sleep(round * 40);
      run.kill('SIGKILL');
      await run.gone;
      if (existsSync(file)) await restore(file, round);
      else killed ??= file;
    }
    assert.ok(killed !== undefined, 'some were killed in time');
    const again = await place.run(['backup', '--to', killed]);
    assert.match(
      again.stderr,
      /\.part exists: a backup is running or was killed; remove the file if none is running\n$/,
    );
    rmSync(`${killed}.part`);
    assert.equal((await place.run(['backup', '--to', killed])).status, 0);
    await restore(killed, KILLS);
  });

  test('a killed restore leaves the old store or the new one', async () => {
    const file = join(place.folder, 'backup.db');
    assert.equal((await place.run(['backup', '--to', file])).status, 0);
    await makeKey({ COUNTERSIGN_DATA_DIR: join(place.folder, 'data') }, 'zebra', {});
    const dataDir = join(place.folder, 'data');
    let killed = 0;
    // One that was done before the signal came was not killed.
    for (let round = 0; round < KILLS || (killed === 0 && round < 10 * KILLS); round++) {
      const kept = readdirSync(dataDir).length;
      const run = start(place, 'restore', '--from', file, '--replace');
      await begins(run, () => readdirSync(dataDir).length > kept);
      await sleep(round < KILLS ? randomInt(600) : 0);
      run.kill('SIGKILL');
      const [, signal] = await run.gone;
      if (signal === 'SIGKILL') killed += 1;
      using db = new DatabaseSync(join(dataDir, 'countersign.db'));
      assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
      const names = db.prepare('SELECT name FROM api_key ORDER BY name').all();
      assert.match(names.map(({ name }) => name).join(), /^some(,zebra)?$/);
      for (const name of readdirSync(dataDir)) {
        if (/^countersign-/.test(name)) rmSync(join(dataDir, name));
      }
    }
    assert.ok(killed > 0, 'some were killed in time');
  });
});

if (canMount()) {
  test('a nearly full disk is not filled up: the service needs the space', async () => {
    using disk = mountSmallDisk();
    using place = createWorkplace();
    const dataDir = join(disk.folder, 'data');
    const run = (...args: string[]) => place.run(args, { COUNTERSIGN_DATA_DIR: dataDir });
    await makeKey({ COUNTERSIGN_DATA_DIR: dataDir }, 'some', {});
    const refused = await run('backup', '--to', join(disk.folder, 'backup.db'));
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(
      refused.stderr,
      /the disk has \d\.\d MiB free, but the backup needs 256\.\d MiB; free some space, or .*\n$/,
    );
    assert.deepEqual(readdirSync(disk.folder), ['data']);
    assert.equal(
      (await run('backup', '--to', join(place.folder, 'backup.db'))).status,
      0,
      'another disk will do',
    );
  });

  test('a restore on a full disk leaves no empty store', async () => {
    using disk = mountSmallDisk();
    using place = createWorkplace();
    await place.makeStore();
    assert.equal((await place.run(['backup', '--to', 'backup.db'])).status, 0);
    const dataDir = join(disk.folder, 'data');
    mkdirSync(dataDir);
    const filler = join(disk.folder, 'filler');
    await fillDisk(filler);
    // Room for the lock, and for a beginning.
    truncateSync(filler, statSync(filler).size - 65_536);
    const refused = await place.run(['restore', '--from', 'backup.db'], { COUNTERSIGN_DATA_DIR: dataDir });
    assert.match(refused.stderr, /could not be written .* and is unchanged/);
    assert.deepEqual(readdirSync(dataDir), ['serve.lock']);
  });
}

if (process.platform !== 'win32') {
  test('a copy that cannot grow is removed', async () => {
    using place = createWorkplace();
    await place.makeStore();
    const folder = mkdtempSync(join(tmpdir(), 'countersign-backup-'));
    try {
      // In blocks of 512 bytes; SIGXFSZ is ignored by Node, so the write fails as on a full disk.
      const command = ['ulimit -f 128; exec "$@"', 'sh', process.execPath, CLI, 'backup', '--to'];
      const { status, stderr } = spawnSync('sh', ['-c', ...command, join(folder, 'backup.db')], {
        cwd: place.folder,
        encoding: 'utf8',
      });
      assert.equal(status, 1);
      assert.match(
        stderr,
        /^store: .*\ncountersign: the copy could not be written \(.*\) and was removed; .*\n$/,
      );
      assert.deepEqual(readdirSync(folder), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
