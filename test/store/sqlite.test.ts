import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Store } from '../../src/store/port.ts';
import { storeFile } from '../../src/store/sqlite/file/store-file.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { LAX } from './contract/rig.ts';
import { describeStore } from './contract.ts';

const makeFolder = () => mkdtemp(join(tmpdir(), 'countersign-store-'));

/** A store without anything in it, to copy: its migrations would take a third of most tests' time. */
const original = await makeFolder();
after(() => rm(original, { recursive: true }));
const made = await openSqliteStore({ dataDir: original, exclusive: true, ...LAX });
await made.close();

describeStore('SQLite', async (rules) => {
  const dataDir = await makeFolder();
  await copyFile(storeFile(original), storeFile(dataDir));
  const opened: Store[] = [];
  const open = async (exclusive: boolean) => {
    const store = await openSqliteStore({ dataDir, exclusive, ...rules });
    opened.push(store);
    return store;
  };
  const store = await open(true);
  return {
    store,
    async reopen() {
      await Promise.all(opened.splice(0).map((each) => each.close()));
      return open(true);
    },
    second: () => open(false),
    async dispose() {
      await Promise.all(opened.map((each) => each.close()));
      await rm(dataDir, { recursive: true });
    },
  };
});
