import { after, before } from 'node:test';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { describeStore } from '../contract.ts';
import { openNode, storesOf } from './rig.ts';

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

describeStore('PostgreSQL', (rules) => storesOf(rules, () => postgres.createDatabase(original)));
