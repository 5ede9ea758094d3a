/** A new password for people who can no longer sign in. The link comes only from the command line. */
import { auditPersonStep } from '../../accounts/audit.ts';
import { findPersonByEmail, lockPerson } from '../../accounts/people.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import type { Records, Step } from '../../core/sql/records.ts';
import { unlinkAll } from '../oidc/identities.ts';
import type { DeviceOwner } from '../sign-in/device.ts';
import { dropOneTimes, findOneTime, mintOneTime, useOneTime } from '../sign-in/one-time.ts';
import { forgetGuesses, ofPassword, ofSecondFactor } from '../sign-in/throttle.ts';
import { endWaysIn } from '../sign-in/ways-in.ts';

/** A token for the person with that address, valid for an hour, in place of any before; undefined if there is nobody. */
export async function openReset(records: Records, email: string, now: number): Promise<string | undefined> {
  const person = await findPersonByEmail(records, email);
  if (person === undefined) return undefined;
  const { token, step } = mintOneTime(records, 'reset', person.id, now);
  await records.transact([
    lockPerson(person.id),
    dropOneTimes(person.id, 'reset'),
    step,
    forgetGuesses(ofPassword(email)),
    forgetGuesses(ofSecondFactor(person.id)),
    auditPersonStep(records, {
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

/** Removes all ways to sign in, because someone else may have what was lost. Refused if the token was used. */
export function reset(
  records: Records,
  token: string,
  { id, password, address }: { readonly id: string; readonly password: string; readonly address: string },
  now: number,
): { readonly owner: DeviceOwner; readonly steps: readonly Step[] } {
  const ended = endWaysIn(records, id);
  const steps = [
    lockPerson(id),
    useOneTime('reset', token, now),
    { sql: 'UPDATE person SET password = $2 WHERE id = $1', args: [id, password] },
    ...ended.steps,
    unlinkAll(id),
    auditPersonStep(records, { personId: id, address, action: 'person.reset', at: now }),
  ];
  return { owner: ended.owner, steps };
}
