/** Whole flows of two services that stay up, in turn. */
import { format, latencyRow, median, type Section } from '../figures.ts';
import { drive, type Load } from '../load.ts';
import { openPhones, type Phones } from '../peers/phones.ts';
import { readMemory, readWritten } from '../servers/process-usage.ts';
import type { Server } from '../servers/server.ts';
import type { Workplace } from '../servers/workplace.ts';
import { flowing } from '../steps.ts';
import { refusals } from '../throughput.ts';
import {
  type Both,
  CONNECTIONS,
  compare,
  inTurn,
  openSide,
  type Pairs,
  type Sides,
  WARM_UP_SECONDS,
} from './sides.ts';

interface Round extends Load {
  /** To the disk, for each flow. */
  readonly kilobytes: number;
}

export async function compareFlows(
  place: Workplace,
  sides: Sides,
  title: string,
  answerMs: number,
  { pairs, seconds }: Pairs,
): Promise<Section> {
  using phones = await openPhones(answerMs);
  const open = (name: string, index: 0 | 1) =>
    openSide(place, phones, `pair-${phones.gatewayPort}-${name}`, 'enforce', sides[index]);
  const servers = [await open('here', 0), await open('there', 1)] as const;
  const rounds: Both<Round> = [[], []];
  for (const server of servers) await measure(server, phones, WARM_UP_SECONDS);
  for (let pair = 0; pair < pairs; pair++) {
    for (const index of inTurn(pair)) rounds[index].push(await measure(servers[index], phones, seconds));
  }
  const memory = servers.map(({ pid }) => readMemory(pid).peak);
  for (const server of servers) await server.stop();
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

async function measure(server: Server, phones: Phones, seconds: number): Promise<Round> {
  const before = readWritten(server.pid);
  const load = await drive(server, { seconds, connections: CONNECTIONS }, flowing(phones, 'gateway'));
  return { ...load, kilobytes: (readWritten(server.pid) - before) / 1_000 / load.latencies.length };
}
