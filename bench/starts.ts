/** Time from the start of the process to a 200 from `/readyz`. */
import { median, medianRow, type Row, type Section } from './figures.ts';
import { timeStart } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';

const TARGET_MS = 500;

export async function measureStarts(place: Workplace, starts: number): Promise<Section> {
  const first: number[] = [];
  const later: number[] = [];
  for (let i = 0; i < starts; i++) {
    const folder = place.folder(`start-${i}`);
    first.push((await timeStart(place, folder)).readyMs);
    later.push((await timeStart(place, folder)).readyMs);
  }
  const row = (figure: string, values: readonly number[]): Row => {
    const shown = medianRow(figure, values, 'ms');
    return { ...shown, target: `< ${TARGET_MS} ms`, met: median(values) < TARGET_MS };
  };
  return {
    title: 'start to ready',
    rows: [row('in an empty folder, making a certificate', first), row('in a folder with data', later)],
  };
}
