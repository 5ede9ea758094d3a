/** Messages that the store kept. */
import { messagesOf } from '../accounts/account-settings.ts';
import { openDetails } from '../body/details.ts';
import type { Channel } from '../destination/channel.ts';
import { type Destination, restoreDestination } from '../destination/destination.ts';
import { composeMessage, type MessageOptions } from '../message/message.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openField } from '../secrets/sealed-field.ts';
import type { OutgoingMessage } from '../sending/carrier.ts';
import type { SealedMessage } from '../sending/delivery.ts';

/** The channel after the first by which a message goes on; undefined if no route has it any more. */
type FindChannel = (from: Channel, destination: Destination, leg: number) => Channel | undefined;

/**
 * Opens messages, worded as when they were first handed over, or for the channel that they go on by. `validForMs` is how long codes
 * are valid: one that ended before its time no longer tells.
 */
export function createReopen(
  keyring: Keyring,
  messages: MessageOptions,
  validForMs: number,
  findChannel: FindChannel = () => undefined,
): (sealed: SealedMessage) => OutgoingMessage {
  return (sealed) => {
    const { id, accountId, test, country, expiresAt, createdAt } = sealed;
    const address = openField(keyring, sealed.destinationSealed, id, 'destination');
    const destination = restoreDestination(address, country);
    const later = findLater(findChannel, sealed, destination);
    const fallback = later && { leg: later.leg, from: sealed.channel };
    const channel = later?.channel ?? sealed.channel;
    const code = openField(keyring, sealed.codeSealed, id, 'code');
    const own = messagesOf(messages, sealed.settings ?? undefined);
    const wish = openDetails(keyring, sealed.detailsSealed, id);
    const facts = { validForMs: expiresAt > createdAt ? expiresAt - createdAt : validForMs };
    const wording = composeMessage(own, { code, country, channel, wish, ...facts });
    const message = { id, accountId, test, channel, destination, code, expiresAt, ...wording };
    return fallback === undefined ? message : { ...message, fallback };
  };
}

/**
 * The channel after the first that it goes by. A reload may have taken that one away: then the last before it that is still there;
 * undefined if none is, and it goes by the first again.
 */
function findLater(
  findChannel: FindChannel,
  { channel: from, leg: last = 0 }: SealedMessage,
  destination: Destination,
): { readonly leg: number; readonly channel: Channel } | undefined {
  for (let leg = last; leg > 0; leg--) {
    const channel = findChannel(from, destination, leg);
    if (channel !== undefined) return { leg, channel };
  }
  return undefined;
}
