/** All that somebody may be signed in with, or sign in with soon, but for a password and providers. */
import type { Records, Step } from '../../core/sql/records.ts';
import { dropRecoveryCodes } from '../factors/recovery-codes.ts';
import { dropTotp } from '../factors/totp-secret.ts';
import { type DeviceOwner, renewDevices } from './device.ts';
import { dropOneTimes } from './one-time.ts';
import { endSessions } from './session.ts';

/** Ends it; `owner` is for the browser's next cookie. */
export function endWaysIn(
  records: Pick<Records, 'random'>,
  id: string,
): { readonly owner: DeviceOwner; readonly steps: readonly Step[] } {
  const devices = renewDevices(records, id);
  const steps = [
    dropTotp(id),
    dropRecoveryCodes(id),
    { sql: 'DELETE FROM passkey WHERE person_id = $1', args: [id] },
    dropOneTimes(id, 'reset'),
    dropOneTimes(id, 'second-factor'),
    endSessions(id),
    devices.step,
  ];
  return { owner: devices.owner, steps };
}
