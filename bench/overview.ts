/** The portal's overview of a year with ten million verifications: how fast it opens, and how much it slows down `/verify`. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Overview } from '../src/portal/overview/contract.ts';
import { startOwnPostgres } from '../test/postgres.ts';
import { yearOfCounts } from './data/seed-year.ts';
import { median, medianRow, type Row, ratioRow, type Section } from './figures.ts';
import { drive } from './load.ts';
import type { Phones } from './peers/phones.ts';
import { Browser } from './servers/browser.ts';
import { startService } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';
import { verifying } from './steps.ts';
import type { Rounds } from './throughput.ts';

const MOST_MS = 400;
const LEAST_OF_ALONE = 0.95;
const DAY_MS = 86_400_000;
const LEAST_OF_YEAR = 9_000_000;
/** What the page requests while it shows the last day. */
const LOOK_MS = 2_000;
const CARRIERS_MS = 5_000;
/** How long the service repeats its last answer. */
const REMEMBERED_MS = 1_100;
/** Pairs for each round of the other parts: a look every two seconds costs little, and a round is noisy. */
const PAIRS = 2;
const SECRET = 'c1f0a94e7d26b8835e0f47ad9261cb7f38d5e2906a4bf71c8d03965ae2b7f418';

type Open = () => ReturnType<typeof startService>;
/** Fills the store with a year for the account of its key, and returns the account. */
type Seed = () => Promise<string>;

export async function measureOverview(place: Workplace, phones: Phones, rounds: Rounds): Promise<Section> {
  const folder = place.folder('year');
  const open = (config: object = {}, name = folder) => startService(place, phones, name, config);
  const postgres = await startOwnPostgres(() => ['-c', 'shared_buffers=512MB']);
  try {
    const url = await postgres.createDatabase();
    const shared = () => open({ store: { url }, secret: SECRET }, place.folder('year-shared'));
    return {
      title: 'overview of a year with ten million verifications, over HTTPS',
      rows: [
        ...(await timeOpening('embedded store', open, () => seedEmbedded(folder), rounds.rounds)),
        ...(await timeOpening('PostgreSQL', shared, () => seedShared(url), rounds.rounds)),
        await watchWhileVerifying(place.folder('watched'), open, phones, rounds),
      ],
    };
  } finally {
    await postgres.dispose();
  }
}

/** Each time as the first request to a service that has just started; then again, as an open page. */
async function timeOpening(name: string, open: Open, seed: Seed, times: number): Promise<Row[]> {
  const made = await open();
  using owner = await Browser.setUp(made.target, made.folder);
  await made.stop();
  const accountId = await seed();
  const [first, again]: [number[], number[]] = [[], []];
  for (let round = 0; round < times; round++) {
    const service = await open();
    using browser = owner.at(service.target);
    // The page itself has loaded, so the connection exists.
    await browser.read('/me');
    const look = async (into: number[]) => {
      const begun = performance.now();
      const answer = await browser.read(overviewOf(accountId, 365 * DAY_MS));
      into.push(performance.now() - begun);
      const { total }: Overview = JSON.parse(answer);
      if ((total.requested ?? 0) < LEAST_OF_YEAR) throw new Error('a year is missing');
    };
    await look(first);
    await sleep(REMEMBERED_MS);
    await look(again);
    await service.stop();
  }
  const opening = medianRow(`${name}: first look after a start`, first, 'ms');
  return [
    { ...opening, target: `< ${MOST_MS} ms`, met: median(first) < MOST_MS },
    medianRow(`${name}: the next look`, again, 'ms'),
  ];
}

/** In pairs of alternating order: with and without a page open on the last day. */
async function watchWhileVerifying(
  folder: string,
  open: (config: object, folder: string) => ReturnType<typeof startService>,
  phones: Phones,
  { rounds, seconds }: Rounds,
): Promise<Row> {
  const first = await open({}, folder);
  using owner = await Browser.setUp(first.target, folder);
  await first.stop();
  const accountId = await seedEmbedded(folder);
  const service = await open({}, folder);
  using browser = owner.at(service.target);
  const alone = async () => (await drive(service, { seconds }, verifying(phones, 'simulator'))).perSecond;
  const watched = async () => {
    const page = openPage(browser, accountId);
    try {
      return await alone();
    } finally {
      await page.close();
    }
  };
  await alone();
  await watched();
  const ratios: number[] = [];
  for (let pair = 0; pair < rounds * PAIRS; pair++) {
    if (pair % 2 === 0) {
      const without = await alone();
      ratios.push((await watched()) / without);
    } else {
      const withIt = await watched();
      ratios.push(withIt / (await alone()));
    }
  }
  await service.stop();
  return ratioRow('/verify with the last day open, part of without', ratios, LEAST_OF_ALONE);
}

/** Requests what the page does until it is closed. A failed request fails the measurement. */
function openPage(browser: Browser, accountId: string): { close(): Promise<void> } {
  const looks: Promise<string>[] = [];
  const look = () => {
    for (const part of ['/total', '/parts']) looks.push(browser.read(overviewOf(accountId, DAY_MS, part)));
  };
  const lookAtCarriers = () => looks.push(browser.read(`/accounts/${accountId}/carriers`));
  look();
  lookAtCarriers();
  const timers = [setInterval(look, LOOK_MS), setInterval(lookAtCarriers, CARRIERS_MS)];
  return {
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(looks);
    },
  };
}

function overviewOf(accountId: string, spanMs: number, part = ''): string {
  const now = Date.now();
  const [from, to] = [now - spanMs, now].map((at) => new Date(at).toISOString());
  return `/accounts/${accountId}/overview${part}?from=${from}&to=${to}`;
}

async function seedEmbedded(folder: string): Promise<string> {
  using db = new DatabaseSync(join(folder, 'countersign.db'), { timeout: 5_000 });
  const accountId = String(db.prepare('SELECT account_id FROM api_key').get()?.account_id);
  for (const statement of yearOfCounts(accountId, '0', Date.now())) db.exec(statement);
  return accountId;
}

async function seedShared(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ account_id: string }>('SELECT account_id FROM api_key LIMIT 1');
    const accountId = rows[0]?.account_id ?? '';
    for (const statement of yearOfCounts(accountId, 'false', Date.now())) await client.query(statement);
    // As autovacuum leaves them.
    const sums = ['tally_day', 'tally_keyless_hour', 'tally_keyless_day', 'tally_key_day'];
    for (const table of ['tally', 'latency_tally', 'latency_tally_day', ...sums]) {
      await client.query(`VACUUM (ANALYZE) ${table}`);
    }
    return accountId;
  } finally {
    await client.end();
  }
}
