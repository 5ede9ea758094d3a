/** What a person sent back, as a carrier's callback tells it. */
import type { CallbackAnswer } from '../../core/sending/carrier.ts';
import { NO_RECEIPT } from './report.ts';

/** Some carriers leave the plus out. */
const NUMBER = /^\+?([1-9]\d{4,14})$/;

/** Nothing if it comes from no telephone number, such as from a name. */
export function heard(carrier: string, from: string, text: string): CallbackAnswer {
  const digits = NUMBER.exec(from)?.[1];
  return digits === undefined
    ? NO_RECEIPT
    : { kind: 'message', message: { carrier, from: `+${digits}`, text } };
}
