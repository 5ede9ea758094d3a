/** A backup holds all that the store held and nothing that it had erased; a restore puts it back, or changes nothing. */
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import {
  copyFile,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { Progress } from '../../src/core/reporting/progress.ts';
import type { NewVerification } from '../../src/core/verification/verification.ts';
import type { Store } from '../../src/store/port.ts';
import { SCHEMA_OF_0_2 } from '../../src/store/shared/schema-files.ts';
import { backUp } from '../../src/store/sqlite/backup/backup.ts';
import { appendChecksum } from '../../src/store/sqlite/backup/checksum.ts';
import { type RestoreOrder, restore } from '../../src/store/sqlite/backup/restore.ts';
import { storeFile } from '../../src/store/sqlite/file/folder.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { guessAt, LAX, newVerification } from './contract/rig.ts';

const FLIPS = 40;
const CHECKSUM_BYTES = 48;

suite('backup and restore', () => {
  let folder: string;
  let dataDir: string;
  let file: string;
  let opened: Store[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-backup-'));
    dataDir = join(folder, 'data');
    file = join(folder, 'backup.db');
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await rm(folder, { recursive: true });
  });

  async function open(at = dataDir, exclusive = true): Promise<Store> {
    const store = await openSqliteStore({ dataDir: at, exclusive, ...LAX });
    opened.push(store);
    return store;
  }

  /** A store with so many verifications, closed again. */
  async function fill(count: number, at = dataDir): Promise<NewVerification[]> {
    const store = await open(at);
    const verifications = Array.from({ length: count }, () => newVerification());
    await Promise.all(verifications.map((verification) => store.issue(verification)));
    await store.close();
    return verifications;
  }

  async function made(): Promise<string> {
    const outcome = await backUp(dataDir, file);
    assert.equal(outcome.kind, 'made');
    return file;
  }

  const restoring = (wanted: Partial<RestoreOrder> = {}) =>
    restore({ from: file, dataDir, replace: false, opens: () => true, ...wanted });

  /** Keeps what is reported. Where sizes are known, no more is ever done than there is. */
  function watch() {
    const reports: Progress[] = [];
    return {
      report: (progress: Progress) => void reports.push(progress),
      steps: () => {
        for (const { done = 0, total = 0 } of reports) assert.ok(done <= total, `${done} of ${total}`);
        const sums = reports.filter(({ step }) => step === 'adding up the checksum');
        assert.ok(sums.length > 0 && sums.at(-1)?.done === sums.at(-1)?.total);
        return [...new Set(reports.map(({ step }) => step))];
      },
    };
  }

  async function assertConfirms(store: Store, verifications: readonly NewVerification[]): Promise<void> {
    for (const verification of verifications) {
      assert.equal((await store.confirm(guessAt(verification, 'right'))).kind, 'confirmed');
    }
  }

  test('what was in the store confirms after a restore into a fresh folder', async () => {
    const store = await open();
    const verifications = Array.from({ length: 300 }, () => newVerification());
    await Promise.all(verifications.map((verification) => store.issue(verification)));
    const copying = watch();
    const outcome = await backUp(dataDir, file, copying.report);
    assert.ok(outcome.kind === 'made');
    assert.deepEqual(copying.steps(), ['copying the store', 'checking the copy', 'adding up the checksum']);
    assert.equal(outcome.contents.verifications, 300);
    assert.equal(outcome.contents.newest?.createdAt, verifications.at(-1)?.createdAt);
    await store.issue(newVerification());

    const fresh = join(folder, 'fresh');
    const placing = watch();
    const restored = await restoring({ dataDir: fresh, report: placing.report });
    assert.deepEqual(restored, { kind: 'restored', contents: outcome.contents, kept: undefined });
    assert.deepEqual(placing.steps(), [
      'adding up the checksum',
      'checking the backup',
      'putting the backup in place',
    ]);
    await assertConfirms(await open(fresh), verifications);
  });

  test('what is left of an erased verification is none of those that the file has', async () => {
    const store = await open();
    const [kept, erased] = [newVerification(), newVerification()];
    for (const verification of [kept, erased]) await store.issue(verification);
    const { id, destinationHash } = erased;
    const erasure = { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now: Date.now() };
    await store.transact([{ erase: erasure }]);
    const outcome = await backUp(dataDir, file);
    assert.ok(outcome.kind === 'made');
    assert.deepEqual([outcome.contents.verifications, outcome.contents.newest?.id], [1, kept.id]);
  });

  test('the file is one, private, and there whole or not at all', async () => {
    await fill(1);
    await made();
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ['backup.db', 'data']);
    using copy = new DatabaseSync(file, { readOnly: true });
    assert.equal(copy.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  });

  test('nothing is overwritten: not a file of that name, nor one that is being written', async () => {
    await fill(1);
    for (const path of [file, `${file}.part`]) {
      await writeFile(path, 'mine');
      assert.deepEqual(await backUp(dataDir, file), { kind: 'exists', path });
      assert.equal(await readFile(path, 'utf8'), 'mine');
      await rm(path);
    }
  });

  test('of two backups to one name, one is made and the other says why not', async () => {
    await fill(500);
    const kinds = await Promise.all(
      Array.from({ length: 4 }, async () => (await backUp(dataDir, file)).kind),
    );
    assert.deepEqual(kinds.toSorted(), ['exists', 'exists', 'exists', 'made']);
    assert.deepEqual(await readdir(folder), ['backup.db', 'data']);
    assert.equal((await restoring({ dataDir: join(folder, 'fresh') })).kind, 'restored');
  });

  test('where there is no store there is no backup', async () => {
    assert.deepEqual(await backUp(dataDir, file), { kind: 'absent' });
    assert.deepEqual(await readdir(folder), []);
  });

  test('a damaged store is not backed up', async () => {
    await fill(500);
    const bytes = await readFile(storeFile(dataDir));
    await writeFile(storeFile(dataDir), bytes.fill(0xff, 4096 * 8, 4096 * 30));
    assert.equal((await backUp(dataDir, file)).kind, 'damaged');
    await writeFile(storeFile(dataDir), randomBytes(8192));
    assert.equal((await backUp(dataDir, file)).kind, 'damaged');
    assert.deepEqual(await readdir(folder), ['data']);
  });

  test('a store of a newer version is not backed up', async () => {
    await fill(1);
    setSchema(storeFile(dataDir), 9999);
    const outcome = await backUp(dataDir, file);
    assert.equal(outcome.kind, 'newer');
  });

  test('a store that is there is left alone unless it may go, and is kept then', async () => {
    const first = await fill(20);
    await made();
    await rm(dataDir, { recursive: true });
    const second = await fill(20);
    assert.deepEqual(await restoring(), { kind: 'occupied' });
    assertHolds(second);

    const outcome = await restoring({ replace: true });
    assert.ok(outcome.kind === 'restored' && outcome.kept !== undefined);
    assert.match(outcome.kept, /\/countersign-\d{8}T\d{6}Z\.db$/);
    assert.equal((await stat(outcome.kept)).mode & 0o777, 0o600);
    assertHolds(first);
    const again = join(folder, 'again');
    assert.equal((await restoring({ from: outcome.kept, dataDir: again })).kind, 'restored');
    await assertConfirms(await open(again), second);
    await assertConfirms(await open(), first);
  });

  function assertHolds(verifications: readonly NewVerification[]): void {
    using db = new DatabaseSync(storeFile(dataDir), { readOnly: true });
    const ids = db.prepare('SELECT id FROM verification ORDER BY id').all();
    assert.deepEqual(
      ids.map(({ id }) => id),
      verifications.map(({ id }) => id).toSorted(),
    );
  }

  test('where a service runs nothing is restored', async () => {
    await fill(1);
    await made();
    const store = await open();
    assert.deepEqual(await restoring({ replace: true }), { kind: 'running' });
    await store.close();
    assert.equal((await restoring({ replace: true })).kind, 'restored');
  });

  test('while another command writes nothing is restored', async () => {
    const verifications = await fill(2);
    await made();
    using other = new DatabaseSync(storeFile(dataDir));
    other.exec('BEGIN IMMEDIATE');
    assert.deepEqual(await restoring({ replace: true }), { kind: 'busy' });
    other.exec('ROLLBACK');
    assertHolds(verifications);
  });

  test('a command that has the store open sees the restored one', async () => {
    const beside = await open(dataDir, false);
    await beside.issue(newVerification());
    await made();
    const later = newVerification();
    await beside.issue(later);
    assert.equal((await restoring({ replace: true })).kind, 'restored');
    assert.equal((await beside.confirm(guessAt(later, 'right'))).kind, 'unknown');
    await beside.issue(later);
    await beside.close();
    using db = new DatabaseSync(storeFile(dataDir), { readOnly: true });
    assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  });

  test('a log without its store is not mixed with another store', async () => {
    await fill(1);
    await made();
    await rm(storeFile(dataDir));
    await writeFile(`${storeFile(dataDir)}-wal`, 'a log');
    assert.deepEqual(await restoring(), { kind: 'stray-log', path: `${storeFile(dataDir)}-wal` });
    await writeFile(storeFile(dataDir), '');
    assert.deepEqual(await restoring(), { kind: 'stray-log', path: `${storeFile(dataDir)}-wal` });
    assert.equal(await readFile(`${storeFile(dataDir)}-wal`, 'utf8'), 'a log');
  });

  test('no backup is made of a store that has lost its content', async () => {
    await mkdir(dataDir);
    const empty = new DatabaseSync(storeFile(dataDir));
    empty.exec('PRAGMA journal_mode = WAL');
    empty.close();
    assert.deepEqual(await backUp(dataDir, file), { kind: 'empty' });
    await truncate(storeFile(dataDir));
    assert.deepEqual(await backUp(dataDir, file), { kind: 'empty' });
    assert.deepEqual(await readdir(folder), ['data']);
  });

  test('what a broken-off restore left behind is no store', async () => {
    await fill(1);
    await made();
    await rm(dataDir, { recursive: true });
    await mkdir(dataDir);
    await writeFile(storeFile(dataDir), '');
    assert.equal((await restoring()).kind, 'restored');
  });

  test('a store that cannot be kept is not replaced', async () => {
    await fill(1);
    await made();
    await writeFile(storeFile(dataDir), randomBytes(8192));
    const outcome = await restoring({ replace: true });
    assert.ok(outcome.kind === 'not-kept' && outcome.reason.kind === 'damaged');
  });

  test('a secret that does not open the backup is found out before anything is touched', async () => {
    const [verification] = await fill(1);
    await made();
    const seen: unknown[] = [];
    const opens: RestoreOrder['opens'] = (newest) => {
      seen.push(newest);
      return false;
    };
    const fresh = join(folder, 'fresh');
    assert.deepEqual(await restoring({ dataDir: fresh, opens }), { kind: 'wrong-secret' });
    const { id, createdAt, destinationSealed } = verification ?? newVerification();
    assert.deepEqual(seen, [{ id, createdAt, destinationSealed }]);
    assert.deepEqual(await readdir(folder), ['backup.db', 'data']);
  });

  suite('a file that cannot be relied on is refused', () => {
    test('whichever byte of it is another', async () => {
      await fill(50);
      const bytes = await readFile(await made());
      const { length } = bytes;
      const places = [
        0,
        17,
        length - 1,
        length - 40,
        ...Array.from({ length: FLIPS }, () => randomInt(length)),
      ];
      for (const place of places) {
        const damaged = Buffer.from(bytes);
        damaged.writeUInt8(damaged.readUInt8(place) ^ (1 << randomInt(8)), place);
        await writeFile(file, damaged);
        const { kind } = await restoring({ dataDir: join(folder, 'fresh') });
        assert.ok(kind === 'damaged' || kind === 'foreign', `${kind}: byte ${place} of ${length}`);
      }
    });

    test('when its end is missing, or it is empty', async () => {
      await fill(50);
      const { size } = await stat(await made());
      for (const length of [
        size - 1,
        size - CHECKSUM_BYTES,
        size - 4096,
        size - CHECKSUM_BYTES - 4096,
        4096,
        0,
      ]) {
        const cut = join(folder, `cut-${length}`);
        await copyFile(file, cut);
        await truncate(cut, length);
        const { kind } = await restoring({ from: cut, dataDir: join(folder, 'fresh') });
        assert.equal(kind, 'foreign', `${length} bytes of ${size}`);
      }
    });

    test('when it is of a newer version', async () => {
      await fill(1);
      const { size } = await stat(await made());
      await truncate(file, size - CHECKSUM_BYTES);
      setSchema(file, 9999);
      await using handle = await openFile(file, 'r+');
      await appendChecksum(handle);
      const outcome = await restoring({ dataDir: join(folder, 'fresh') });
      assert.ok(outcome.kind === 'newer' && outcome.schema === 9999);
    });

    test('when no service would start on it: it is of no release, or of version 0.1', async () => {
      await fill(1);
      const { size } = await stat(await made());
      for (const [change, why] of [
        [`PRAGMA user_version = ${SCHEMA_OF_0_2 + 1}`, /which only versions between releases had/],
        [
          `PRAGMA user_version = ${SCHEMA_OF_0_2}; UPDATE verification SET destination_sealed = 'old'`,
          /version 0\.1 sealed the newest/,
        ],
        [
          `PRAGMA user_version = ${SCHEMA_OF_0_2 - 1}; DELETE FROM attempt; DELETE FROM verification`,
          /version 0\.1 left/,
        ],
      ] as const) {
        await truncate(file, size - CHECKSUM_BYTES);
        {
          using db = new DatabaseSync(file);
          db.exec(change);
        }
        await using handle = await openFile(file, 'r+');
        await appendChecksum(handle);
        // Before anything else is told of it: a secret opens no seal of 0.1.
        const outcome = await restoring({ dataDir: join(folder, 'fresh'), opens: () => false });
        assert.equal(outcome.kind, 'refused');
        assert.match('why' in outcome ? outcome.why : '', why);
        assert.ok(!(await readdir(folder)).includes('fresh'));
      }
    });

    test('when it is a store, but no backup', async () => {
      await fill(1);
      assert.deepEqual(await restoring({ from: storeFile(dataDir), dataDir: join(folder, 'fresh') }), {
        kind: 'foreign',
      });
    });
  });
});

function setSchema(file: string, schema: number): void {
  using db = new DatabaseSync(file);
  db.exec(`PRAGMA user_version = ${schema}`);
}
