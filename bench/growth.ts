/** The same figures with a month of verifications in the store, round by round against an empty store. */
import { constants } from 'node:fs';
import { copyFile, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { seededDatabase } from './data/seed.ts';
import { format, type Row, ratioRow, type Section } from './figures.ts';
import { drive, type Load, type Step } from './load.ts';
import type { Phones } from './peers/phones.ts';
import { type Server, startService } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';
import { confirming, flowing, type Ticket, verifying } from './steps.ts';
import { collect, type Rounds, refusals } from './throughput.ts';

const TARGET = 0.9;

/** What makes the step of a round, for one of the two services. */
type Prepare = (service: Server) => Promise<Step>;

export async function measureGrowth(
  place: Workplace,
  fresh: Server,
  phones: Phones,
  { rounds, seconds }: Rounds,
  { cache, rows }: { readonly cache: string; readonly rows: number },
): Promise<Section> {
  const seeded = await seededDatabase(cache, rows);
  const folder = place.folder('filled');
  await copyDurably(seeded, join(folder, 'countersign.db'));
  const filled = await startService(place, phones, folder);
  await drive(filled, { seconds: seconds * 2 }, flowing(phones, 'gateway'));

  async function compare(figure: string, prepare: Prepare): Promise<Row[]> {
    const ratios: number[] = [];
    const loads: Load[] = [];
    for (let round = 0; round < rounds; round++) {
      const [few, many] = [await prepare(fresh), await prepare(filled)];
      const base = await drive(fresh, { seconds }, few);
      const load = await drive(filled, { seconds }, many);
      ratios.push(load.perSecond / base.perSecond);
      loads.push(base, load);
    }
    return [ratioRow(figure, ratios, TARGET), ...refusals(loads)];
  }

  const { size } = await stat(seeded);
  const section = {
    title: `${format(rows, 0)} verifications in the store (${format(size / 2 ** 30, 1)} GiB), as a part of few`,
    rows: [
      ...(await compare('/verify', async () => verifying(phones, 'simulator'))),
      ...(await compare('/confirm', async (service) => {
        const tickets: Ticket[] = [];
        await collect(service, phones, tickets, seconds);
        return confirming(tickets);
      })),
      ...(await compare('flows through http', async () => flowing(phones, 'gateway'))),
      ...(await compare('flows through smpp', async () => flowing(phones, 'smsc'))),
    ],
  };
  await filled.stop();
  return section;
}

/** Shares blocks if the file system can. Synced, because writing back later would slow down the measured commits. */
async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const file = await open(to, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
