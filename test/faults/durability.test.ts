/**
 * A 200 is sent only after the commit is on disk. `kill -9` cannot show this, because the kernel keeps what was
 * written. Three things show it: the settings of the store's connection, which work everywhere; a disk whose power
 * fails (Linux, as root); and the order of the system calls (if strace is installed).
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import {
  type Answer,
  eventually,
  freshNumber,
  problemOf,
  type RequestOptions,
} from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { LAX } from '../store/contract/rig.ts';
import { mountDisk } from './power-cut.ts';

/** https://www.sqlite.org/pragma.html#pragma_synchronous: NORMAL, 1, would sync at checkpoints only. */
const FULL = 2;
const ROUNDS = 5;

test('the connection of the store syncs each commit', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-sync-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(() => store.close());
  // The thread's own connection answers: another one would have its own settings.
  const ask = ['journal_mode', 'synchronous', 'fullfsync'].map((name) => ({
    sql: `PRAGMA ${name}`,
    args: [],
  }));
  const answer = await store.transact(ask);
  assert.ok(answer.done);
  assert.deepEqual(
    answer.rows.flat().map((row) => ({ ...row })),
    [{ journal_mode: 'wal' }, { synchronous: FULL }, { fullfsync: 1 }],
  );
});

const disk = await mountDisk();
const UNPROVEN = 'NOT PROVEN HERE, that a 200 outlives a power failure:';

test('everything answered 200 is there after a power failure', {
  skip: disk === undefined && `${UNPROVEN} no ext4 can be mounted (Linux, as root)`,
}, async (t) => {
  assert.ok(disk);
  t.after(() => disk[Symbol.dispose]());
  await using service = await startService({ dataDir: join(disk.folder, 'data') });
  const rowsAfterCut = () =>
    whileFrozen(service, () =>
      disk.cutPower((folder) => {
        using db = new DatabaseSync(join(folder, 'data', 'countersign.db'));
        const rows = db.prepare('SELECT id, confirmed_at FROM verification').all();
        return new Map(rows.map((row) => [row.id, row.confirmed_at]));
      }),
    );
  for (let round = 0; round < ROUNDS; round++) {
    const to = freshNumber();
    const { status, json } = await service.client.verify(to);
    const issued = await rowsAfterCut();
    assert.equal(status, 200);
    assert.ok(issued.has(json.id ?? ''), `verification ${round} is lost`);
    const { code } = await service.client.message(to, json.id ?? '');
    const confirmation = await service.client.confirm(json.id ?? '', code);
    const confirmed = await rowsAfterCut();
    assert.equal(confirmation.status, 200);
    assert.notEqual(confirmed.get(json.id ?? ''), null, `confirmation ${round} is lost`);
  }
});

/** Stops the service in all its threads, so that nothing more is written after the answer that was just received. */
async function whileFrozen<T>({ pid }: Service, look: () => T): Promise<T> {
  process.kill(pid, 'SIGSTOP');
  try {
    const frozen = await eventually(
      async () => (await states(pid)).every((state) => state === 'T') || undefined,
    );
    assert.ok(frozen, 'the service was not stopped');
    return look();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** The state of each thread: the letter after its name in proc_pid_stat(5). */
async function states(pid: number): Promise<(string | undefined)[]> {
  const tasks = `/proc/${pid}/task`;
  const stats = (await readdir(tasks)).map((task) => readFile(join(tasks, task, 'stat'), 'utf8'));
  return (await Promise.all(stats)).map((stat) => /\) (\S)/.exec(stat)?.[1]);
}

const REQUESTS = 10;
/** Long enough for a delivery to settle, so that the next commit belongs to the next request. */
const QUIET_MS = 300;

// A container may have strace but not be allowed to trace.
const canTrace = process.platform === 'linux' && spawnSync('strace', ['-f', 'true']).status === 0;

/** A finished sync of the write-ahead log, and the start of a write to a socket; standard output (1, 2) is one too. */
const SYNCED = /\bf(?:data)?sync\(\d+<[^>]*-wal>\)\s+= 0|<\.\.\. f(?:data)?sync resumed>\)\s+= 0/;
const SENT = /\b(?:write|writev|sendto|sendmsg)\((?![12]<)\d+<(?:socket|TCP)/;

/** Asks without asking again: the answer that is traced is that of the one request. */
async function traced(trace: string, ask: (once: RequestOptions) => Promise<Answer>): Promise<string[]> {
  await sleep(QUIET_MS);
  const start = (await readFile(trace, 'utf8')).length;
  const answer = await ask({ askAgain: false });
  // A machine that tests share may hold a service up past what it calls overload: then nothing was done.
  if (problemOf(answer) === 'overloaded') return traced(trace, ask);
  assert.equal(answer.status, 200);
  const lines = await eventually(async () => {
    const lines = (await readFile(trace, 'utf8')).slice(start).split('\n');
    return lines.some((line) => SENT.test(line)) ? lines : undefined;
  });
  assert.ok(lines !== undefined, 'the answer was traced');
  return lines;
}

function assertSyncedBeforeSent(lines: readonly string[]): void {
  const synced = lines.findIndex((line) => SYNCED.test(line));
  const sent = lines.findIndex((line) => SENT.test(line));
  const excerpt = lines.slice(0, sent + 1).join('\n');
  assert.ok(synced >= 0 && synced < sent, `the answer left before the sync:\n${excerpt}`);
}

test('the write-ahead log is synced before the answer is sent', {
  skip: !canTrace && `${UNPROVEN} strace is not there, or may not trace`,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-trace-'));
  const trace = join(folder, 'trace');
  const calls = 'trace=fsync,fdatasync,write,writev,sendto,sendmsg';
  try {
    await using service = await startService({
      // -D keeps the service as the direct child, so that signals and exit codes are its own.
      wrap: ['strace', '-D', '-f', '-y', '-s', '16', '-o', trace, '-e', calls],
    });
    const { client } = service;
    // The handshake is over before anything is traced.
    await client.get('/healthz');
    for (let i = 0; i < REQUESTS; i++) {
      const destination = freshNumber();
      let id = '';
      assertSyncedBeforeSent(
        await traced(trace, async (once) => {
          const answer = await client.verify(destination, 'sms', once);
          id = answer.json.id ?? '';
          return answer;
        }),
      );
      const { code } = await client.message(destination, id);
      assertSyncedBeforeSent(await traced(trace, (once) => client.confirm(id, code, once)));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
