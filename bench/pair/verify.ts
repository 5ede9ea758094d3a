/**
 * Requests alone. Two processes of the same code differ by several percent for as long as they live, by how V8 compiled them and by which
 * started first. So each pair is two new processes, and counts once.
 */
import { median, type Section } from '../figures.ts';
import { drive, type Load } from '../load.ts';
import { openPhones } from '../peers/phones.ts';
import type { Server } from '../servers/server.ts';
import type { Workplace } from '../servers/workplace.ts';
import { verifying } from '../steps.ts';
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

const ROUNDS = 8;

interface Opened {
  readonly index: 0 | 1;
  readonly server: Server;
  readonly rounds: Load[];
}

/** Medians of its rounds. */
interface Start extends Pick<Load, 'perSecond' | 'cpuMicros'> {
  readonly rounds: readonly Load[];
}

/** The guard only observes: nobody confirms, and it would refuse such traffic. */
export async function compareVerify(
  place: Workplace,
  sides: Sides,
  title: string,
  { pairs, seconds }: Pairs,
): Promise<Section> {
  using phones = await openPhones();
  const step = verifying(phones, 'gateway');
  const load = { seconds: seconds / 2, connections: CONNECTIONS };
  const starts: Both<Start> = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const opened: Opened[] = [];
    for (const index of inTurn(pair)) {
      const folder = `pair-verify-${pair}-${index}`;
      opened.push({
        index,
        server: await openSide(place, phones, folder, 'observe', sides[index]),
        rounds: [],
      });
    }
    for (const { server } of opened) await drive(server, { ...load, seconds: WARM_UP_SECONDS }, step);
    for (let round = 0; round < ROUNDS; round++) {
      const order = round % 2 === 0 ? opened : opened.toReversed();
      for (const { server, rounds } of order) rounds.push(await drive(server, load, step));
    }
    for (const { index, server, rounds } of opened) {
      await server.stop();
      starts[index].push({
        perSecond: median(rounds.map(({ perSecond }) => perSecond)),
        cpuMicros: median(rounds.map(({ cpuMicros }) => cpuMicros)),
        rounds,
      });
    }
  }
  return {
    title,
    rows: [
      ...compare('requests a second', starts, ({ perSecond }) => perSecond),
      ...compare('processor of a request, us', starts, ({ cpuMicros }) => cpuMicros, 1),
      ...refusals(starts.flat().flatMap(({ rounds }) => rounds)),
    ],
  };
}
