/** Telephone numbers and sender names as SMPP addresses (SMPP 3.4, sections 5.2.5 and 5.2.6). */
import { type SenderOf, senderOf } from '../../sender-of.ts';
import type { SmppOptions } from '../options.ts';
import type { Address } from './body.ts';

const UNKNOWN = 0;
export const INTERNATIONAL = 1;
const NETWORK_SPECIFIC = 3;
const ALPHANUMERIC = 5;
const E164_PLAN = 1;
/** Short codes have up to eight digits. A longer number is an E.164 number, with or without `+`. */
const SHORT_CODE = /^\d{1,8}$/;
const NUMBER = /^\+?(\d+)$/;

type Sender = Pick<SmppOptions, 'source' | 'senders' | 'sourceTon' | 'sourceNpi'>;

/** By country. Type and plan that were configured are those of the sender for all other countries. */
export function senderAddresses({ source, senders, sourceTon, sourceNpi }: Sender): SenderOf<Address> {
  const standard = senders?.default ?? source;
  return senderOf({ from: source, senders }, (sender) => {
    const { ton, npi, digits } = classify(sender);
    return sender === standard
      ? { ton: sourceTon ?? ton, npi: sourceNpi ?? npi, digits }
      : { ton, npi, digits };
  });
}

/** The address of a destination in E.164 with `+`. */
export function recipientAddress(e164: string): Address {
  return { ton: INTERNATIONAL, npi: E164_PLAN, digits: e164.slice(1) };
}

function classify(source: string): Address {
  if (source === '') return { ton: UNKNOWN, npi: 0, digits: '' };
  const digits = NUMBER.exec(source)?.[1];
  if (digits === undefined) return { ton: ALPHANUMERIC, npi: 0, digits: source };
  if (SHORT_CODE.test(source)) return { ton: NETWORK_SPECIFIC, npi: 0, digits };
  return { ton: INTERNATIONAL, npi: E164_PLAN, digits };
}
