/** What one exchange with a carrier's gateway costs the event loop, and what the same costs over node:http. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from '../src/carriers/gateway/transport.ts';
import { SYSTEM_CLOCK } from '../src/core/seams/clock.ts';
import { medianRow, type Section } from './figures.ts';
import { freePort } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';
import type { Rounds } from './throughput.ts';

/** Resolves with the body of an answer; rejects without one. */
type Ask = () => Promise<string>;

const CONNECTIONS = 64;
const MESSAGE = {
  method: 'POST',
  path: '/messages',
  headers: {
    accept: 'application/json',
    authorization: `Basic ${btoa('account:and its password')}`,
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'countersign',
  },
  body: 'To=%2B12025550123&From=%2B15005550006&Body=482913%20is%20your%20code%20for%20Acme.',
};

export async function measureExchange(place: Workplace, { rounds, seconds }: Rounds): Promise<Section> {
  const port = await freePort();
  const folder = place.folder('exchange');
  const server = new URL('./servers/gateway-server.ts', import.meta.url).pathname;
  const gateway = place.spawn([server, String(port)], {}, `${folder}/gateway.log`);
  const origin = new URL(`http://127.0.0.1:${port}`);
  const transport = createTransport(SYSTEM_CLOCK, origin, { connections: CONNECTIONS });
  while (!(await isThere(() => transport.probe(1_000)))) await sleep(20);

  const ours: Ask = async () => {
    const exchange = await transport.send(MESSAGE, { signal: new AbortController().signal });
    if (exchange.kind === 'failed') throw new Error(exchange.reason);
    return exchange.answer.body ?? '';
  };
  const theirs = overNodeHttp(port);
  // Compiled, and with all connections open.
  for (const ask of [theirs, ours]) await costOf(ask, seconds);
  const [before, after, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < rounds; i++) {
    const [one, other] = [await costOf(theirs, seconds), await costOf(ours, seconds)];
    before.push(one);
    after.push(other);
    ratios.push(other / one);
  }
  transport.close();
  await place.end(gateway);
  return {
    title: `an exchange with a gateway, ${CONNECTIONS} at once: the event loop's processor`,
    rows: [
      medianRow('as carriers make it', after, 'us', 1),
      medianRow('over node:http', before, 'us', 1),
      medianRow('part of that', ratios, '', 2),
    ],
  };
}

/** Microseconds of this thread for each. */
async function costOf(ask: Ask, seconds: number): Promise<number> {
  const began = process.threadCpuUsage();
  const end = performance.now() + seconds * 1_000;
  let asked = 0;
  const keepAsking = async () => {
    for (; performance.now() < end; asked++) await ask();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, keepAsking));
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / asked;
}

function overNodeHttp(port: number): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const { body, ...message } = MESSAGE;
  const target = { host: '127.0.0.1', port, agent, ...message };
  return () =>
    new Promise((resolve, reject) => {
      const call = request(target, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(new TextDecoder().decode(Buffer.concat(chunks))));
        response.on('error', reject);
      });
      call.on('error', reject).end(body);
    });
}

const isThere = (reach: () => Promise<void>): Promise<boolean> =>
  reach().then(
    () => true,
    () => false,
  );
