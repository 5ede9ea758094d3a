/** What the service does per second, as a fraction of what servers with nothing behind them do in the same run. */
import { format, latencyRow, median, medianRow, type Row, ratioRow, type Section } from './figures.ts';
import { drive, type Load, type Step } from './load.ts';
import type { Phones } from './peers/phones.ts';
import type { Server } from './servers/server.ts';
import { collecting, confirming, type Ticket, verifying } from './steps.ts';

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

/** The service and what it is compared with. */
export interface Contest extends Rounds {
  readonly phones: Phones;
  readonly service: Server;
  /** The same listener and framework without the service's code: shows what its HTTP layer costs. */
  readonly bare: Server;
  /** The same server with an empty handler: key check, validation, log line and metrics, but nothing behind. */
  readonly hollow: Server;
}

/** More than a round can confirm. The rest are confirmed in the next one. */
const MAX_CONFIRMS_PER_SECOND = 20_000;

/** `/verify` with everything that follows: the simulator has each message before the round ends. */
export async function measureVerify(contest: Contest): Promise<Section> {
  const step = verifying(contest.phones, 'simulator');
  return compare('/verify at saturation', 0.5, contest, async () => step);
}

/** Only `/confirm`; the codes are collected from the gateway beforehand. */
export async function measureConfirm(contest: Contest): Promise<Section> {
  const tickets: Ticket[] = [];
  return compare('/confirm at saturation', 0.6, contest, async () => {
    await collect(contest.service, contest.phones, tickets, contest.seconds);
    return confirming(tickets);
  });
}

/** Collects tickets for at most this many seconds of confirming. */
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
  title: string,
  target: number,
  { phones, service, bare, hollow, rounds, seconds }: Contest,
  prepare: () => Promise<Step>,
): Promise<Section> {
  const loads: Record<'bare' | 'service' | 'hollow', Load[]> = { bare: [], service: [], hollow: [] };
  for (let round = 0; round < rounds; round++) {
    const step = await prepare();
    loads.bare.push(await drive(bare, { seconds }, verifying(phones, 'simulator')));
    loads.service.push(await drive(service, { seconds }, step));
    loads.hollow.push(await drive(hollow, { seconds }, verifying(phones, 'simulator')));
  }
  const partsOf = (others: readonly Load[]) =>
    loads.service.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN));
  const latencies = loads.service.flatMap((load) => load.latencies);
  const rows = [
    ratioRow('part of the same server with an empty handler', partsOf(loads.hollow), target),
    medianRow('part of a bare server', partsOf(loads.bare), '', 2),
    ...serverRows('service', loads.service),
    latencyRow('service, latency', latencies),
    ...serverRows('empty handler', loads.hollow),
    ...serverRows('bare server', loads.bare),
    ...refusals(Object.values(loads).flat()),
  ];
  return { title, rows };
}

function serverRows(name: string, loads: readonly Load[]): Row[] {
  const of = (pick: (load: Load) => number) => loads.map(pick);
  const mainThread = format(median(of((load) => load.mainThread)), 2);
  const generator = format(median(of((load) => load.generator)), 2);
  return [
    medianRow(
      name,
      of((load) => load.perSecond),
      '/s',
    ),
    medianRow(
      `${name}, processor`,
      of((load) => load.cpuMicros),
      'us each',
    ),
    { figure: `${name}, busy`, value: `${mainThread} / ${generator}`, note: 'main thread / generator' },
  ];
}

/** Requests that a server refused under load: no round should have any. */
export function refusals(loads: readonly Load[]): Row[] {
  const refused = loads.reduce((sum, load) => sum + load.refused, 0);
  return refused === 0 ? [] : [{ figure: 'answers other than 200', value: String(refused), met: false }];
}
