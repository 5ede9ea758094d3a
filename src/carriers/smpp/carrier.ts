/** The carrier of type `smpp`: messages over our own links to an SMSC (SMPP 3.4). */
import { describeError } from '../../core/errors/error-facts.ts';
import { logOnceAMinute } from '../../core/reporting/log-once-a-minute.ts';
import {
  type Carrier,
  type CarrierPorts,
  type Deadline,
  type Log,
  NOT_WANTED,
  type Outcome,
  type OutgoingMessage,
} from '../../core/sending/carrier.ts';
import type { Complaint } from '../complaints.ts';
import { timeLeft } from '../time-left.ts';
import { Drops } from './drops.ts';
import { SMPP_TIMES, type SmppOptions } from './options.ts';
import type { SmscAnswer } from './outstanding.ts';
import { LinkPool } from './pool.ts';
import { recipientAddress, senderAddresses } from './protocol/address.ts';
import { decodeMessageId, type ReceivedMessage, relativeTime } from './protocol/body.ts';
import { parseInbound } from './protocol/inbound.ts';
import { prepareParameters } from './protocol/parameters.ts';
import { decodeNumber, isReceipt, parseReceipt } from './protocol/receipt.ts';
import { canonicalReference } from './protocol/reference.ts';
import { segmentText } from './protocol/segments.ts';
import { refusal, STATUS } from './protocol/status.ts';
import { tryBinding } from './trial.ts';

/**
 * A text too long for one short message goes out in parts, one after the other. It counts as accepted when all parts
 * are; only the last one asks for a receipt.
 */
export function createSmppCarrier(
  name: string,
  options: SmppOptions,
  ports: CarrierPorts,
  times = SMPP_TIMES,
): Carrier {
  const addressOf = senderAddresses(options);
  const parametersOf = prepareParameters(options);
  const countries = ['', ...Object.keys(options.senders ?? {})];
  const own = new Set(countries.flatMap((country) => decodeNumber(addressOf(country)) ?? []));
  const manners = { own, unmarked: options.unmarkedReceipts };
  const log: Log = (level, message, fields) => ports.log(level, message, { carrier: name, ...fields });
  const { clock, random } = ports;
  const quietLog = logOnceAMinute(log, clock.steady);
  const linkOptions = { ...options, ...times };
  const pool = new LinkPool(linkOptions, { clock, random, deliver, log });
  const drops = new Drops();
  let concatenations = 0;

  async function deliver(message: ReceivedMessage | undefined): Promise<void> {
    const receipt = message === undefined ? 'unreadable' : parseReceipt(name, message, manners);
    if (message === undefined || receipt === 'unreadable') return ports.unusable?.(name, 'unreadable');
    const inbound = isReceipt(message, manners.unmarked) ? undefined : parseInbound(name, message);
    try {
      if (receipt !== undefined) await ports.receive(receipt);
      else if (inbound !== undefined) await ports.hear?.(inbound);
    } catch (error) {
      const what = receipt === undefined ? 'message of a person' : 'receipt';
      const fields = { error: describeError(error) };
      log('warn', `${what} not stored; the SMSC is asked to send it again`, fields);
      throw error;
    }
  }

  async function submit(message: OutgoingMessage, deadline: Deadline): Promise<Outcome> {
    if (message.destination.kind !== 'e164') return { kind: 'permanent', reason: 'not a telephone number' };
    const { address, country } = message.destination;
    concatenations += 1;
    const { dataCoding, esmClass, parts } = segmentText(message.text, concatenations, options);
    const parameters = parametersOf(country, message.registration);
    const common = {
      serviceType: options.serviceType,
      source: addressOf(country),
      destination: recipientAddress(address),
      esmClass,
      dataCoding,
      // So that no code arrives after it has expired, or together with a newer one.
      validityPeriod: options.validity ? relativeTime(timeLeft(clock, message.expiresAt)) : '',
    };
    let outcome: Outcome = { kind: 'accepted' };
    for (const [index, part] of parts.entries()) {
      const receipt = options.receipts && index === parts.length - 1;
      const pdu = {
        ...common,
        registeredDelivery: receipt ? 1 : 0,
        octets: part.octets,
        parameters: part.parameters ? Buffer.concat([part.parameters, parameters]) : parameters,
      };
      const suspect = drops.isSuspect(message);
      const answer = await pool.submit(pdu, deadline, suspect);
      outcome = (suspect && blame(answer)) || interpret(withPartsBefore(index, answer), receipt, complain);
      heedDrops(message, answer, outcome);
      if (outcome.kind !== 'accepted') return index === 0 ? outcome : ofParts(outcome);
    }
    return outcome;
  }

  function complain({ level, message }: Complaint): void {
    quietLog(level, message);
  }

  /** One message at which the SMSC drops the link, or forgets the session, must not block all others until its code expires. */
  function heedDrops(message: OutgoingMessage, answer: SmscAnswer, outcome: Outcome): void {
    if (outcome === DROPS_LINK || outcome === ENDS_SESSION) {
      log('warn', outcome.reason.replace('this message', 'a message'), { verification: message.id });
      drops.forget(message);
    } else if (answer.kind === 'response') drops.forget(message);
    else if (isDropped(answer) || answer.kind === 'unbound') drops.note(message, clock.now());
  }

  return {
    name,
    link: pool,
    concurrency: options.links * options.window,
    start: () => pool.start(),
    submit,
    async check() {
      const state = pool.state();
      if (state === undefined) return tryBinding(clock, linkOptions);
      const detail = `${state.bound} of ${options.links} links bound`;
      if (state.bound === 0) return { ok: false, detail: `${detail}: ${state.trouble}` };
      // Messages go on without it, and the SMSC keeps their receipts for it; but somebody has to know.
      if (typeof state.receiver !== 'string') {
        return { ok: false, detail: `${detail}, but no receipts come: receiver: ${state.receiver.trouble}` };
      }
      return { ok: true, detail };
    },
    stop: () => pool.stop(),
  };
}

