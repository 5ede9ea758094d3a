/** Measures the service against the same server with an empty handler, in one run. `--help` says how. */
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { measureCompany } from './company.ts';
import { measureExchange } from './exchange.ts';
import { measureFailover } from './failover.ts';
import { format, renderSection, type Section } from './figures.ts';
import { measureFlows } from './flows.ts';
import { measureGrowth } from './growth.ts';
import { measureHandOver } from './handover.ts';
import { drive } from './load.ts';
import { measureOverview } from './overview.ts';
import { measureLooks, PAGES_ROWS } from './pages.ts';
import { measurePairs } from './pair.ts';
import { openPhones } from './peers/phones.ts';
import { checkOut } from './servers/checkout.ts';
import { measureDatabase } from './servers/database.ts';
import { readMemory } from './servers/process-usage.ts';
import { startBaseline, startService } from './servers/server.ts';
import { openWorkplace } from './servers/workplace.ts';
import { measureStarts } from './starts.ts';
import { verifying } from './steps.ts';
import { measureConfirm, measureVerify } from './throughput.ts';
import { measureWebhooks } from './webhooks.ts';

const HELP = `npm run bench -- [options]
  --quick          short rounds, for a look; the figures are worth little
  --only A,B       some of: start, exchange, verify, confirm, handover, failover, flows, memory, overview,
                   webhooks, database, growth; and company, pages and pair, which no run has that does not name them
  --against REV    the revision that pair compares this checkout with
  --rows N         verifications in the filled store, 10000000 by default (${PAGES_ROWS} for pages); 0 leaves that part out
  --pictures DIR   where pages keeps a picture of each page
COUNTERSIGN_BENCH_DIR  where the filled store is kept for the next run, and copied to (default: ${tmpdir()})`;

const PARTS = [
  'start',
  'exchange',
  'verify',
  'confirm',
  'handover',
  'failover',
  'flows',
  'memory',
  'overview',
  'webhooks',
  'database',
  'growth',
];
/** The first takes minutes and gigabytes, and a Chromium; the second a Chromium too; the third a revision. */
const ASKED_FOR = ['company', 'pages', 'pair'];
const MEMORY_TARGET = 250;
const QUICK = { rounds: 1, seconds: 2, starts: 1, pairs: 1 };
const FULL = { rounds: 10, seconds: 2, starts: 5, pairs: 8 };

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: PARTS.join() },
    rows: { type: 'string' },
    pictures: { type: 'string' },
    against: { type: 'string', default: 'HEAD' },
    help: { type: 'boolean', default: false },
  },
});
const parts = new Set(values.only.split(','));
const rows = Number(values.rows ?? 10_000_000);
if (values.help) {
  console.log(HELP);
} else if (!parts.isSubsetOf(new Set([...PARTS, ...ASKED_FOR])) || !Number.isInteger(rows) || rows < 0) {
  console.error(HELP);
  process.exitCode = 2;
} else {
  await run(parts, values.quick ? QUICK : FULL, rows);
}

async function run(parts: ReadonlySet<string>, extent: typeof FULL, rows: number): Promise<void> {
  console.log(describeMachine());
  const cache = process.env.COUNTERSIGN_BENCH_DIR ?? tmpdir();
  using place = openWorkplace(cache);
  if (parts.has('pair')) {
    const { against } = values;
    const pairs = { pairs: extent.pairs, seconds: extent.seconds * 2 };
    for await (const section of measurePairs(place, checkOut(against, cache), against, pairs)) show(section);
    if (parts.size === 1) return;
  }
  if (parts.has('start')) show(await measureStarts(place, extent.starts));

  if (parts.has('exchange')) show(await measureExchange(place, extent));

  using phones = await openPhones();
  if (parts.has('pages')) {
    const { pictures } = values;
    const pagesRows = values.rows === undefined ? PAGES_ROWS : rows;
    for await (const section of measureLooks(place, phones, { cache, rows: pagesRows, pictures }))
      show(section);
    if (parts.size === 1) return;
  }
  const folder = place.folder('service');
  const service = await startService(place, phones, folder);
  const bare = await startBaseline(place, service, 'bare');
  const hollow = await startBaseline(place, service, 'hollow');
  const contest = { ...extent, phones, service, bare, hollow };
  // Compiled and with warm caches, as after its first minute.
  for (const server of [bare, hollow, service]) {
    await drive(server, { seconds: extent.seconds }, verifying(phones, 'simulator'));
  }
  if (parts.has('verify')) show(await measureVerify(contest));
  if (parts.has('confirm')) show(await measureConfirm(contest));
  await bare.stop();
  await hollow.stop();
  if (parts.has('handover')) show(await measureHandOver(service, phones, extent.seconds * 2));
  if (parts.has('failover')) show(await measureFailover(place, phones));
  if (parts.has('flows')) show(await measureFlows(service, phones, extent));
  if (parts.has('memory')) show(describeMemory(service.pid));
  if (parts.has('overview')) show(await measureOverview(place, phones, extent));
  if (parts.has('webhooks')) show(await measureWebhooks(place, phones, extent));
  if (parts.has('database')) {
    for (const section of await measureDatabase(place, service, phones, extent, rows)) show(section);
  }
  if (parts.has('company')) {
    for await (const section of measureCompany(place, phones, extent, { cache, rows })) show(section);
  }
  if (parts.has('growth') && rows > 0) {
    show(await measureGrowth(place, service, phones, extent, { cache, rows }));
  }
  await service.stop();
}

function describeMachine(): string {
  const load = loadavg()[0] ?? 0;
  const line = `${availableParallelism()} cores, node ${process.version}, load average ${format(load, 2)}`;
  return load > 1
    ? `${line}\nWARNING: the machine is busy with something else; take none of this for a figure.\n`
    : `${line}\n`;
}

function describeMemory(pid: number): Section {
  const { now, peak } = readMemory(pid);
  const value = `${format(peak, 0)} MiB`;
  const note = `peak; ${format(now, 0)} MiB now`;
  const bound = { target: `< ${MEMORY_TARGET} MiB`, met: peak < MEMORY_TARGET };
  return { title: 'memory of the service', rows: [{ figure: 'resident', value, note, ...bound }] };
}

function show(section: Section): void {
  console.log(renderSection(section));
}
