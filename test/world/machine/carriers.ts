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
  Revocation,
  TakenMessage,
} from '../../../src/core/sending/carrier.ts';
import type { AnyCarrierOptions } from '../../../src/options/carrier-type.ts';
import type { Channel, Conduct, TakingBack } from '../command.ts';
import type { AskedBack, Sent, Took } from '../happening.ts';
import { takesBack } from '../routes.ts';

/** Sooner than what it was asked to send is leased anew, and than any deadline. */
const SLOW_MS = 3_000;

/** Whether they rang is known at once. Of texts only a report tells. */
const CALLS: readonly Channel[] = ['voice', 'flashcall'];

/** The carriers of the world, which outlive the processes that ask them. */
export class Carriers {
  readonly #conducts = new Map<string, Conduct>();
  readonly #sent: (sent: Sent) => void;
  readonly #took: (took: Took) => void;
  readonly #askedBack: (asked: AskedBack) => void;
  readonly #takingBack = new Map<string, TakingBack>();
  count = 0;
  /** Of the newest process at each place. */
  readonly #ports = new Map<number, CarrierPorts>();

  constructor(sent: (sent: Sent) => void, took: (took: Took) => void, askedBack: (asked: AskedBack) => void) {
    this.#sent = sent;
    this.#took = took;
    this.#askedBack = askedBack;
  }

  conduct(carrier: string, conduct: Conduct): void {
    this.#conducts.set(carrier, conduct);
  }

  /** From now on it answers this when it is asked to take a message back. */
  takeBack(carrier: string, answer: TakingBack): void {
    this.#takingBack.set(carrier, answer);
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
      ...(takesBack(name) && {
        revoke: (taken: TakenMessage, signal: AbortSignal) => this.#revoke(name, taken, signal),
      }),
      check: async () => ({ ok: true, detail: '' }),
      stop: async () => {},
    };
  }

  #revoke(
    carrier: string,
    { channel, reference }: TakenMessage,
    signal: AbortSignal,
  ): Promise<Revocation> | undefined {
    if (channel !== 'rcs') return undefined;
    const answer = this.#takingBack.get(carrier) ?? 'revoked';
    this.#askedBack({ carrier, channel, reference: reference ?? '', answer });
    switch (answer) {
      case 'unless arriving':
        return Promise.resolve('unless-arriving');
      case 'failed':
        return Promise.reject(new Error('the connection was lost'));
      case 'hung':
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('unknown'), { once: true });
        });
      default:
        return Promise.resolve(answer);
    }
  }

  #submit(
    carrier: string,
    message: OutgoingMessage,
    deadline: Deadline,
    clock: Clock,
  ): Outcome | Promise<Outcome> {
    const { destination, code, replacedAt } = message;
    const channel = channelOf(message);
    const wished = this.#conducts.get(carrier) ?? 'accepted';
    const did = wished === 'arrived' && !CALLS.includes(channel) ? 'accepted' : wished;
    this.count += 1;
    const reference = `m${this.count}`;
    this.#sent({
      carrier,
      channel,
      to: destination.address,
      code,
      did,
      reference,
      ...(replacedAt !== undefined && { replacedAt }),
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
      case 'arrived':
        return { kind: 'delivered' };
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

/** A carrier of the world has no other. */
function channelOf({ channel }: OutgoingMessage): Channel {
  if (channel === 'sms' || channel === 'voice' || channel === 'rcs' || channel === 'flashcall')
    return channel;
  throw new Error(`no route of the world serves ${channel}`);
}
