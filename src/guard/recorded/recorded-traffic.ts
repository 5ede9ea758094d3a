/** Feeds recorded traffic to the guard at its recorded times, with the plain limits around it as in the service. */
import { CHANNEL_NAMES, type Channel } from '../../core/destination/channel.ts';
import { parseDestination } from '../../core/destination/destination.ts';
import { readNumber } from '../../core/destination/numbering-plan.ts';
import { telephoneOf } from '../../core/destination/telephone.ts';
import { clientNetworkOf } from '../../core/text/network.ts';
import type { Ask } from '../ask.ts';
import { Guard } from '../guard.ts';
import type { OperatorRule } from '../rules.ts';
import { PlainLimitCounts, type PlainLimits } from './plain-limits.ts';

export interface RecordedRequest {
  readonly at: number;
  readonly ref: string;
  readonly account: string;
  readonly key: string;
  readonly destination: string;
  readonly channel: string;
  readonly ip?: string | undefined;
  /** The client brought the code, and may have it confirmed elsewhere. */
  readonly brought?: boolean | undefined;
}

interface SentCode {
  readonly ask: Ask;
  readonly isBrought: boolean;
}

export interface RecordedDecision {
  readonly decision: 'allow' | 'refuse';
  readonly rule: string;
  readonly detail: string;
}

/** Codes live for minutes; what is confirmed later than this belongs to nothing any more. */
const REMEMBERED = 2 * 3_600_000;

const INVALID: RecordedDecision = {
  decision: 'refuse',
  rule: 'invalid-destination',
  detail: 'not a destination of its channel',
};
const ALLOWED: RecordedDecision = { decision: 'allow', rule: 'none', detail: '' };
const PROBE: RecordedDecision = {
  decision: 'allow',
  rule: 'probe',
  detail: 'a single message that tries a closed place',
};

export class RecordedTraffic {
  readonly #limits: PlainLimitCounts;
  readonly #rules: readonly OperatorRule[];
  readonly #sent = new Map<string, SentCode>();
  readonly #words = new Map<string, string>();
  #guard: Guard | undefined;

  constructor(limits: PlainLimits, rules: readonly OperatorRule[] = []) {
    this.#limits = new PlainLimitCounts(limits);
    this.#rules = rules;
  }

  verify(request: RecordedRequest): RecordedDecision {
    const { at, ref, channel } = request;
    const place = placeOf(request.destination, channel);
    if (place === undefined) return INVALID;
    const { address, country } = place;
    const ask: Ask = {
      at,
      account: this.#word(request.account),
      key: this.#word(request.key),
      number: telephoneOf(address),
      destination: address,
      country,
      network: request.ip === undefined ? undefined : clientNetworkOf(request.ip),
    };
    this.#guard ??= new Guard({ origin: at, rules: this.#rules });
    const isBrought = request.brought === true;
    const judgement = isBrought ? this.#guard.judgeBrought(ask) : this.#guard.judge(ask);
    if (!judgement.allow) {
      if (!isBrought) this.#guard.refused(ask, judgement);
      return { decision: 'refuse', rule: judgement.rule, detail: judgement.detail };
    }
    const limit = this.#limits.take(`${ask.account} ${ask.key}`, ask.account, ask.number, at);
    if (limit !== undefined) return { decision: 'refuse', rule: limit, detail: 'a plain limit is reached' };
    this.#guard.written(isBrought ? this.#guard.sentBrought(ask) : this.#guard.sent(ask, judgement));
    this.#remember(ref, { ask, isBrought });
    return judgement.probe ? PROBE : ALLOWED;
  }

  /** What became of a code; ignored if it was refused or is unknown. */
  confirm(ref: string, at: number, ok: boolean): void {
    const sent = this.#sent.get(ref);
    if (sent === undefined || this.#guard === undefined) return;
    const { ask, isBrought } = sent;
    if (ok) this.#guard.confirmed({ ...ask, at }, !isBrought);
    else if (!isBrought) this.#guard.mismatched({ ...ask, at });
    if (ok) this.#sent.delete(ref);
  }

  #remember(ref: string, sent: SentCode): void {
    this.#sent.delete(ref);
    this.#sent.set(ref, sent);
    for (const [old, { ask }] of this.#sent) {
      if (ask.at > sent.ask.at - REMEMBERED) break;
      this.#sent.delete(old);
    }
  }

  /** One copy of the few words that every line repeats. */
  #word(text: string): string {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    this.#words.set(text, text);
    return text;
  }
}

const E164 = /^\+[1-9]\d{4,14}$/;

/**
 * Where a message would go. What was recorded was sent: a number of a type or a plan that this service would refuse today
 * is judged like any other, in the country of its own that its calling code is.
 */
function placeOf(
  destination: string,
  channel: string,
): { readonly address: string; readonly country: string } | undefined {
  const read = E164.test(destination) ? readNumber(destination) : undefined;
  if (read !== undefined) return { address: destination, country: read.country };
  const parsed = parseDestination(destination, channelOf(channel));
  if (parsed.ok) return parsed.destination;
  return E164.test(destination) ? { address: destination, country: destination.slice(0, 4) } : undefined;
}

function channelOf(name: string): Channel {
  return CHANNEL_NAMES.find((known) => known === name) ?? 'sms';
}
