/** A carrier that dies under load: how long its messages are delayed until others take them, and when it is asked again. */
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './connection.ts';
import { format, latencyRow, type Row, type Section } from './figures.ts';
import { drive } from './load.ts';
import { type Gateway, type Health, startGateway } from './peers/gateway.ts';
import type { Phones } from './peers/phones.ts';
import { startService } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';
import { verifying } from './steps.ts';
import { refusals } from './throughput.ts';

const RATE = 1_000;
/** How long a nearby gateway takes to answer: twenty messages are under way at a time. */
const ANSWER_MS = 20;
/** Far longer than a message takes normally. */
const DELAYED_MS = 100;
const CALM_MS = 4_000;
/** A hanging carrier is noticed only after its timeout, 10 s by default. */
const DEATHS: readonly (readonly [Health, number])[] = [
  ['hanging', 15_000],
  ['refusing', 4_000],
];
/** Values of the metric `carrier_breaker_state`. */
const [CLOSED, OPEN] = [0, 2];
const PATIENCE_MS = 30_000;

interface Phase {
  readonly name: string;
  readonly begunAt: number;
  /** The states of the breaker, and when it reached them. */
  breaker: string;
}

/** When each verification was requested, and when the first carrier took it. */
interface Journeys {
  readonly begun: Map<string, number>;
  readonly arrived: Map<string, number>;
  copies: number;
}

/** The default configuration, except for three carriers and one route over them in order. */
export async function measureFailover(place: Workplace, phones: Phones): Promise<Section> {
  const journeys: Journeys = { begun: new Map(), arrived: new Map(), copies: 0 };
  const arrive = (destination: string) => {
    if (journeys.arrived.has(destination)) journeys.copies += 1;
    else journeys.arrived.set(destination, performance.now());
  };
  const [first, second, third] = [
    await startGateway(arrive, ANSWER_MS),
    await startGateway(arrive, ANSWER_MS),
    await startGateway(arrive, ANSWER_MS),
  ];
  const service = await startService(place, phones, place.folder('failover'), {
    carriers: { first: carrierAt(first), second: carrierAt(second), third: carrierAt(third) },
    routes: [{ channel: 'sms', carriers: ['first', 'second', 'third'] }],
  });
  const step = verifying(
    {
      draw(carrier) {
        const destination = phones.draw(carrier);
        journeys.begun.set(destination, performance.now());
        return destination;
      },
    },
    'gateway',
  );
  try {
    await drive(service, { seconds: CALM_MS / 1_000, rate: RATE }, step);
    let playing = true;
    const playingOut = playOut(first, service.target).finally(() => {
      playing = false;
    });
    const load = drive(service, { seconds: Number.POSITIVE_INFINITY, rate: RATE }, async (connection) =>
      playing ? step(connection) : undefined,
    );
    const [phases, loads] = await Promise.all([playingOut, load]);
    await everythingArrived(journeys);
    return {
      title: `at ${RATE} a second, the first of three http carriers dies twice`,
      rows: [...phaseRows(phases, journeys), copiesRow(journeys), ...refusals([loads])],
    };
  } finally {
    await service.stop();
    for (const gateway of [first, second, third]) gateway.close();
  }
}

async function playOut(gateway: Gateway, target: Target): Promise<Phase[]> {
  const phases: Phase[] = [];
  const enter = (name: string): Phase => {
    const phase = { name, begunAt: performance.now(), breaker: '' };
    phases.push(phase);
    return phase;
  };
  enter('before');
  await sleep(CALM_MS);
  for (const [death, ms] of DEATHS) {
    await gateway.become(death);
    const dead = enter(death);
    const opening = timeUntilBreaker(target, OPEN);
    await sleep(ms);
    dead.breaker = `open after ${await opening}`;
    await gateway.become('well');
    const back = enter('back');
    back.breaker = `closed after ${await timeUntilBreaker(target, CLOSED)}`;
    await sleep(CALM_MS);
  }
  return phases;
}

async function timeUntilBreaker(target: Target, state: number): Promise<string> {
  const begun = performance.now();
  while ((await readBreaker(target)) !== state) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`the breaker never became ${state}`);
    await sleep(50);
  }
  return `${format((performance.now() - begun) / 1_000, 1)} s`;
}

function readBreaker({ port, ca }: Target): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, ca, servername: 'localhost', path: '/metrics' }, async (response) => {
      const line = /^countersign_carrier_breaker_state\{carrier="first"\} (\d)$/m.exec(await text(response));
      resolve(Number(line?.[1]));
    }).on('error', reject);
  });
}

async function everythingArrived({ begun, arrived }: Journeys): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (arrived.size < begun.size) {
    if (performance.now() > end) throw new Error(`${begun.size - arrived.size} messages reached no carrier`);
    await sleep(50);
  }
}

/** A message belongs to the phase in which it was requested. */
function phaseRows(phases: readonly Phase[], { begun, arrived }: Journeys): Row[] {
  return phases.flatMap(({ name, begunAt, breaker }, index): Row[] => {
    const endAt = phases[index + 1]?.begunAt ?? Number.POSITIVE_INFINITY;
    const delays = [...begun]
      .filter(([, at]) => at >= begunAt && at < endAt)
      .map(([destination, at]) => (arrived.get(destination) ?? Number.NaN) - at);
    const delayed = delays.filter((delay) => delay > DELAYED_MS);
    const longest = delays.reduce((most, delay) => Math.max(most, delay), 0);
    return [
      latencyRow(`${name}, from the request to a carrier`, delays),
      {
        figure: `${name}, later than ${DELAYED_MS} ms`,
        value: `${format(delayed.length, 0)} of ${format(delays.length, 0)}`,
        note: `at most ${format(longest, 0)} ms`,
      },
      ...(breaker === '' ? [] : [{ figure: `${name}, breaker`, value: breaker }]),
    ];
  });
}

function copiesRow({ copies, begun }: Journeys): Row {
  return {
    figure: 'sent twice',
    value: `${format(copies, 0)} of ${format(begun.size, 0)}`,
  };
}

function carrierAt({ port }: Gateway): object {
  return {
    type: 'http',
    url: `http://127.0.0.1:${port}/sms`,
    json: { to: '{{to}}', text: '{{text}}', code: '{{code}}' },
    reference: 'id',
  };
}
