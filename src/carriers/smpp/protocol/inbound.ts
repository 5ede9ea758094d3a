/** Messages from telephones in deliver_sm and data_sm (SMPP 3.4, section 5.2.12). */
import { GSM7_BASIC } from '../../../core/message/segments.ts';
import type { InboundMessage } from '../../../core/sending/carrier.ts';
import type { ReceivedMessage } from './body.ts';
import { decodeNumber, decodeText, MESSAGE_TYPE, ORDINARY_MESSAGE, textOctets } from './receipt.ts';

const DEFAULT_ALPHABET = 0;

/** Undefined for everything but a message of a person: receipts in any state, acknowledgements, and senders without a number. */
export function parseInbound(carrier: string, message: ReceivedMessage): InboundMessage | undefined {
  const from = decodeNumber(message.source);
  if ((message.esmClass & MESSAGE_TYPE) !== ORDINARY_MESSAGE || from === undefined) return undefined;
  const text =
    message.dataCoding === DEFAULT_ALPHABET ? decodeGsm7(textOctets(message)) : decodeText(message);
  return { carrier, from, text };
}

/** The SMSC's default alphabet is in practice that of GSM 03.38, one septet in each octet. Letters and digits are as in ASCII. */
function decodeGsm7(octets: Buffer): string {
  return Array.from(octets, (septet) => GSM7_BASIC.charAt(septet)).join('');
}
