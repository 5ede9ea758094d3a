/** This checkout against another revision: whole processes, in turn, compared pair by pair. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, latencyRow, median, medianRow, type Row, type Section } from './figures.ts';
import { drive, type Load } from './load.ts';
import { openPhones, type Phones } from './peers/phones.ts';
import { type Checkout, HERE } from './servers/checkout.ts';
import { readMemory, readWritten } from './servers/process-usage.ts';
import { configuration, type Server, startService, timeStart } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';
import { flowing } from './steps.ts';
import { refusals } from './throughput.ts';

/** As many as do not let the generator become the limit. */
const CONNECTIONS = 128;
const SLOW_MS = 300;
/** So that the wait for a slow carrier is none for its connections. */
const CARRIER_CONNECTIONS = 2_000;
const WARM_UP_SECONDS = 4;

export interface Pairs {
  readonly pairs: number;
  readonly seconds: number;
}

interface Round extends Load {
  /** To the disk, for each flow. */
  readonly kilobytes: number;
}

/** Yields each section when it has been measured. */
export async function* measurePairs(
  place: Workplace,
  other: Checkout,
  name: string,
  extent: Pairs,
): AsyncGenerator<Section> {
  const sides: readonly [Checkout, Checkout] = [HERE, other];
  yield await compareFlows(place, sides, `whole flows, as a part of ${name}`, 0, extent);
  yield await compareFlows(place, sides, `with a carrier of ${SLOW_MS} ms`, SLOW_MS, extent);
  yield await compareStarts(place, sides, extent.pairs);
}

async function compareFlows(
  place: Workplace,
  sides: readonly [Checkout, Checkout],
  title: string,
  answerMs: number,
  { pairs, seconds }: Pairs,
): Promise<Section> {
  using phones = await openPhones(answerMs);
  const [here, there] = [await open(place, phones, sides[0]), await open(place, phones, sides[1])];
  const rounds: [Round[], Round[]] = [[], []];
  const take = async (server: Server, into: Round[]) => into.push(await measure(server, phones, seconds));
  for (const server of [here, there]) await measure(server, phones, WARM_UP_SECONDS);
  for (let pair = 0; pair < pairs; pair++) {
    // The order changes, so that what grows slower in a minute is not always the same one.
    if (pair % 2 === 0) {
      await take(here, rounds[0]);
      await take(there, rounds[1]);
    } else {
      await take(there, rounds[1]);
      await take(here, rounds[0]);
    }
  }
  const memory = [here, there].map(({ pid }) => readMemory(pid).peak);
  await here.stop();
  await there.stop();
  return {
    title,
    rows: [
      ...compare('flows a second', rounds, ({ perSecond }) => perSecond),
      ...compare('processor of a flow, us', rounds, ({ cpuMicros }) => cpuMicros),
      ...compare('to the disk for a flow, KB', rounds, ({ kilobytes }) => kilobytes, 1),
      latencyRow(
        'latency here',
        rounds[0].flatMap(({ latencies }) => latencies),
      ),
      latencyRow(
        'latency there',
        rounds[1].flatMap(({ latencies }) => latencies),
      ),
      {
        figure: 'generator busy',
        value: rounds.map((loads) => format(median(loads.map(({ generator }) => generator)), 2)).join(' / '),
        note: 'here / there',
      },
      {
        figure: 'resident, peak',
        value: `${memory.map((megabytes) => format(megabytes, 0)).join(' / ')} MiB`,
        note: 'here / there',
      },
      ...refusals(rounds.flat()),
    ],
  };
}

/** With the guard enforcing, where the revision has one. */
function open(place: Workplace, phones: Phones, checkout: Checkout): Promise<Server> {
  const hasGuard = existsSync(join(checkout.root, 'src/guard'));
  // Where the options of a carrier have both, `concurrency` alone opens no more connections.
  const carrierOptions = readFileSync(join(checkout.root, 'src/carriers/http/options.ts'), 'utf8');
  const most = carrierOptions.includes('connections') ? 'connections' : 'concurrency';
  const { carriers } = configuration(phones);
  const config = {
    guard: hasGuard ? { mode: 'enforce' } : undefined,
    carriers: { ...carriers, gateway: { ...carriers.gateway, [most]: CARRIER_CONNECTIONS } },
  };
  const folder = place.folder(`pair-${phones.gatewayPort}-${checkout === HERE ? 'here' : 'there'}`);
  return startService(place, phones, folder, config, {}, checkout);
}

async function measure(server: Server, phones: Phones, seconds: number): Promise<Round> {
  const before = readWritten(server.pid);
  const load = await drive(server, { seconds, connections: CONNECTIONS }, flowing(phones, 'gateway'));
  return { ...load, kilobytes: (readWritten(server.pid) - before) / 1_000 / load.latencies.length };
}

async function compareStarts(
  place: Workplace,
  sides: readonly [Checkout, Checkout],
  pairs: number,
): Promise<Section> {
  const times: [number[], number[]] = [[], []];
  for (let pair = 0; pair < pairs * 2; pair++) {
    for (const index of [0, 1] as const) {
      const folder = place.folder(`pair-start-${index}`);
      times[index].push(await timeStart(place, folder, sides[index]));
    }
  }
  // The first of each made the certificate and the store.
  const later: [number[], number[]] = [times[0].slice(1), times[1].slice(1)];
  return { title: 'start to ready', rows: compare('ms', later, (time) => time) };
}

/** The median of the pairs' ratios, with their range, and both medians. */
function compare<T>(
  figure: string,
  [here, there]: readonly [readonly T[], readonly T[]],
  pick: (round: T) => number,
  digits = 0,
): Row[] {
  const values = (rounds: readonly T[]) => format(median(rounds.map(pick)), digits);
  const ratios = here.map((round, pair) => pick(round) / pick(there[pair] ?? round));
  return [
    medianRow(figure, ratios, '', 2),
    { figure: '', value: `${values(here)} / ${values(there)}`, note: 'here / there' },
  ];
}
