/** The carrier that sends nothing: messages are kept to be read back, and a test key can play each outcome. */
import timers from 'node:timers/promises';
import type { Carrier, CarrierPorts, Outcome, OutgoingMessage } from '../../core/carrier.ts';
import { StoreUnavailable } from '../../core/errors.ts';
import { MAGIC_DESTINATIONS } from '../../core/magic.ts';

/** Keeps a message for its account, sealed; durable when it resolves. `at` in Unix ms. */
export type KeepMessage = (message: OutgoingMessage, at: number) => Promise<void>;

const SLOW_MS = 5_000;
const RECEIPT_AFTER_MS = 100;

export function createSimulatorCarrier(name: string, keep: KeepMessage, ports: CarrierPorts): Carrier {
  const stopping = new AbortController();
  const receipts = new Set<NodeJS.Timeout>();

  async function deliver(message: OutgoingMessage): Promise<Outcome> {
    try {
      await keep(message, Date.now());
      return { kind: 'delivered' };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { kind: 'temporary', reason: 'the store cannot commit' };
    }
  }

  async function deliverSlowly(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome> {
    try {
      await timers.setTimeout(SLOW_MS, undefined, { signal: AbortSignal.any([signal, stopping.signal]) });
    } catch {
      return { kind: 'temporary', reason: signal.aborted ? 'timed out' : 'stopped' };
    }
    return deliver(message);
  }

  function reportUndelivered(reference: string): void {
    const timer = setTimeout(async () => {
      receipts.delete(timer);
      try {
        await ports.receive({
          carrier: name,
          references: [reference],
          status: 'undelivered',
          reason: 'simulated',
        });
      } catch {
        ports.log('warn', 'a simulated receipt could not be kept', { carrier: name });
      }
    }, RECEIPT_AFTER_MS);
    receipts.add(timer);
  }

  return {
    name,
    channels: ['sms', 'voice'],
    concurrency: 1_000,
    start() {},
    async submit(message, signal) {
      switch (message.test ? MAGIC_DESTINATIONS.get(message.destination.address) : undefined) {
        case 'undelivered':
          reportUndelivered(message.id);
          return { kind: 'accepted', reference: message.id };
        case 'refused':
          return { kind: 'permanent', reason: 'simulated' };
        case 'slow':
          return deliverSlowly(message, signal);
        default:
          return deliver(message);
      }
    },
    async check() {
      return { ok: true, detail: 'sends nothing' };
    },
    async stop() {
      stopping.abort();
      for (const timer of receipts) clearTimeout(timer);
      receipts.clear();
    },
  };
}
