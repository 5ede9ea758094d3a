/** What docs/operations.md says of going back to the version before, which each store answers in its own way. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { backUp } from '../../src/store/sqlite/backup/backup.ts';
import { restore } from '../../src/store/sqlite/backup/restore.ts';
import { storeFile } from '../../src/store/sqlite/file/folder.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { startPostgres } from '../postgres.ts';
import { guessAt, issueOne, LAX } from './contract/rig.ts';
import { lookAt, openNode, openNodes } from './postgres/rig.ts';

suite('going back to the version before', () => {
  test('an embedded store needs the backup from before the upgrade, and what was saved since is lost', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-going-back-'));
    t.after(() => rm(folder, { recursive: true }));
    const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup.db')];
    const open = () => openSqliteStore({ dataDir, exclusive: true, ...LAX });
    const store = await open();
    const kept = await issueOne(store);
    await store.close();
    assert.equal((await backUp(dataDir, backup)).kind, 'made');

    const since = await open();
    const lost = await issueOne(since);
    await since.close();
    const newer = new DatabaseSync(storeFile(dataDir));
    newer.exec('PRAGMA user_version = 9999');
    newer.close();
    const asUpgraded = await readFile(storeFile(dataDir));
    await assert.rejects(
      open(),
      /written by a newer version \(schema 9999, this version knows \d+\); upgrade/,
    );
    assert.ok((await readFile(storeFile(dataDir))).equals(asUpgraded), 'it is left alone');

    // A store that this version cannot read is not replaced by it: it is put aside.
    const order = { from: backup, dataDir, replace: true, opens: () => true };
    assert.equal((await restore(order)).kind, 'not-kept');
    await rename(dataDir, join(folder, 'aside'));
    assert.equal((await restore(order)).kind, 'restored');
    const again = await open();
    assert.equal((await again.confirm(guessAt(kept, 'right'))).kind, 'confirmed');
    assert.equal((await again.confirm(guessAt(lost, 'right'))).kind, 'unknown');
    await again.close();
  });

  test('a PostgreSQL goes on, and what was ended stays ended for a node that knows no such state', async (t) => {
    const postgres = await startPostgres();
    t.after(() => postgres.dispose());
    const url = await postgres.createDatabase(postgres.schema);
    await (await openNode(url)).close();
    await lookAt(
      url,
      "INSERT INTO schema_migration (number, name) VALUES (999, '0999-of-a-newer-version.sql')",
    );
    const [node] = await openNodes(t, url, 1);
    assert.ok(node);
    const [canceled, open] = [await issueOne(node, { byNumber: true }), await issueOne(node)];
    const { id, accountId, test: isTest, createdAt } = canceled;
    assert.ok(await node.cancel({ id, accountId, test: isTest, now: createdAt + 1 }));
    assert.equal((await node.confirm(guessAt(open, 'right'))).kind, 'confirmed');
    // As the version before judges it: by times alone.
    const [row] = await lookAt<{ over: boolean }>(
      url,
      'SELECT expires_at <= created_at AS over FROM verification WHERE confirmed_at IS NULL',
    );
    assert.equal(row?.over, true);
  });
});
