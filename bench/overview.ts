/** The portal's overview of a year with ten million verifications: how soon it opens, and what it takes from `/verify`. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createOverview } from '../src/portal/overview.ts';
import type { Store } from '../src/store/port.ts';
import { openPostgresStore } from '../src/store/postgres/store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { startOwnPostgres } from '../test/postgres.ts';
import { LAX } from '../test/store/contract/rig.ts';
import { addressOf } from '../test/store/postgres/rig.ts';
import { median, medianRow, type Row, ratioRow, type Section } from './figures.ts';
import { drive } from './load.ts';
import type { Phones } from './phones.ts';
import { yearOfCounts } from './seed-year.ts';
import { startService } from './server.ts';
import { verifying } from './steps.ts';
import type { Rounds } from './throughput.ts';
import type { Workplace } from './workplace.ts';

const MOST_MS = 1_000;
const LEAST_OF_ALONE = 0.95;
const YEAR_MS = 365 * 86_400_000;
const ACCOUNT = `acc_${'0'.repeat(32)}`;
const WATCHER = fileURLToPath(new URL('./overview-service.ts', import.meta.url));
/** For the first look of the watcher, which adds the year up. */
const SETTLE_MS = 3_000;

export async function measureOverview(place: Workplace, phones: Phones, rounds: Rounds): Promise<Section> {
  return {
    title: 'overview of a year with ten million verifications',
    rows: [
      ...(await openEmbedded(place.folder('year'), rounds.rounds)),
      ...(await openShared(rounds.rounds)),
      await watchWhileVerifying(place, phones, rounds),
    ],
  };
}

async function openEmbedded(dataDir: string, times: number): Promise<Row[]> {
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  try {
    seedEmbedded(dataDir, ACCOUNT);
    return await timeOpening('embedded store', store, times);
  } finally {
    await store.close();
  }
}

async function openShared(times: number): Promise<Row[]> {
  const postgres = await startOwnPostgres(() => ['-c', 'shared_buffers=512MB']);
  try {
    const url = await postgres.createDatabase();
    const store = await openPostgresStore({ address: addressOf(url), ...LAX });
    try {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const statement of yearOfCounts(ACCOUNT, 'false', Date.now())) await client.query(statement);
      await client.query('VACUUM (ANALYZE) tally');
      await client.query('VACUUM (ANALYZE) latency_tally');
      await client.end();
      return await timeOpening('PostgreSQL', store, times);
    } finally {
      await store.close();
    }
  } finally {
    await postgres.dispose();
  }
}

/** Each time as the first to look, with nothing remembered; then once more, as a page that is open. */
async function timeOpening(name: string, store: Store, times: number): Promise<Row[]> {
  const [first, again]: [number[], number[]] = [[], []];
  const time = async (read: () => Promise<unknown>, into: number[]) => {
    const begun = performance.now();
    await read();
    into.push(performance.now() - begun);
  };
  for (let round = 0; round < times; round++) {
    const read = createOverview({ tallies: store, records: store, currency: 'EUR' });
    const now = Date.now();
    const look = async (at: number) => {
      const query = { from: new Date(at - YEAR_MS).toISOString(), to: new Date(at).toISOString() };
      const found = await read(ACCOUNT, query);
      if (!found.ok || found.overview.total.requested < 9_000_000) throw new Error('a year is missing');
    };
    await time(() => look(now), first);
    await sleep(1_100);
    await time(() => look(now), again);
  }
  const opening = medianRow(`${name}: first look`, first, 'ms');
  return [
    { ...opening, target: `< ${MOST_MS} ms`, met: median(first) < MOST_MS },
    medianRow(`${name}: each look after it`, again, 'ms'),
  ];
}

/** In pairs: with a page that looks every two seconds, and without. */
async function watchWhileVerifying(
  place: Workplace,
  phones: Phones,
  { rounds, seconds }: Rounds,
): Promise<Row> {
  const folder = place.folder('watched');
  await (await startService(place, phones, folder)).stop();
  const accountId = seedEmbedded(folder);
  const service = await startService(place, phones, folder);
  const load = async () => (await drive(service, { seconds }, verifying(phones, 'simulator'))).perSecond;
  await load();
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await load();
    const watcher = place.spawn([WATCHER, folder, accountId], {}, join(folder, 'watcher.log'));
    await sleep(SETTLE_MS);
    const watched = await load();
    await place.end(watcher);
    ratios.push(watched / alone);
  }
  await service.stop();
  return ratioRow('/verify with it open, part of without', ratios, LEAST_OF_ALONE);
}

/** Fills the store of a folder; for its own account when none is given. */
function seedEmbedded(folder: string, given?: string): string {
  const db = new DatabaseSync(join(folder, 'countersign.db'), { timeout: 5_000 });
  try {
    const accountId = given ?? String(db.prepare('SELECT account_id FROM api_key').get()?.account_id);
    for (const statement of yearOfCounts(accountId, '0', Date.now())) db.exec(statement);
    return accountId;
  } finally {
    db.close();
  }
}
