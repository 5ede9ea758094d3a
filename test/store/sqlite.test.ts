import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { describeStore } from './contract.ts';

describeStore('SQLite', async (rules) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-store-'));
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
