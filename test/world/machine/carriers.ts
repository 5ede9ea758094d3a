/** Carriers that do as the history says, and remember what they were asked to send. */

import { createSimulatorCarrier } from '../../../src/carriers/simulator/carrier.ts';
import type { Clock } from '../../../src/core/seams/clock.ts';
import type {
  Carrier,
  CarrierPorts,
  Deadline,
  InboundMessage,
  Outcome,
  OutgoingMessage,
  Receipt,
} from '../../../src/core/sending/carrier.ts';
import type { AnyCarrierOptions } from '../../../src/options/carrier-type.ts';
import type { Conduct, Sent, Took } from '../command.ts';

/** Sooner than what it was asked to send is leased anew, and than any deadline. */
const SLOW_MS = 3_000;

/** The carriers of the world, which outlive the processes that ask them. */
export class Carriers {
  readonly #conducts = new Map<string, Conduct>();
  readonly #sent: (sent: Sent) => void;
  readonly #took: (took: Took) => void;
  count = 0;
  /** Of the newest process at each place. */
  readonly #ports = new Map<number, CarrierPorts>();

  constructor(sent: (sent: Sent) => void, took: (took: Took) => void) {
    this.#sent = sent;
    this.#took = took;
  }

  conduct(carrier: string, conduct: Conduct): void {
    this.#conducts.set(carrier, conduct);
  }

  /** Somebody answers a message. Rejects as the service does. */
  async hear(place: number, message: InboundMessage): Promise<void> {
    await this.#ports.get(place)?.hear?.(message);
  }

  /** Rejects as the service does. */
  async report(place: number, receipt: Receipt): Promise<void> {
    await this.#ports.get(place)?.receive(receipt);
  }

  /** As the service at that place has its carriers made. */
  createAt =
    (place: number) =>
    async (
      { carriers }: { readonly carriers: Readonly<Record<string, AnyCarrierOptions>> },
      ports: CarrierPorts,
    ): Promise<Carrier[]> => {
      this.#ports.set(place, ports);
      return Object.entries(carriers).map(([name, { type }]) =>
        type === 'simulator' ? createSimulatorCarrier(name, ports) : this.#carrier(name, ports.clock),
      );
    };

  #carrier(name: string, clock: Clock): Carrier {
    return {
      name,
      concurrency: 100,
      start: () => {},
      submit: (message, deadline) => this.#submit(name, message, deadline, clock),
      check: async () => ({ ok: true, detail: '' }),
      stop: async () => {},
    };
  }

  #submit(
    carrier: string,
    message: OutgoingMessage,
    deadline: Deadline,
    clock: Clock,
  ): Outcome | Promise<Outcome> {
    const { channel, destination, code } = message;
    const did = this.#conducts.get(carrier) ?? 'accepted';
    this.count += 1;
    const reference = `m${this.count}`;
    this.#sent({
      carrier,
      channel: channel === 'voice' ? 'voice' : 'sms',
      to: destination.address,
      code,
      did,
      reference,
    });
    switch (did) {
      case 'accepted':
        return { kind: 'accepted', reference, receiptFollows: true };
      case 'slow':
        return new Promise((resolve) => {
          clock.after(SLOW_MS, () => {
            this.#took({ carrier, reference });
            resolve({ kind: 'accepted', reference, receiptFollows: true });
          });
        });
      case 'refused':
        return { kind: 'permanent', reason: 'refused' };
      case 'failed for now':
        return { kind: 'temporary', reason: 'busy', throttled: true };
      case 'answer lost':
        return { kind: 'temporary', reason: 'no answer', unclear: true };
      case 'hung':
        return new Promise((resolve) => {
          const end = () => resolve({ kind: 'temporary', reason: 'deadline', unclear: true });
          deadline.signal.addEventListener('abort', end, { once: true });
        });
    }
  }
}
