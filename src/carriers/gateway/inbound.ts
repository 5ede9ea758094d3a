/** What people sent back, as a carrier's callback tells it. */
import type { CallbackAnswer, InboundMessage } from '../../core/sending/carrier.ts';
import { NO_RECEIPT } from './report.ts';

/** Some carriers leave the plus out. */
const NUMBER = /^\+?([1-9]\d{4,14})$/;

/** Nothing if it comes from no telephone number, such as from a name. */
export const heard = (carrier: string, from: string, text: string): CallbackAnswer =>
  heardAll(carrier, [{ from, text }]);

export function heardAll(
  carrier: string,
  said: readonly Pick<InboundMessage, 'from' | 'text'>[],
): CallbackAnswer {
  const messages = said.flatMap(({ from, text }) => {
    const digits = NUMBER.exec(from)?.[1];
    return digits === undefined ? [] : [{ carrier, from: `+${digits}`, text }];
  });
  return messages.length === 0 ? NO_RECEIPT : { kind: 'messages', messages };
}
