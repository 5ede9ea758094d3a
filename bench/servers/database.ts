/** Compares the service on PostgreSQL with the embedded store, round by round; then again with a month of data. */
import pg from 'pg';
import { type OwnPostgres, startOwnPostgres } from '../../test/postgres.ts';
import { seedPostgres } from '../data/seed-postgres.ts';
import { format, latencyRow, median, medianRow, type Row, ratioRow, type Section } from '../figures.ts';
import { drive, type Load } from '../load.ts';
import type { Phones } from '../peers/phones.ts';
import { flowing } from '../steps.ts';
import { type Rounds, refusals } from '../throughput.ts';
import { readProcessMs } from './process-usage.ts';
import { type Server, startService } from './server.ts';
import type { Workplace } from './workplace.ts';

/** Statements for a whole flow at full load: verification, settlement and confirmation each share statements with others. */
const MOST_STATEMENTS = 0.2;
const LEAST_OF_FEW = 0.9;
const SECRET = 'c1f0a94e7d26b8835e0f47ad9261cb7f38d5e2906a4bf71c8d03965ae2b7f418';
/** Some of the month's days have expired by then and are deleted during the measurement. */
const RETENTION = '27d';

interface Shares {
  /** Statements of the service per flow; each is a transaction. */
  readonly statements: number;
  /** Processor time of the whole database per flow, in us. */
  readonly databaseMicros: number;
}

export async function measureDatabase(
  place: Workplace,
  embedded: Server,
  phones: Phones,
  { rounds, seconds }: Rounds,
  rows: number,
): Promise<Section[]> {
  // Durable, as in production, unlike the fixture of the tests.
  const postgres = await startOwnPostgres(() => ['-c', 'fsync=on', '-c', 'shared_buffers=512MB']);
  try {
    const [few, many] = [await postgres.createDatabase(), await postgres.createDatabase()];
    const service = await open('postgres', few, {});
    const filled = rows > 0 ? await openFilled(many) : undefined;
    for (const server of [service, filled]) {
      if (server !== undefined) await drive(server, { seconds: seconds * 2 }, flowing(phones, 'gateway'));
    }
    const sections = [await compareToEmbedded(service, few)];
    if (filled !== undefined) sections.push(await compareToFew(service, filled, many));
    await service.stop();
    await filled?.stop();
    return sections;
  } finally {
    await postgres.dispose();
  }

  /** Seeded between two starts, so that the first purge comes a minute after the second start, during the rounds. */
  async function openFilled(url: string): Promise<Server> {
    const first = await open('postgres-schema', url, {});
    await first.stop();
    await seedPostgres(url, rows);
    return open('postgres-filled', url, { retention: { verifications: RETENTION } });
  }

  function open(name: string, url: string, config: object): Promise<Server> {
    return startService(place, phones, place.folder(name), { store: { url }, secret: SECRET, ...config });
  }

  async function compareToEmbedded(service: Server, url: string): Promise<Section> {
    const [base, loads, shares] = [[] as Load[], [] as Load[], [] as Shares[]];
    for (let round = 0; round < rounds; round++) {
      base.push(await drive(embedded, { seconds }, flowing(phones, 'gateway')));
      const { load, share } = await watch(postgres, url, () =>
        drive(service, { seconds }, flowing(phones, 'gateway')),
      );
      loads.push(load);
      shares.push(share);
    }
    const statements = shares.map((share) => share.statements);
    const row: Row = medianRow('statements for a flow', statements, '', 3);
    return {
      title: 'whole flows through http on PostgreSQL (here on the cores of the service and the generator)',
      rows: [
        medianRow('part of those on the embedded store', ratios(loads, base), '', 2),
        medianRow(
          'flows',
          loads.map(({ perSecond }) => perSecond),
          '/s',
        ),
        medianRow(
          'processor, service',
          loads.map(({ cpuMicros }) => cpuMicros),
          'us each',
        ),
        medianRow(
          'processor, database',
          shares.map(({ databaseMicros }) => databaseMicros),
          'us each',
        ),
        { ...row, target: `< ${MOST_STATEMENTS}`, met: median(statements) < MOST_STATEMENTS },
        latencyRow(
          'both answers and the code',
          loads.flatMap(({ latencies }) => latencies),
        ),
        latencyRow(
          'the same on the embedded store',
          base.flatMap(({ latencies }) => latencies),
        ),
        ...refusals([...base, ...loads]),
      ],
    };
  }

  async function compareToFew(service: Server, filled: Server, url: string): Promise<Section> {
    const [base, loads] = [[] as Load[], [] as Load[]];
    const before = await countPartitions(url);
    for (let round = 0; round < rounds * 2; round++) {
      base.push(await drive(service, { seconds }, flowing(phones, 'gateway')));
      loads.push(await drive(filled, { seconds }, flowing(phones, 'gateway')));
    }
    const dropped = before - (await countPartitions(url));
    return {
      title: `${format(rows, 0)} verifications in PostgreSQL, ${dropped} partitions dropped meanwhile, as a part of few`,
      rows: [
        ratioRow('flows through http', ratios(loads, base), LEAST_OF_FEW),
        ...refusals([...base, ...loads]),
      ],
    };
  }
}

const ratios = (loads: readonly Load[], base: readonly Load[]) =>
  loads.map(({ perSecond }, round) => perSecond / (base[round]?.perSecond ?? Number.NaN));

async function watch(
  postgres: OwnPostgres,
  url: string,
  work: () => Promise<Load>,
): Promise<{ load: Load; share: Shares }> {
  const usage = async () => {
    const pids = await postgres.processes();
    return pids.reduce((sum, pid) => sum + readProcessMs(pid), 0);
  };
  const [statementsBefore, usageBefore] = [await countTransactions(url), await usage()];
  const load = await work();
  const [statementsAfter, usageAfter] = [await countTransactions(url), await usage()];
  const flows = load.latencies.length;
  return {
    load,
    share: {
      statements: (statementsAfter - statementsBefore) / flows,
      databaseMicros: ((usageAfter - usageBefore) * 1_000) / flows,
    },
  };
}

/** Backends report what they did with a delay of up to a second. */
const REPORT_MS = 1_200;

async function countTransactions(url: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REPORT_MS));
  return ask(
    url,
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
}

function countPartitions(url: string): Promise<number> {
  return ask(url, "SELECT count(*) FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE relkind = 'r'");
}

async function ask(url: string, question: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(question);
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}
