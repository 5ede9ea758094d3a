/** Messages from telephones in deliver_sm and data_sm (SMPP 3.4, section 5.2.12). */
import { readKeyword } from '../../../core/blocking/keyword.ts';
import type { InboundMessage } from '../../../core/sending/carrier.ts';
import type { ReceivedMessage } from './body.ts';
import { gsm7, latin1, readings } from './readings.ts';
import { decodeNumber, MESSAGE_TYPE, ORDINARY_MESSAGE } from './receipt.ts';

/** The SMSC's default alphabet, in practice that of GSM 03.38. */
const DEFAULT_ALPHABET = 0;

/** Undefined for everything but a message of a person: receipts in any state, acknowledgements, and senders without a number. */
export function parseInbound(carrier: string, message: ReceivedMessage): InboundMessage | undefined {
  const from = decodeNumber(message.source);
  if ((message.esmClass & MESSAGE_TYPE) !== ORDINARY_MESSAGE || from === undefined) return undefined;
  return { carrier, from, text: readText(message) };
}

/** As it is labelled, unless only another reading is a keyword: a person who wrote STOP is obeyed. */
function readText(message: ReceivedMessage): string {
  const [labelled = '', ...others] = readings(
    message,
    message.dataCoding === DEFAULT_ALPHABET ? gsm7 : latin1,
  );
  return [labelled, ...others].find((text) => readKeyword(text) !== undefined) ?? labelled;
}
