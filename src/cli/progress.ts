/** The progress of long work on a terminal: one line of standard error, which is gone when the work ends. */

import { type Progress, type ReportProgress, UNWATCHED } from '../core/reporting/progress.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const MIB = 2 ** 20;
/** To the start of the line, which is then erased. */
const CLEAR = '\r\u001b[K';

/** Lends the work a report. Where standard error is no terminal (a file, a journal, a pipe), it says nothing. */
export async function withProgress<T>(
  work: (report: ReportProgress) => Promise<T>,
  terminal: Terminal = process.stderr,
  now = SYSTEM_CLOCK.steady,
): Promise<T> {
  if (terminal.isTTY !== true) return work(UNWATCHED);
  let step: string | undefined;
  let drawnAt = 0;
  const draw = (progress: Progress) => {
    const isNews = progress.step !== step || progress.done === progress.total;
    if (!isNews && now() - drawnAt < REDRAW_MS) return;
    ({ step } = progress);
    drawnAt = now();
    // A line that is too long would wrap, and could not be erased. Some terminals say that they have 0 columns.
    terminal.write(CLEAR + describeProgress(progress).slice(0, (terminal.columns || 80) - 1));
  };
  try {
    return await work(draw);
  } finally {
    if (step !== undefined) terminal.write(CLEAR);
  }
}

export function describeProgress({ step, done, total, unit }: Progress): string {
  if (done === undefined) return `${step} ...`;
  const show = (count: number) => (unit === 'bytes' ? (count / MIB).toFixed(1) : String(count));
  const name = unit === 'bytes' ? ' MiB' : '';
  if (total === undefined) return `${step}: ${show(done)}${name}`;
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  return `${step}: ${show(done)} of ${show(total)}${name} (${percent} %)`;
}
