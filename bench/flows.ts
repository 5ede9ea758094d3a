/** Whole flows: a verification, its code at the carrier, the confirmation with it. */
import { latencyRow, medianRow, type Row, type Section } from './figures.ts';
import { drive, type Load } from './load.ts';
import type { CarrierName, Phones } from './peers/phones.ts';
import type { Server } from './servers/server.ts';
import { flowing } from './steps.ts';
import { type Rounds, refusals } from './throughput.ts';

const CARRIERS: Readonly<Record<string, CarrierName>> = { http: 'gateway', smpp: 'smsc' };

export async function measureFlows(service: Server, phones: Phones, rounds: Rounds): Promise<Section> {
  const rows: Row[] = [];
  for (const [type, carrier] of Object.entries(CARRIERS)) {
    const loads: Load[] = [];
    for (let round = 0; round < rounds.rounds; round++) {
      loads.push(await drive(service, rounds, flowing(phones, carrier)));
    }
    rows.push(
      medianRow(
        `flows through ${type}`,
        loads.map(({ perSecond }) => perSecond),
        '/s',
      ),
      medianRow(
        'processor',
        loads.map(({ cpuMicros }) => cpuMicros),
        'us each',
      ),
      latencyRow(
        'both answers and the code',
        loads.flatMap(({ latencies }) => latencies),
      ),
      ...refusals(loads),
    );
  }
  return { title: 'whole flows at saturation', rows };
}
