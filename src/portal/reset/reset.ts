/** A new beginning for who lost what they signed in with; the link comes from the command line alone. */

import { auditPersonStep } from '../../accounts/audit.ts';
import { findPersonByEmail, lockPerson } from '../../accounts/people.ts';
import { COMMAND_LINE } from '../../core/actor.ts';
import type { Records, Step } from '../../core/records.ts';
import { dropRecoveryCodes } from '../factors/recovery-codes.ts';
import { dropTotp } from '../factors/totp-secret.ts';
import { unlinkAll } from '../oidc/identities.ts';
import { type DeviceOwner, renewDevices } from '../sign-in/device.ts';
import { dropOneTimes, findOneTime, mintOneTime, useOneTime } from '../sign-in/one-time.ts';
import { endSessions } from '../sign-in/session.ts';
import { forgetGuesses, ofPassword, ofSecondFactor } from '../sign-in/throttle.ts';

/** A token for the person of that address, good for an hour; undefined when there is nobody. */
export async function openReset(records: Records, email: string, now: number): Promise<string | undefined> {
  const person = await findPersonByEmail(records, email);
  if (person === undefined) return undefined;
  const { token, step } = mintOneTime('reset', person.id, now);
  await records.transact([
    step,
    forgetGuesses(ofPassword(email)),
    forgetGuesses(ofSecondFactor(person.id)),
    auditPersonStep({
      personId: person.id,
      who: COMMAND_LINE.name,
      address: COMMAND_LINE.address,
      action: 'person.reset-begun',
      at: now,
    }),
  ]);
  return token;
}

export const findReset = (records: Records, token: string, now: number): Promise<string | undefined> =>
  findOneTime(records, 'reset', token, now);

/** Whatever was lost may be in other hands: all of it goes. Refused when the token was used. */
export function reset(
  token: string,
  { id, password, address }: { readonly id: string; readonly password: string; readonly address: string },
  now: number,
): { readonly owner: DeviceOwner; readonly steps: readonly Step[] } {
  const devices = renewDevices(id);
  const steps = [
    lockPerson(id),
    useOneTime('reset', token, now),
    { sql: 'UPDATE person SET password = $2 WHERE id = $1', args: [id, password] },
    dropTotp(id),
    dropRecoveryCodes(id),
    { sql: 'DELETE FROM passkey WHERE person_id = $1', args: [id] },
    unlinkAll(id),
    dropOneTimes(id),
    endSessions(id),
    devices.step,
    auditPersonStep({ personId: id, address, action: 'person.reset', at: now }),
  ];
  return { owner: devices.owner, steps };
}
