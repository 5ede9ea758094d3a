/**
 * Tells the operator when a carrier is set aside, and when it is in use again: a line each, however many messages and trials
 * fail meanwhile.
 */
import type { CarrierLog } from '../core/sending/carrier.ts';
import type { Funnel } from '../core/sending/funnel.ts';
import { presentReason } from './reason.ts';

/** A funnel that passes everything on. */
export function logBreakers(funnel: Funnel, log: CarrierLog): Funnel {
  /** Why each carrier is set aside. */
  const aside = new Map<string, string>();
  return {
    ...funnel,
    breaker(carrier, state, why) {
      funnel.breaker(carrier, state, why);
      if (state === 'open' && why !== undefined) {
        const reason = presentReason(why);
        aside.set(carrier, reason);
        log('warn', 'carrier set aside: its messages fail one after the other', { carrier, reason });
      }
      const reason = aside.get(carrier);
      if (state !== 'closed' || reason === undefined) return;
      aside.delete(carrier);
      log('info', 'carrier in use again', { carrier, reason });
    },
    dismissed(carrier) {
      aside.delete(carrier);
      funnel.dismissed(carrier);
    },
  };
}
