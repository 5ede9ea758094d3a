/** A carrier under test, and what it reported. */
import { Value } from 'typebox/value';
import { createSmppCarrier } from '../../../src/carriers/smpp/carrier.ts';
import { SMPP_TIMES, type SmppTimes, smppOptions } from '../../../src/carriers/smpp/options.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import type {
  Carrier,
  CarrierPorts,
  Deadline,
  InboundMessage,
  OutgoingMessage,
  Receipt,
} from '../../../src/core/sending/carrier.ts';

export interface LogEvent {
  readonly level: string;
  readonly message: string;
  readonly reason: unknown;
  /** How long the link waits until it is opened again. */
  readonly retryMs: unknown;
}

export interface Rig {
  readonly carrier: Carrier;
  readonly receipts: Receipt[];
  /** What people sent back. */
  readonly heard: InboundMessage[];
  /** Why receipts were of no use. */
  readonly unusable: string[];
  readonly log: LogEvent[];
}

/** Options as the configuration gives them, and times. */
export interface RigOptions {
  readonly times?: Partial<SmppTimes>;
  readonly [option: string]: unknown;
}

/** Reconnects fast, so that tests do not wait. */
export function createRig(
  { times, ...options }: RigOptions,
  receive?: (receipt: Receipt) => Promise<void>,
  hear?: (message: InboundMessage) => Promise<void>,
): Rig {
  const receipts: Receipt[] = [];
  const heard: InboundMessage[] = [];
  const unusable: string[] = [];
  const log: LogEvent[] = [];
  const written = {
    type: 'smpp',
    host: '127.0.0.1',
    systemId: 'u',
    password: 'p',
    source: 'Acme',
    ...options,
  };
  const decoded = Value.Decode(smppOptions, Value.Default(smppOptions, written));
  const quick = { ...SMPP_TIMES, reconnectMin: 20, reconnectMax: 100, ...times };
  const ports: CarrierPorts = {
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    receive: async (receipt) => {
      await receive?.(receipt);
      receipts.push(receipt);
    },
    hear: async (message) => {
      await hear?.(message);
      heard.push(message);
    },
    unusable: (carrier, why) => void unusable.push(`${carrier} ${why}`),
    log: (level, message, fields) => {
      log.push({ level, message, reason: fields?.reason, retryMs: fields?.retryMs });
    },
  };
  const carrier = createSmppCarrier('smsc', decoded, ports, quick);
  return { carrier, receipts, heard, unusable, log };
}

export async function bound(carrier: Carrier): Promise<void> {
  await until(async () => (await carrier.check()).ok);
}

/** Polls, because another program does what the test waits for. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

let numbers = Math.floor(Math.random() * 1e6);

/** A different number for each message, with the ending that decides what happens to it. */
export function freshNumber(ending = '00'): string {
  numbers = (numbers + 1) % 1e6;
  return `4915${String(numbers).padStart(6, '0')}${ending}`;
}

export function messageTo(digits: string, text = '482913 is your code'): OutgoingMessage {
  return {
    id: 'ver_1',
    accountId: 'acc_1',
    test: false,
    channel: 'sms',
    destination: { address: `+${digits}`, kind: 'e164', country: 'DE' },
    code: '482913',
    text,
    locale: 'en',
    expiresAt: Date.now() + 600_000,
  };
}

export const inTime = (ms = 8_000): Deadline => ({ signal: AbortSignal.timeout(ms) });
