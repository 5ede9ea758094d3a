/** Receipts of an `http` carrier: asks for them, and reads the callbacks that the options describe. */
import type { Callback, CallbackAnswer, CarrierPorts } from '../../../core/sending/carrier.ts';
import { parseAnswer, textAt } from '../../gateway/json-answer.ts';
import { report } from '../../gateway/report.ts';
import type { HttpOptions } from '../options.ts';
import type { ReceiptOptions } from './options.ts';
import { createReceiptProof, type ReceiptAddress } from './proof.ts';

export interface ReceiptReader {
  /** The value of {{receiptUrl}} for one message. */
  address(): ReceiptAddress;
  read(callback: Callback): CallbackAnswer;
}

/** Undefined if the gateway sends none. */
export function createReceiptReader(
  { clock, random }: Pick<CarrierPorts, 'clock' | 'random'>,
  carrier: string,
  { receipts }: Pick<HttpOptions, 'receipts'>,
  callbackUrl: string,
): ReceiptReader | undefined {
  if (receipts === undefined) return undefined;
  const final = {
    delivered: receipts.delivered.map(String),
    undelivered: receipts.undelivered.map(String),
  };
  const proof = createReceiptProof(random, receipts.proof, callbackUrl);
  return {
    address: () => proof.address(),
    read(callback) {
      const proven = proof.check(callback, clock.wall());
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
