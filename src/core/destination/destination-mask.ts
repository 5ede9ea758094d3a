import { parsePhoneNumberFromString } from 'libphonenumber-js/core/es6';
import metadata from 'libphonenumber-js/metadata.max.json';

const HIDDEN = '•';
const SHOWN_DIGITS = 2;

/**
 * A canonical destination with most of it hidden. A number shows its country code, its last two digits and its length, a
 * SIP URI its host. The length of a user or an extension is hidden as well.
 */
export function maskDestination(address: string): string {
  const [, sip, host] = /^(sips?:).*@(.*)$/.exec(address) ?? [];
  if (sip !== undefined) return `${sip}${HIDDEN.repeat(3)}@${host}`;
  const [, number = '', extension] = /^(?:tel:)?(\+\d+)(;ext=)?/.exec(address) ?? [];
  const code = `+${parsePhoneNumberFromString(number, metadata)?.countryCallingCode ?? ''}`;
  const hidden = Math.max(0, number.length - code.length - SHOWN_DIGITS);
  const end = number.length - SHOWN_DIGITS;
  const masked = `${code}${HIDDEN.repeat(hidden)}${number.slice(Math.max(code.length, end))}`;
  return extension === undefined ? masked : `${masked}${extension}${HIDDEN.repeat(3)}`;
}
