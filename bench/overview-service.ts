/**
 * An overview that is open: looks at a year of an account every two seconds, over the files of a running service. What the
 * service's own reading thread would do is done in this process; it takes the same from the machine.
 */
import { createOverview } from '../src/portal/overview.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { LAX } from '../test/store/contract/rig.ts';

const LOOK_MS = 2_000;
const YEAR_MS = 365 * 86_400_000;
const [, , dataDir = '', accountId = ''] = process.argv;

const store = await openSqliteStore({ dataDir, exclusive: false, ...LAX });
const read = createOverview({ tallies: store, records: store, currency: 'EUR' });
const look = () => {
  const now = Date.now();
  return read(accountId, { from: new Date(now - YEAR_MS).toISOString(), to: new Date(now).toISOString() });
};
await look();
setInterval(look, LOOK_MS);
