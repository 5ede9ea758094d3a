/** What a carrier's callback says became of a message. */
import type { CallbackAnswer } from '../../core/sending/carrier.ts';
import type { Stated } from './stated-price.ts';

/** A carrier's names for its final statuses. With any other the message is still under way. */
interface FinalStatuses {
  readonly delivered: readonly string[];
  readonly undelivered: readonly string[];
}

export const NO_RECEIPT: CallbackAnswer = { kind: 'receipts', receipts: [] };

/** A receipt if the status is final. */
export function report(
  carrier: string,
  reference: string,
  status: string,
  final: FinalStatuses,
  reason = status,
  { price, network, user }: Stated = {},
): CallbackAnswer {
  const stated = { ...(price && { price }), ...(network && { network }), ...(user && { user }) };
  const receipt = { carrier, references: [reference], ...stated } as const;
  if (final.delivered.includes(status))
    return { kind: 'receipts', receipts: [{ ...receipt, status: 'delivered' }] };
  if (final.undelivered.includes(status))
    return { kind: 'receipts', receipts: [{ ...receipt, status: 'undelivered', reason }] };
  return NO_RECEIPT;
}
