/** Receipts of an `http` carrier: asks for them, and reads the callbacks that the options describe. */
import type { Callback, CallbackAnswer } from '../../../core/sending/carrier.ts';
import { parseAnswer, textAt } from '../../gateway/json-answer.ts';
import { report } from '../../gateway/report.ts';
import type { HttpOptions } from '../options.ts';
import type { ReceiptOptions } from './options.ts';
import { createProof, type ReceiptAddress } from './proof.ts';

export interface Receipts {
  /** The value of {{receiptUrl}} for one message. */
  address(): ReceiptAddress;
  read(callback: Callback): CallbackAnswer;
}

/**
 * Undefined if the gateway sends none.
 * @throws Error that names the wrong option
 */
export function createReceipts(
  carrier: string,
  options: Pick<HttpOptions, 'receipts' | 'reference'>,
  callbackUrl: string,
): Receipts | undefined {
  const { receipts } = options;
  if (receipts === undefined) return undefined;
  checkIds(receipts, options.reference);
  const final = wordsOf(receipts);
  const proof = createProof(receipts.proof, receipts.in, callbackUrl);
  return {
    address: () => proof.address(),
    read(callback) {
      const proven = proof.check(callback, Date.now());
      if (proven === undefined) return { kind: 'forged' };
      const fieldAt = fieldsOf(callback, receipts.in);
      const reference = proven.reference ?? fieldAt(receipts.id);
      const status = fieldAt(receipts.status);
      if (!reference || status === undefined) {
        return {
          kind: 'malformed',
          detail: 'needs the id and the status, where the options say that they are',
        };
      }
      return report(carrier, reference, status, final, readReason(fieldAt(receipts.reason)));
    },
  };
}

/** By which id a receipt finds its message. */
function checkIds({ id, proof }: ReceiptOptions, reference: string | undefined): void {
  if (proof.type !== 'address') {
    if (id === undefined)
      throw new Error('receipts.id: is missing; without it nobody knows which message it is');
    if (reference === undefined) {
      throw new Error("reference: is missing; receipts name messages by the id in the gateway's answer");
    }
    return;
  }
  if (id !== undefined)
    throw new Error('receipts.id: the address of a receipt says which message it is; remove it');
  if (reference !== undefined) {
    throw new Error('reference: the address of a receipt says which message it is; remove it');
  }
}

function wordsOf({ delivered, undelivered }: ReceiptOptions) {
  const final = { delivered: delivered.map(String), undelivered: undelivered.map(String) };
  const both = final.delivered.find((word) => final.undelivered.includes(word));
  if (both === undefined) return final;
  throw new Error(`receipts.undelivered: ${both} is in delivered, too`);
}

type FieldAt = (field: string | undefined) => string | undefined;

function fieldsOf({ url, body }: Callback, place: ReceiptOptions['in']): FieldAt {
  if (place === 'json') {
    const parsed = parseAnswer(body.toString());
    return (path) => (path === undefined ? undefined : textAt(parsed, path));
  }
  const fields = place === 'form' ? new URLSearchParams(body.toString()) : new URL(url).searchParams;
  return (name) => (name === undefined ? undefined : (fields.get(name) ?? undefined));
}

/** Only short numbers and names: gateways repeat texts and numbers. Otherwise the status is the reason. */
function readReason(reason: string | undefined): string | undefined {
  return reason !== undefined && /^(-?\d{1,5}|[A-Za-z][A-Za-z_]{0,59})$/.test(reason) ? reason : undefined;
}
