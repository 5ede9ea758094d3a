/** The carrier that sends nothing: messages go into the account's inbox, and a test key can simulate each outcome. */

import { describeError } from '../../core/errors/error-facts.ts';
import { sleep, type Timer } from '../../core/seams/clock.ts';
import type { Carrier, CarrierPorts, Outcome } from '../../core/sending/carrier.ts';
import { MAGIC_DESTINATIONS } from '../../core/verification/magic.ts';

const ARRIVED: Outcome = { kind: 'delivered', inbox: true };
const SLOW_MS = 5_000;
const RECEIPT_AFTER_MS = 100;

export function createSimulatorCarrier(name: string, ports: CarrierPorts): Carrier {
  const { clock } = ports;
  const stopping = new AbortController();
  const receipts = new Set<Timer>();

  async function deliverSlowly(signal: AbortSignal): Promise<Outcome> {
    try {
      await sleep(clock, SLOW_MS, AbortSignal.any([signal, stopping.signal]));
    } catch {
      return { kind: 'temporary', reason: signal.aborted ? 'timed out' : 'stopped' };
    }
    return ARRIVED;
  }

  function reportUndelivered(reference: string): void {
    const timer = clock.after(RECEIPT_AFTER_MS, async () => {
      receipts.delete(timer);
      try {
        await ports.receive({
          carrier: name,
          references: [reference],
          status: 'undelivered',
          reason: 'simulated',
        });
      } catch (error) {
        const fields = { carrier: name, error: describeError(error) };
        ports.log('warn', 'a simulated receipt could not be stored', fields);
      }
    });
    receipts.add(timer);
  }

  return {
    name,
    concurrency: 1_000,
    start() {},
    submit(message, deadline) {
      switch (message.test ? MAGIC_DESTINATIONS.get(message.destination.address) : undefined) {
        case 'undelivered':
          reportUndelivered(message.id);
          return { kind: 'accepted', reference: message.id, receiptFollows: true };
        case 'refused':
          return { kind: 'permanent', reason: 'simulated' };
        case 'slow':
          return deliverSlowly(deadline.signal);
        default:
          return ARRIVED;
      }
    },
    async check() {
      return { ok: true, detail: 'sends nothing' };
    },
    async stop() {
      stopping.abort();
      for (const timer of receipts) timer[Symbol.dispose]();
      receipts.clear();
    },
  };
}
