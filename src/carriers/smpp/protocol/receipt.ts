/** Delivery receipts in deliver_sm and data_sm (SMPP 3.4, sections 5.2.12 and 5.3.2; the text's form is appendix B). */
import type { Receipt } from '../../../core/sending/carrier.ts';
import { INTERNATIONAL } from './address.ts';
import { type Address, type ReceivedMessage, UDH_INDICATOR } from './body.ts';
import { spellings } from './reference.ts';

export const MESSAGE_TYPE = 0x3c;
const SMSC_RECEIPT = 0x04;
export const ORDINARY_MESSAGE = 0x00;

const RECEIPTED_MESSAGE_ID = 0x001e;
const MESSAGE_STATE = 0x0427;

/** message_state by its number (section 5.2.28). */
const STATES: Readonly<Record<number, string>> = {
  1: 'ENROUTE',
  2: 'DELIVRD',
  3: 'EXPIRED',
  4: 'DELETED',
  5: 'UNDELIV',
  6: 'ACCEPTD',
  7: 'UNKNOWN',
  8: 'REJECTD',
};

/** Final states by their first letters, because SMSCs abbreviate them differently. Any other state is intermediate. */
const DELIVERED = /^DELIV/;
const UNDELIVERED = /^(UNDEL|EXPIR|REJEC|DELET|UNKN|FAIL)/;

/** How a text must begin to count as a receipt if nothing else marks it as one. */
const RECEIPT_TEXT = /^\s*id:\s?[!-~]{1,65}\s.*\bstat:\s?[a-z]/is;

interface ReceiptManners {
  /** Our own numbers, as far as they are international: none is the recipient's. */
  readonly own: ReadonlySet<string>;
  /** Whether a text is enough to make a receipt. */
  readonly unmarked: boolean;
}

/**
 * Reads a receipt; undefined for a message from a telephone and for a state that is not final. Unless the SMSC is known
 * not to mark receipts, the text is not enough: without the esm_class or the parameter, anyone could write a receipt on
 * a telephone.
 */
export function parseReceipt(
  carrier: string,
  message: ReceivedMessage,
  { own, unmarked }: ReceiptManners,
): Receipt | undefined {
  if (!isReceipt(message, unmarked)) return undefined;
  const parameterId = decodeId(message.tlvs.get(RECEIPTED_MESSAGE_ID));
  const text = parseText(decodeText(message));
  const state = STATES[message.tlvs.get(MESSAGE_STATE)?.[0] ?? 0] ?? text.stat;
  const status = DELIVERED.test(state) ? 'delivered' : UNDELIVERED.test(state) ? 'undelivered' : undefined;
  const [first, ...others] = new Set([parameterId, text.id].flatMap((id) => (id ? spellings(id) : [])));
  if (status === undefined || first === undefined) return undefined;

  // The source is the telephone, or the destination if the SMSC leaves the addresses as we sent them.
  const numbers = [message.source, message.destination].flatMap((address) => decodeNumber(address) ?? []);
  const recipients = [...new Set(numbers)].filter((number) => !own.has(number));
  return {
    carrier,
    references: [first, ...others],
    status,
    ...(recipients.length > 0 && { recipients }),
    ...(status === 'undelivered' && { reason: text.err === '' ? state : `${state} ${text.err}` }),
  };
}

/** Whether it is a receipt, in whatever state. */
export function isReceipt(message: ReceivedMessage, unmarked: boolean): boolean {
  const type = message.esmClass & MESSAGE_TYPE;
  if (type !== ORDINARY_MESSAGE) return type === SMSC_RECEIPT;
  return (
    decodeId(message.tlvs.get(RECEIPTED_MESSAGE_ID)) !== undefined ||
    (unmarked && RECEIPT_TEXT.test(decodeText(message)))
  );
}

function decodeId(parameter: Buffer | undefined): string | undefined {
  return parameter?.toString('latin1').replace(/\0.*$/s, '').trim().slice(0, 65);
}

/** `id:IIIIIIIIII sub:SSS dlvrd:DDD submit date:... done date:... stat:DDDDDDD err:EEE text:...` */
function parseText(text: string): { readonly id: string; readonly stat: string; readonly err: string } {
  // The part after `text:` quotes the message and may say anything.
  const [head = ''] = text.split(/\btext:/i, 1);
  return {
    id: /\bid:\s?([!-~]{1,65})/i.exec(head)?.[1] ?? '',
    stat: (/\bstat:\s?([a-z]{1,12})/i.exec(head)?.[1] ?? '').toUpperCase(),
    err: /\berr:\s?([0-9a-f]{1,4})\b/i.exec(head)?.[1] ?? '',
  };
}

/** Without the user data header. */
export function textOctets({ esmClass, octets }: ReceivedMessage): Buffer {
  return esmClass & UDH_INDICATOR ? octets.subarray(1 + (octets[0] ?? 0)) : octets;
}

export function decodeText(message: ReceivedMessage): string {
  const text = textOctets(message);
  if (message.dataCoding !== 8) return text.toString('latin1');
  return Buffer.from(text.subarray(0, text.length & ~1))
    .swap16()
    .toString('utf16le');
}

/** Only an international number is unambiguous; carriers write others in their own way. */
export function decodeNumber({ ton, digits }: Address): string | undefined {
  const number = digits.startsWith('+') ? digits.slice(1) : ton === INTERNATIONAL ? digits : '';
  return /^[1-9]\d{3,14}$/.test(number) ? `+${number}` : undefined;
}
