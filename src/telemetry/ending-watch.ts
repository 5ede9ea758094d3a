/** Warns of missed calls that were refused because no ending was free. */
import { logOnceAMinute } from '../core/reporting/log-once-a-minute.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Endings } from '../core/verification/endings.ts';
import type { ServiceLog } from './log.ts';

export function createEndingWatch(
  log: ServiceLog['note'],
  { steady }: Pick<Clock, 'steady'>,
): Endings['noneFree'] {
  const quietLog = logOnceAMinute(log, steady);
  return (account) =>
    quietLog(
      'warn',
      'a missed call was refused: too many codes are open; see docs/flashcall.md, The numbers',
      {
        account,
      },
    );
}
