/** What an endpoint gets to read. It is made again for each try, right before it is told, so that it lies nowhere. */
import { openMetadata } from '../core/body/details.ts';
import { maskDestination } from '../core/destination/destination-mask.ts';
import { type EventMessage, type EventSubject, TEST_TYPE } from '../core/events/event.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import { ifIntact, openField } from '../core/secrets/sealed-field.ts';

/** Undefined if there is nothing to tell any more: what it is about was erased. Never has a code. */
export function composeBody(
  keyring: Keyring,
  message: EventMessage,
  about: EventSubject | null,
  fullNumbers: boolean,
): string | undefined {
  const { type, verificationId: id, carrier, reason } = message;
  const at = new Date(message.at).toISOString();
  if (type === TEST_TYPE) return JSON.stringify({ type, timestamp: at, data: { at } });
  if (id === null || about === null) return undefined;
  const { country, test, destinationSealed, detailsSealed } = about;
  const channel = message.channel ?? about.channel;
  const number = ifIntact(() => openField(keyring, destinationSealed, id, 'destination'));
  const data = {
    ...{ id, channel },
    destination: number === undefined ? null : fullNumbers ? number : maskDestination(number),
    ...{ country, test, carrier, reason },
    metadata: openMetadata(keyring, detailsSealed, id) ?? null,
    at,
  };
  return JSON.stringify({ type, timestamp: at, data });
}
