/** What is wrong with the options of receipts, found without loading what reads receipts. */
import type { HttpOptions } from '../options.ts';
import type { HmacOptions, ProofOptions, ReceiptOptions } from './options.ts';

const PIECES = ['body', 'url', 'timestamp'] as const;

/** What a signature covers: literals, and a piece of the callback between each two of them. */
export interface Signed {
  readonly literals: readonly string[];
  readonly pieces: readonly (typeof PIECES)[number][];
}

/** @throws Error that names the wrong option */
export function checkReceipts({ receipts, reference }: Pick<HttpOptions, 'receipts' | 'reference'>): void {
  if (receipts === undefined) return;
  checkIds(receipts, reference);
  const delivered = receipts.delivered.map(String);
  const both = receipts.undelivered.map(String).find((word) => delivered.includes(word));
  if (both !== undefined) throw new Error(`receipts.undelivered: ${both} is in delivered, too`);
  checkProof(receipts.proof, receipts.in);
}

/** By which id a receipt finds its message. */
function checkIds({ id, proof }: ReceiptOptions, reference: string | undefined): void {
  if (proof.type === 'address') {
    const why = 'the address of a receipt says which message it is; remove it';
    if (id !== undefined) throw new Error(`receipts.id: ${why}`);
    if (reference !== undefined) throw new Error(`reference: ${why}`);
    return;
  }
  if (id === undefined)
    throw new Error('receipts.id: is missing, and says which message a receipt is about; add it');
  if (reference === undefined)
    throw new Error(
      "reference: is missing, and receipts name messages by the id in the gateway's answer; add it",
    );
}

function checkProof(proof: ProofOptions, place: ReceiptOptions['in']): void {
  if (proof.type === 'hmac') checkCoverage(proof, place);
  if (proof.type !== 'secret' || (proof.header === undefined) !== (proof.query === undefined)) return;
  throw new Error('receipts.proof: needs either header or query, which holds the secret');
}

/** What is read must be signed: a signature over something else would prove nothing about it. */
function checkCoverage({ signs, timestamp }: HmacOptions, place: ReceiptOptions['in']): void {
  const { pieces } = splitSigned(signs);
  const needed = place === 'query' ? 'url' : 'body';
  if (!pieces.includes(needed)) {
    throw new Error(`receipts.proof.signs: needs {{${needed}}}, which holds the fields of a callback`);
  }
  const isTimed = timestamp !== undefined;
  if (pieces.includes('timestamp') === isTimed) return;
  throw new Error(
    isTimed
      ? 'receipts.proof.signs: needs {{timestamp}}, because a time that is not signed can be replaced; add it'
      : 'receipts.proof.timestamp: {{timestamp}} is signed, but its header is not set',
  );
}

/** @throws Error that names the option, for a placeholder that does not exist */
export function splitSigned(signs: string): Signed {
  // Splitting on a pattern with a group gives literals at even places and names at odd ones.
  const parts = signs.split(/\{\{\s*(.*?)\s*\}\}/s);
  const names = parts.filter((_, place) => place % 2 === 1);
  const pieces = names.map((name) => {
    const piece = PIECES.find((known) => known === name);
    if (piece !== undefined) return piece;
    throw new Error(`receipts.proof.signs: unknown placeholder {{${name}}}; use ${PIECES.join(', ')}`);
  });
  return { literals: parts.filter((_, place) => place % 2 === 0), pieces };
}
