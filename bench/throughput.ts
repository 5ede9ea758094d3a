/** What the service does in a second, as a part of what the empty server does in the same run. */
import { latencyRow, medianRow, type Row, ratioRow, type Section } from './figures.ts';
import { drive, type Load, type Step } from './load.ts';
import type { Phones } from './phones.ts';
import type { Server } from './server.ts';
import { collecting, confirming, type Ticket, verifying } from './steps.ts';

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

/** More than a round can confirm; what is left over is confirmed in the next one. */
const MAX_CONFIRMS_PER_SECOND = 20_000;

/** `/verify` with all that follows from it: the simulator has each message before the round ends. */
export async function measureVerify(
  service: Server,
  empty: Server,
  phones: Phones,
  rounds: Rounds,
): Promise<Section> {
  const step = verifying(phones, 'simulator');
  return compare('/verify', 0.5, service, empty, phones, rounds, async () => step);
}

/** `/confirm` alone; the codes are collected from the gateway beforehand. */
export async function measureConfirm(
  service: Server,
  empty: Server,
  phones: Phones,
  rounds: Rounds,
): Promise<Section> {
  const tickets: Ticket[] = [];
  return compare('/confirm', 0.6, service, empty, phones, rounds, async () => {
    await collect(service, phones, tickets, rounds.seconds);
    return confirming(tickets);
  });
}

/** Gathers tickets for at most so many seconds of confirming. */
export async function collect(
  service: Server,
  phones: Phones,
  tickets: Ticket[],
  seconds: number,
): Promise<void> {
  const enough = seconds * MAX_CONFIRMS_PER_SECOND;
  const step = collecting(phones, 'gateway', tickets);
  await drive(service, { seconds: seconds * 3 }, async (connection) =>
    tickets.length < enough ? step(connection) : undefined,
  );
}

async function compare(
  name: string,
  target: number,
  service: Server,
  empty: Server,
  phones: Phones,
  { rounds, seconds }: Rounds,
  prepare: () => Promise<Step>,
): Promise<Section> {
  const own: Load[] = [];
  const bare: Load[] = [];
  for (let round = 0; round < rounds; round++) {
    const step = await prepare();
    bare.push(await drive(empty, { seconds }, verifying(phones, 'simulator')));
    own.push(await drive(service, { seconds }, step));
  }
  const ratios = own.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? Number.NaN));
  const of = (loads: readonly Load[], pick: (load: Load) => number) => loads.map(pick);
  const rows: Row[] = [
    ratioRow('part of the empty server', ratios, target),
    medianRow('service', of(own, perSecond), '/s'),
    medianRow('empty server', of(bare, perSecond), '/s'),
    medianRow('processor, service', of(own, cpuMicros), 'us each'),
    medianRow('processor, empty server', of(bare, cpuMicros), 'us each'),
    latencyRow(
      'latency at saturation',
      own.flatMap(({ latencies }) => latencies),
    ),
    medianRow("service's main thread busy", of(own, mainThread), '', 2),
    medianRow("empty server's main thread busy", of(bare, mainThread), '', 2),
    medianRow('generator busy, service', of(own, generator), '', 2),
    medianRow('generator busy, empty server', of(bare, generator), '', 2),
    ...refusals([...own, ...bare]),
  ];
  return { title: `${name} at saturation`, rows };
}

/** What a server would not do under load: no round should have any. */
export function refusals(loads: readonly Load[]): Row[] {
  const refused = loads.reduce((sum, load) => sum + load.refused, 0);
  return refused === 0 ? [] : [{ figure: 'answers other than 200', value: String(refused), met: false }];
}

const perSecond = (load: Load) => load.perSecond;
const cpuMicros = (load: Load) => load.cpuMicros;
const mainThread = (load: Load) => load.mainThread;
const generator = (load: Load) => load.generator;
