import { after, before } from 'node:test';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { describeStore } from '../contract.ts';
import { createEmptied } from './emptied.ts';
import { openNode, storesOf } from './rig.ts';

let postgres: Postgres;
let take: ReturnType<typeof createEmptied>;
before(async () => {
  postgres = await startPostgres();
  const original = await postgres.createDatabase(postgres.schema);
  const store = await openNode(original);
  await store.close();
  take = createEmptied(original, postgres.createDatabase);
});
after(() => postgres.dispose());

describeStore('PostgreSQL', async (rules) => {
  const { url, giveBack } = await take();
  return storesOf(rules, url, giveBack);
});
