/** Delivery receipts in deliver_sm and data_sm (SMPP 3.4, sections 5.2.12 and 5.3.2; the text's form is appendix B). */
import type { Receipt } from '../../../core/sending/carrier.ts';
import { INTERNATIONAL } from './address.ts';
import type { Address, ReceivedMessage } from './body.ts';
import { latin1, readings } from './readings.ts';
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

const STATE = /\bstat:\s?([a-z]{1,12})/i;
const STATE_UNDER_OTHER_KEYS = /\b(?:status|state):\s?([a-z]{1,12})/i;
/** Never the value of another key. */
const STATE_WITHOUT_KEY =
  /(?<!:\s?|\w)(DELIVRD|DELIVERED|UNDELIV|UNDELIVERED|EXPIRED|DELETED|REJECTD|REJECTED|FAILED|UNKNOWN|ENROUTE|ACCEPTD)\b/i;

interface ReceiptManners {
  /** Our own numbers, as far as they are international: none is the recipient's. */
  readonly own: ReadonlySet<string>;
  /** Whether a text is enough to make a receipt. */
  readonly unmarked: boolean;
}

/** States on the way. Any other word is one that we cannot read. */
const INTERMEDIATE = /^(ENROUT|ACCEP|BUFF|SCHED|SKIP|SENT|SUBMI|QUEUE|PEND)/;

/**
 * Reads a receipt; undefined for a message from a telephone and for a state that is not final. Unless the SMSC is known
 * not to mark receipts, the text is not enough: without the esm_class or the parameter, anyone could write a receipt on
 * a telephone.
 */
export function parseReceipt(
  carrier: string,
  message: ReceivedMessage,
  { own, unmarked }: ReceiptManners,
): Receipt | 'unreadable' | undefined {
  if (!isReceipt(message, unmarked)) return undefined;
  const parameterId = decodeId(message.tlvs.get(RECEIPTED_MESSAGE_ID));
  const text = readText(message);
  const state = STATES[message.tlvs.get(MESSAGE_STATE)?.[0] ?? 0] ?? text.stat;
  const status = DELIVERED.test(state) ? 'delivered' : UNDELIVERED.test(state) ? 'undelivered' : undefined;
  const [first, ...others] = new Set([parameterId, text.id].flatMap((id) => (id ? spellings(id) : [])));
  if (first === undefined || (status === undefined && !INTERMEDIATE.test(state))) return 'unreadable';
  if (status === undefined) return undefined;

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
    (unmarked && readings(message, latin1).some((text) => RECEIPT_TEXT.test(text)))
  );
}

function decodeId(parameter: Buffer | undefined): string | undefined {
  return parameter?.toString('latin1').replace(/\0.*$/s, '').trim().slice(0, 65);
}

interface ReceiptText {
  readonly id: string;
  readonly stat: string;
  readonly err: string;
}

/** In whatever alphabet it is. A reading that says both is the right one; SMSCs may leave either to the parameters. */
function readText(message: ReceivedMessage): ReceiptText {
  let partial: ReceiptText | undefined;
  for (const reading of readings(message, latin1)) {
    const text = parseText(reading);
    if (text.id !== '' && text.stat !== '') return text;
    if (text.id !== '' || text.stat !== '') partial ??= text;
  }
  return partial ?? { id: '', stat: '', err: '' };
}

/** `id:IIIIIIIIII sub:SSS dlvrd:DDD submit date:... done date:... stat:DDDDDDD err:EEE text:...` */
function parseText(text: string): ReceiptText {
  // The part after `text:` quotes the message and may say anything.
  const [head = ''] = text.split(/\btext:/i, 1);
  const stat = STATE.exec(head) ?? STATE_UNDER_OTHER_KEYS.exec(head) ?? STATE_WITHOUT_KEY.exec(head);
  return {
    id: /\bid:\s?([!-~]{1,65})/i.exec(head)?.[1] ?? '',
    stat: (stat?.[1] ?? '').toUpperCase(),
    err: /\berr:\s?([0-9a-f]{1,4})\b/i.exec(head)?.[1] ?? '',
  };
}

/** Only an international number is unambiguous; carriers write others in their own way. */
export function decodeNumber({ ton, digits }: Address): string | undefined {
  const number = digits.startsWith('+') ? digits.slice(1) : ton === INTERNATIONAL ? digits : '';
  return /^[1-9]\d{3,14}$/.test(number) ? `+${number}` : undefined;
}
