/** Who sent something back over WhatsApp. */
import { renumber } from '../../core/destination/renumbered.ts';
import type { InboundMessage } from '../../core/sending/carrier.ts';
import { readInboundNumber } from '../gateway/inbound.ts';

/** A business-scoped user id: WhatsApp tells it in place of the number of somebody with a username. */
const USER = /^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/;

/**
 * WhatsApp keeps the number that an account was opened with, as it was spelled then.
 *
 * @param from a number or a user's id; undefined if WhatsApp tells neither there
 */
export function readWhatsappSender(
  from: string | undefined,
  userId = from,
): Pick<InboundMessage, 'from' | 'orFrom' | 'user'> {
  const number = readInboundNumber(from ?? '');
  const orFrom = number && renumber(number)?.number;
  const user = readWhatsappUser(userId);
  return { from: number, ...(orFrom && { orFrom }), ...(user && { user }) };
}

/** As stores look for it, apart from the users of other messengers. */
export function readWhatsappUser(id: string | undefined): string | undefined {
  return USER.test(id ?? '') ? `whatsapp:${id}` : undefined;
}
