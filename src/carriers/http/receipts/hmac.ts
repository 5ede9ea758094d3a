/** Signatures of callbacks, as the options describe them. */
import { createHmac } from 'node:crypto';
import { areEqual } from '../../../core/secrets/constant-time.ts';
import type { Callback } from '../../../core/sending/carrier.ts';
import { header, isFresh } from '../../gateway/signature.ts';
import { splitSigned } from './faults.ts';
import type { HmacOptions } from './options.ts';

/** How old, or how far ahead, the time of a callback may be. */
const TOLERANCE_S = 300;

/** Whether a callback is signed, and recently enough. */
type IsSigned = (callback: Callback, now: number) => boolean;

export function createSignatureCheck(options: HmacOptions): IsSigned {
  const { secret, algorithm, encoding, prefix, timestamp } = options;
  const [signatureHeader, timeHeader] = [options.header.toLowerCase(), timestamp?.header.toLowerCase()];
  const { literals, pieces } = splitSigned(options.signs);

  function digest({ url, body }: Callback, time: string): string {
    const values = { body, url, timestamp: time };
    const mac = createHmac(algorithm, secret).update(literals[0] ?? '');
    for (const [index, piece] of pieces.entries()) {
      mac.update(values[piece]).update(literals[index + 1] ?? '');
    }
    return mac.digest(encoding);
  }

  return (callback, now) => {
    const given = header(callback, signatureHeader);
    const time = timeHeader === undefined ? '' : header(callback, timeHeader);
    if (given === undefined || time === undefined || !given.startsWith(prefix)) return false;
    if (timestamp !== undefined && !isFresh(inSeconds(time), TOLERANCE_S, now)) return false;
    const signature = given.slice(prefix.length).trim();
    return areEqual(spell(signature, encoding), spell(digest(callback, time), encoding));
  };
}

/** Milliseconds have 13 digits for the next centuries. */
function inSeconds(time: string): string {
  return /^\d{13}$/.test(time) ? time.slice(0, -3) : time;
}

/** One spelling of a signature: hexadecimal has two cases, and base64 may come without its padding. */
function spell(signature: string, encoding: HmacOptions['encoding']): string {
  return encoding === 'hex' ? signature.toLowerCase() : signature.replace(/=+$/, '');
}
