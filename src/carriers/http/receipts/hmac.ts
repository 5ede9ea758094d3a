/** Signatures of callbacks, as the options describe them. */
import { createHmac } from 'node:crypto';
import { areEqual } from '../../../core/secrets/constant-time.ts';
import type { Callback } from '../../../core/sending/carrier.ts';
import { header, isFresh } from '../../gateway/signature.ts';
import type { HmacOptions, ReceiptOptions } from './options.ts';

const PIECES = ['body', 'url', 'timestamp'] as const;
type Piece = (typeof PIECES)[number];

/** Whether a callback is signed, and recently enough. */
type IsSigned = (callback: Callback, now: number) => boolean;

/** @throws Error that names the wrong option */
export function createSignatureCheck(options: HmacOptions, place: ReceiptOptions['in']): IsSigned {
  const { secret, algorithm, encoding, prefix, timestamp } = options;
  const [signatureHeader, timeHeader] = [options.header.toLowerCase(), timestamp?.header.toLowerCase()];
  const { literals, pieces } = split(options.signs);
  checkCoverage(pieces, place, timestamp !== undefined);

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
    if (timestamp !== undefined && !isFresh(inSeconds(time), timestamp.tolerance / 1_000, now)) return false;
    const signature = given.slice(prefix.length).trim();
    return areEqual(spell(signature, encoding), spell(digest(callback, time), encoding));
  };
}

function split(signs: string): { readonly literals: readonly string[]; readonly pieces: readonly Piece[] } {
  // Splitting on a pattern with a group gives literals at even places and names at odd ones.
  const parts = signs.split(/\{\{\s*(.*?)\s*\}\}/s);
  const pieces = parts
    .filter((_, place) => place % 2 === 1)
    .map((name) => {
      const piece = PIECES.find((known) => known === name);
      if (piece !== undefined) return piece;
      throw new Error(`receipts.proof.signs: unknown placeholder {{${name}}}; use ${PIECES.join(', ')}`);
    });
  return { literals: parts.filter((_, place) => place % 2 === 0), pieces };
}

/** What is read must be signed: a signature over something else would prove nothing about it. */
function checkCoverage(pieces: readonly Piece[], place: ReceiptOptions['in'], isTimed: boolean): void {
  const needed = place === 'query' ? 'url' : 'body';
  if (!pieces.includes(needed)) {
    throw new Error(`receipts.proof.signs: needs {{${needed}}}, which holds the fields of a callback`);
  }
  if (pieces.includes('timestamp') === isTimed) return;
  throw new Error(
    isTimed
      ? 'receipts.proof.signs: needs {{timestamp}}; a time that is not signed can be replaced'
      : 'receipts.proof.timestamp: {{timestamp}} is signed, but its header is not set',
  );
}

/** Milliseconds have 13 digits for the next centuries. */
function inSeconds(time: string): string {
  return /^\d{13}$/.test(time) ? time.slice(0, -3) : time;
}

/** One spelling of a signature: hexadecimal has two cases, and base64 may come without its padding. */
function spell(signature: string, encoding: HmacOptions['encoding']): string {
  return encoding === 'hex' ? signature.toLowerCase() : signature.replace(/=+$/, '');
}