const DROPS_LINK = {
  kind: 'permanent',
  reason: 'the SMSC drops the link at this message',
  unclear: true,
} as const satisfies Outcome;

/** The SMSC said that it took nothing. */
const ENDS_SESSION = {
  kind: 'permanent',
  reason: 'the SMSC forgets the session at this message',
} as const satisfies Outcome;

/** What the end of a link says about the message that was alone on it; undefined if the link may be to blame. */
function blame(answer: SmscAnswer): Outcome | undefined {
  if (isDropped(answer)) return DROPS_LINK;
  return answer.kind === 'unbound' && answer.worked ? ENDS_SESSION : undefined;
}

/** Earlier parts were taken, and may be charged for, whatever happened to this one. */
function ofParts(outcome: Outcome): Outcome {
  const isRefusal =
    outcome.kind === 'permanent' || (outcome.kind === 'temporary' && outcome.link === undefined);
  return isRefusal ? { ...outcome, unclear: true } : outcome;
}

function isDropped(answer: SmscAnswer): boolean {
  return answer.kind === 'lost' && answer.dropped;
}

/** Earlier parts of the message have already reached the SMSC, whatever happened to this one. */
function withPartsBefore(count: number, answer: SmscAnswer): SmscAnswer {
  if (count === 0 || (answer.kind !== 'unsent' && answer.kind !== 'unbound')) return answer;
  return { kind: 'lost', reason: answer.reason, dropped: false };
}

function interpret(answer: SmscAnswer, receipt: boolean, complain: (complaint: Complaint) => void): Outcome {
  switch (answer.kind) {
    case 'none':
      return { kind: 'temporary', reason: answer.reason, unclear: true };
    case 'unwanted':
      return NOT_WANTED;
    case 'lost':
      return { kind: 'temporary', reason: answer.reason, link: 'lost' };
    case 'unsent':
    case 'unbound':
      return { kind: 'temporary', reason: answer.reason, link: 'down' };
    case 'response': {
      if (answer.status !== STATUS.ok) {
        const { outcome, complaint } = refusal(answer.status);
        if (complaint !== undefined) complain(complaint);
        return outcome;
      }
      const messageId = decodeMessageId(answer.body);
      return receipt && messageId !== ''
        ? { kind: 'accepted', reference: canonicalReference(messageId), receiptFollows: true }
        : { kind: 'accepted' };
    }
  }
}
