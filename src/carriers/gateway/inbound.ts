/** What people sent back, as a carrier's callback tells it. */
import type { CallbackAnswer } from '../../core/sending/carrier.ts';
import { NO_RECEIPT } from './report.ts';

/** Some carriers leave the plus out. */
const NUMBER = /^\+?([1-9]\d{4,14})$/;

/** Nothing if it comes from no telephone number, such as from a name. */
export const heard = (carrier: string, from: string, text: string): CallbackAnswer =>
  heardAll(carrier, [{ from, text }]);

export function heardAll(
  carrier: string,
  said: readonly { readonly from: string; readonly text: string }[],
): CallbackAnswer {
  const messages = said.flatMap(({ from, text }) => {
    const number = readInboundNumber(from);
    return number === undefined ? [] : [{ carrier, from: number, text }];
  });
  return messages.length === 0 ? NO_RECEIPT : { kind: 'messages', messages };
}

/** Undefined if it is no telephone number. */
export function readInboundNumber(from: string): string | undefined {
  const digits = NUMBER.exec(from)?.[1];
  return digits && `+${digits}`;
}
