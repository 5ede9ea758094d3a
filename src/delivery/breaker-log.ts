/**
 * Tells the operator when a carrier is set aside, and when it is in use again: a line each, however many messages and trials
 * fail meanwhile.
 */
import type { Log } from '../core/sending/carrier.ts';
import type { DeliveryMetrics } from '../core/sending/delivery-metrics.ts';
import { presentReason } from './reason.ts';

/** Metrics that pass everything on. */
export function logBreakers(deliveryMetrics: DeliveryMetrics, log: Log): DeliveryMetrics {
  /** Why each carrier is set aside. */
  const aside = new Map<string, string>();
  return {
    ...deliveryMetrics,
    breaker(carrier, state, why) {
      deliveryMetrics.breaker(carrier, state, why);
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
      deliveryMetrics.dismissed(carrier);
    },
  };
}
