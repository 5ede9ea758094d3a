/** From the start of the process to ready, with the defaults: in an empty folder, and in one with data. */
import type { Section } from '../figures.ts';
import { type Start, timeStart } from '../servers/server.ts';
import type { Workplace } from '../servers/workplace.ts';
import { type Both, compare, inTurn, type Pairs, type Sides } from './sides.ts';

/** A start takes less than a second, so there can be many. */
const STARTS_OF_A_PAIR = 4;

export async function compareStarts(
  place: Workplace,
  sides: Sides,
  title: string,
  { pairs }: Pairs,
): Promise<Section> {
  const first: Both<Start> = [[], []];
  const later: Both<Start> = [[], []];
  for (let pair = 0; pair < pairs * STARTS_OF_A_PAIR; pair++) {
    for (const index of inTurn(pair)) {
      const folder = place.folder(`pair-start-${pair}-${index}`);
      first[index].push(await timeStart(place, folder, sides[index]));
      later[index].push(await timeStart(place, folder, sides[index]));
    }
  }
  return {
    title,
    rows: [
      ...compare('in an empty folder, making a certificate, ms', first, ({ readyMs }) => readyMs),
      ...compare('in a folder with data, ms', later, ({ readyMs }) => readyMs),
      ...compare('resident once ready, MiB', first, ({ resident }) => resident),
    ],
  };
}
