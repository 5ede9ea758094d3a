/** The same figures with a month of verifications in the store, round by round against an empty one. */
import { constants, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { format, ratioRow, type Section } from './figures.ts';
import { drive, type Step } from './load.ts';
import type { Phones } from './phones.ts';
import { seededDatabase } from './seed.ts';
import { type Server, startService } from './server.ts';
import { confirming, flowing, type Ticket, verifying } from './steps.ts';
import { collect, type Rounds } from './throughput.ts';
import type { Workplace } from './workplace.ts';

const TARGET = 0.9;

export async function measureGrowth(
  place: Workplace,
  empty: Server,
  phones: Phones,
  rounds: Rounds,
  { cache, rows }: { readonly cache: string; readonly rows: number },
): Promise<Section> {
  const seeded = await seededDatabase(cache, rows);
  const folder = place.folder('filled');
  // Shares the blocks with the original where the file system can.
  copyFileSync(seeded, join(folder, 'countersign.db'), constants.COPYFILE_FICLONE);
  const filled = await startService(place, phones, folder);
  const ratios = async (prepare: (service: Server) => Promise<Step>) => {
    const found: number[] = [];
    for (let round = 0; round < rounds.rounds; round++) {
      const few = await measure(empty, rounds.seconds, prepare);
      found.push((await measure(filled, rounds.seconds, prepare)) / few);
    }
    return found;
  };
  try {
    const size = statSync(seeded).size / 2 ** 30;
    return {
      title: `with ${format(rows, 0)} verifications (${format(size, 1)} GiB), as a part of the empty store`,
      rows: [
        ratioRow('/verify', await ratios(async () => verifying(phones, 'simulator')), TARGET),
        ratioRow(
          '/confirm',
          await ratios(async (service) => {
            const tickets: Ticket[] = [];
            await collect(service, phones, tickets, rounds.seconds);
            return confirming(tickets);
          }),
          TARGET,
        ),
        ratioRow('flows through http', await ratios(async () => flowing(phones, 'gateway')), TARGET),
        ratioRow('flows through smpp', await ratios(async () => flowing(phones, 'smsc')), TARGET),
      ],
    };
  } finally {
    await filled.stop();
  }
}

async function measure(
  service: Server,
  seconds: number,
  prepare: (service: Server) => Promise<Step>,
): Promise<number> {
  const step = await prepare(service);
  return (await drive(service, { seconds }, step)).perSecond;
}
