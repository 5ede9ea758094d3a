/** Messages that the store kept. */
import { messagesOf } from '../accounts/account-settings.ts';
import { openDetails } from '../body/details.ts';
import { restoreDestination } from '../destination/destination.ts';
import { composeMessage, type MessageOptions } from '../message/message.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openField } from '../secrets/sealed-field.ts';
import type { OutgoingMessage } from '../sending/carrier.ts';
import type { SealedMessage } from '../sending/delivery.ts';

/** Opens messages, worded as when they were first handed over. */
export function createReopen(
  keyring: Keyring,
  messages: MessageOptions,
): (sealed: SealedMessage) => OutgoingMessage {
  return (sealed) => {
    const { id, accountId, test, channel, country, expiresAt, createdAt } = sealed;
    const address = openField(keyring, sealed.destinationSealed, id, 'destination');
    const destination = restoreDestination(address, country);
    const code = openField(keyring, sealed.codeSealed, id, 'code');
    const own = messagesOf(messages, sealed.settings ?? undefined);
    const wish = openDetails(keyring, sealed.detailsSealed, id);
    const wording = composeMessage(own, { code, country, channel, validForMs: expiresAt - createdAt, wish });
    return { id, accountId, test, channel, destination, code, expiresAt, ...wording };
  };
}
