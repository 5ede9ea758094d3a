/**
 * A provider vouches for an address for the first time. Until then nothing shows that the person is its owner: the link of an invitation
 * works for whoever holds it.
 */
import type { Records, Step } from '../../core/sql/records.ts';
import type { DeviceOwner } from '../sign-in/device.ts';
import { endWaysIn } from '../sign-in/ways-in.ts';

/** Refused if one did before. The name is as good as the address was. */
export const vouch = (personId: string, name: string): Step => ({
  sql: 'UPDATE person SET vouched = TRUE, name = $2, password = NULL WHERE id = $1 AND NOT vouched RETURNING id',
  args: [personId, name],
  guard: true,
});

/** Ends what was set up without a proof of the address: nobody can tell by whom. */
export function beginAnew(
  records: Pick<Records, 'random'>,
  personId: string,
  name: string,
): { readonly owner: DeviceOwner; readonly steps: readonly Step[] } {
  const ended = endWaysIn(records, personId);
  return { owner: ended.owner, steps: [vouch(personId, name), ...ended.steps] };
}
