import { after, before } from 'node:test';
import type { Store } from '../../../src/store/port.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { describeStore } from '../contract.ts';
import { openNode } from './rig.ts';

let postgres: Postgres;
/** Its schema is made once and copied for each test. */
let original: string;
before(async () => {
  postgres = await startPostgres();
  original = await postgres.createDatabase();
  const store = await openNode(original);
  await store.close();
});
after(() => postgres.dispose());

describeStore('PostgreSQL', async (rules) => {
  const url = await postgres.createDatabase(original);
  const opened: Store[] = [];
  const open = async () => {
    const store = await openNode(url, rules);
    opened.push(store);
    return store;
  };
  const closeAll = () => Promise.all(opened.splice(0).map((each) => each.close()));
  const store = await open();
  return {
    store,
    async reopen() {
      await closeAll();
      return open();
    },
    second: open,
    dispose: async () => void (await closeAll()),
  };
});
