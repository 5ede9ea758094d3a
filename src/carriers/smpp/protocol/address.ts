/** Telephone numbers and sender names as SMPP addresses (SMPP 3.4, sections 5.2.5 and 5.2.6). */
import type { SmppOptions } from '../options.ts';
import type { Address } from './body.ts';

export const INTERNATIONAL = 1;
const NETWORK_SPECIFIC = 3;
const ALPHANUMERIC = 5;
const E164_PLAN = 1;
/** Short codes have up to eight digits. A longer number is an E.164 number, with or without `+`. */
const SHORT_CODE = /^\d{1,8}$/;
const NUMBER = /^\+?(\d+)$/;

export function senderAddress(options: Pick<SmppOptions, 'source' | 'sourceTon' | 'sourceNpi'>): Address {
  const { ton, npi, digits } = classify(options.source);
  return { ton: options.sourceTon ?? ton, npi: options.sourceNpi ?? npi, digits };
}

/** The address of a destination in E.164 with `+`. */
export function recipientAddress(e164: string): Address {
  return { ton: INTERNATIONAL, npi: E164_PLAN, digits: e164.slice(1) };
}

function classify(source: string): Address {
  const digits = NUMBER.exec(source)?.[1];
  if (digits === undefined) return { ton: ALPHANUMERIC, npi: 0, digits: source };
  if (SHORT_CODE.test(source)) return { ton: NETWORK_SPECIFIC, npi: 0, digits };
  return { ton: INTERNATIONAL, npi: E164_PLAN, digits };
}
