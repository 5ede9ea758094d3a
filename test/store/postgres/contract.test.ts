import { lendDatabase } from '../../emptied-databases.ts';
import { describeStore } from '../contract.ts';
import { storesOf } from './rig.ts';

describeStore('PostgreSQL', async (rules) => {
  const { url, giveBack } = await lendDatabase();
  return storesOf(rules, url, giveBack);
});
