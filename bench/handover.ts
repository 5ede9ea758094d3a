/** Time from the answer to the carrier, at a steady rate that leaves the machine some headroom. */
import { latencyRow, medianRow, quantile, type Section } from './figures.ts';
import { drive } from './load.ts';
import type { Phones } from './peers/phones.ts';
import type { Server } from './servers/server.ts';
import { confirming, type Ticket, verifying } from './steps.ts';
import { refusals } from './throughput.ts';

const RATE = 1_000;
const TARGET_MS = 10;

/** Client and gateway share this process and its clock. A message that arrived before its answer was read counts as zero. */
export async function measureHandOver(service: Server, phones: Phones, seconds: number): Promise<Section> {
  const tickets: Ticket[] = [];
  const handOvers: number[] = [];
  const underWay: Promise<void>[] = [];
  const step = verifying(phones, 'gateway', (id, destination) => {
    const answeredAt = performance.now();
    const take = async () => {
      const { code, at } = await phones.arrival(destination);
      handOvers.push(Math.max(0, at - answeredAt));
      tickets.push({ id, code });
    };
    underWay.push(take());
  });
  const pattern = { seconds, rate: RATE };
  const verify = await drive(service, pattern, step);
  await Promise.all(underWay);
  const confirm = await drive(service, pattern, confirming(tickets));

  const p99 = quantile(handOvers, 0.99);
  const target = { target: `p99 < ${TARGET_MS} ms`, met: p99 < TARGET_MS };
  return {
    title: `at ${RATE} a second, through the http carrier`,
    rows: [
      { ...latencyRow('from the 200 to the carrier', handOvers), ...target },
      latencyRow('latency of /verify', verify.latencies),
      latencyRow('latency of /confirm', confirm.latencies),
      medianRow('processor, /verify and sending', [verify.cpuMicros], 'us each'),
      medianRow('processor, /confirm', [confirm.cpuMicros], 'us each'),
      ...refusals([verify, confirm]),
    ],
  };
}
