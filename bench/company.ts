/**
 * The portal of a company that has sent ten million codes in a year, over thirty carriers, with five hundred keys and two hundred
 * members: how fast each page opens in Chromium, and how much all of them together slow down `/verify`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { launchChromium } from '../test/browser/rig/chromium.ts';
import { type Company, openCompany, type Retention } from './company/folder.ts';
import { type Asked, findPages, type Pages, recordPages, timePage } from './company/pages.ts';
import type { Portal, Shown } from './company/window.ts';
import { format, median, type Row, ratioRow, type Section } from './figures.ts';
import { drive } from './load.ts';
import type { Phones } from './peers/phones.ts';
import { Browser } from './servers/browser.ts';
import { type Server, startService } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';
import { verifying } from './steps.ts';
import { type Rounds, refusals } from './throughput.ts';

const MOST_MS = 1_000;
const LEAST_OF_ALONE = 0.95;
const LOOKS = 5;
/** The longest pause between two questions of a page, twice. */
const RECORDED_MS = 30_000;
/** Long enough that each page has asked. */
const WINDOW_MS = 15_000;

/** What a new installation keeps, and all of a year. */
const RETENTIONS: readonly Retention[] = [
  { verifications: 30, events: 7 },
  { verifications: 400, events: 400 },
];

export async function* measureCompany(
  place: Workplace,
  phones: Phones,
  { rounds }: Rounds,
  { cache, rows }: { readonly cache: string; readonly rows: number },
): AsyncGenerator<Section> {
  const start = (folder: string, config: object) => startService(place, phones, folder, config);
  for (const retention of RETENTIONS) {
    const company = await openCompany(cache, rows, retention, phones, start);
    const service = await start(company.folder, company.config);
    const title = `a company's year with ${format(rows, 0)} verifications, kept for ${retention.verifications} days`;
    const asked = yield* measurePages(title, service, company);
    yield {
      title: `${title}: with all its pages open`,
      rows: await watch(service, company, asked, phones, rounds),
    };
    await service.stop();
  }
}

async function* measurePages(
  title: string,
  service: Server,
  company: Company,
): AsyncGenerator<Section, Asked[]> {
  const chromium = await launchChromium();
  try {
    const { cookie, accountId } = company;
    const portal: Portal = {
      ...{ chromium, cookie, accountId },
      baseUrl: `https://localhost:${service.target.port}`,
    };
    const pages = await findPages(portal);
    yield { title: `${title}: a cold page`, rows: await timePages(portal, pages) };
    return await recordPages(portal, pages, RECORDED_MS);
  } finally {
    await chromium.close();
  }
}

/** Once each to warm the service up, then in rounds, so that a slow moment of the machine does not hit one page only. */
async function timePages(portal: Portal, pages: Pages): Promise<Row[]> {
  const times = new Map([...pages.keys()].map((name) => [name, [] as Shown[]]));
  for (let round = 0; round <= LOOKS; round++) {
    for (const [name, address] of pages) times.get(name)?.push(await timePage(portal, address));
  }
  return [...times].map(([name, [cold, ...looks]]) => {
    const first = looks.map((shown) => shown.first);
    const whole = looks.map((shown) => shown.whole);
    return {
      figure: name,
      value: `${format(median(first), 0)} ms`,
      note: `worst ${format(Math.max(...first), 0)}; whole page ${format(median(whole), 0)}, worst ${format(Math.max(...whole), 0)}; first look after a start ${format(cold?.first ?? 0, 0)}, whole ${format(cold?.whole ?? 0, 0)}`,
      target: `< ${MOST_MS} ms`,
      met: Math.max(...first) < MOST_MS,
    };
  });
}

/**
 * In pairs of alternating order, with what the pages asked for in Chromium asked again at the same pace. Chromium itself is gone: drawing
 * pages would take the machine's cores from the service.
 */
async function watch(
  service: Server,
  { cookie }: Company,
  asked: readonly Asked[],
  phones: Phones,
  rounds: number,
): Promise<Row[]> {
  using browser = Browser.withCookie(service.target, cookie);
  const pattern = { seconds: WINDOW_MS / 1_000 };
  const alone = () => drive(service, pattern, verifying(phones, 'simulator'));
  const slowest = new Map<string, number>();
  const watched = async () => {
    const looks = play(browser, asked, slowest);
    const load = await alone();
    await looks.over;
    return load;
  };
  await alone();
  const loads = [];
  const ratios: number[] = [];
  for (let pair = 0; pair < rounds; pair++) {
    const isFirst = pair % 2 === 0;
    const [one, other] = [await (isFirst ? watched() : alone()), await (isFirst ? alone() : watched())];
    const [withPages, without] = isFirst ? [one, other] : [other, one];
    ratios.push(withPages.perSecond / without.perSecond);
    loads.push(one, other);
  }
  const [[name, ms] = ['nothing', 0] as const] = [...slowest].sort(([, a], [, b]) => b - a);
  return [
    ratioRow('/verify, part of that without', ratios, LEAST_OF_ALONE),
    {
      figure: 'questions of the pages',
      value: `${format((asked.length * 1_000) / RECORDED_MS, 1)} /s`,
      note: `the slowest answer under load took ${format(ms, 0)} ms: ${name}`,
    },
    ...refusals(loads),
  ];
}

/** Asks what was asked, for one window. A failed request fails the measurement. */
function play(
  browser: Browser,
  asked: readonly Asked[],
  slowest: Map<string, number>,
): { readonly over: Promise<unknown> } {
  const look = async ({ at, path }: Asked) => {
    await sleep(at);
    const begun = performance.now();
    await browser.read(movedOn(path));
    const [name = ''] = path.split('?');
    slowest.set(name, Math.max(slowest.get(name) ?? 0, performance.now() - begun));
  };
  return { over: Promise.all(asked.filter(({ at }) => at < WINDOW_MS).map(look)) };
}

/** The span of time that an open page asks for ends now. */
function movedOn(path: string): string {
  const [plain = '', search] = path.split('?');
  if (search === undefined) return path;
  const query = new URLSearchParams(search);
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''));
  if (from === undefined || to === undefined || Number.isNaN(to)) return path;
  const later = Date.now() - to;
  query.set('from', new Date(from + later).toISOString());
  query.set('to', new Date(to + later).toISOString());
  return `${plain}?${query}`;
}
