/** The table of channels. A new channel is an entry here and in its carriers. Imports only types, because the portal's pages use it. */
import type { FieldErrorCode } from '../errors/field-error.ts';

export type DestinationKind = 'e164' | 'extension' | 'sip';

interface ChannelTraits {
  /** For people, inside a sentence. */
  readonly label: string;
  /** What one message is called, and several. */
  readonly one: string;
  readonly many: string;
  /** The kinds of destination that it accepts. */
  readonly takes: readonly DestinationKind[];
  /**
   * Whether a message is read or spoken, which needs a carrier with a voice, or has no words: of a missed call only the number is seen
   * that it came from, and the code is the end of that (endings.ts).
   */
  readonly wording: 'text' | 'speech' | 'none';
  /** Whether a carrier sends and charges for each segment of a message; if not, it is one unit. */
  readonly segmented: boolean;
  /** Whether its carriers are told when a message has had its time, so that they do not deliver it after the next channel. */
  readonly timed: boolean;
  /**
   * Types of number (libphonenumber's) that it cannot reach, and how a program is told; what must not be reached by any channel
   * is in never-sent.ts. VoIP numbers may receive anything, and plans that do not distinguish mobiles and landlines
   * (FIXED_LINE_OR_MOBILE, in North America) are not refused.
   */
  readonly refuses: ReadonlyMap<string, FieldErrorCode>;
  /** What a client is told about such a number, and about one that is never sent to. */
  readonly refusal: string;
}

/**
 * Landlines, pagers and mailboxes receive no messages. Toll-free and company-wide (UAN) numbers are not a person's telephone and are a
 * classic target of toll fraud.
 */
const NO_MOBILES = new Map([
  ['FIXED_LINE', 'landline'],
  ['TOLL_FREE', 'toll_free'],
  ['UAN', 'company_wide'],
  ['PAGER', 'pager'],
  ['VOICEMAIL', 'voicemail'],
] as const);

/** Of every service. */
const BASIC = {
  sms: {
    label: 'SMS',
    one: 'SMS',
    many: 'SMS',
    takes: ['e164'],
    wording: 'text',
    segmented: true,
    timed: false,
    refuses: NO_MOBILES,
    refusal:
      'Expected a number that can receive SMS, not a landline, premium-rate, satellite or service number.',
  },
  voice: {
    label: 'voice',
    one: 'call',
    many: 'calls',
    takes: ['e164', 'extension', 'sip'],
    wording: 'speech',
    segmented: false,
    timed: false,
    // Pagers cannot listen, and a mailbox tells the code to anyone who calls it.
    refuses: new Map([
      ['PAGER', 'pager'],
      ['VOICEMAIL', 'voicemail'],
    ]),
    refusal:
      'Expected a number that can be called, not a premium-rate, satellite, service, pager or voicemail number.',
  },
} satisfies Record<string, ChannelTraits>;

/** People have accounts for landlines, too. Numbers that are nobody's telephone are a classic target of toll fraud. */
const NO_ACCOUNTS = new Map([
  ['TOLL_FREE', 'toll_free'],
  ['UAN', 'company_wide'],
  ['PAGER', 'pager'],
  ['VOICEMAIL', 'voicemail'],
] as const);

/** A service offers them only while one of its routes serves them. */
const FURTHER = {
  whatsapp: {
    label: 'WhatsApp',
    one: 'WhatsApp message',
    many: 'WhatsApp messages',
    takes: ['e164'],
    wording: 'text',
    segmented: false,
    timed: false,
    refuses: NO_ACCOUNTS,
    refusal:
      'Expected a number that can have a WhatsApp account, not a premium-rate, satellite or service number.',
  },
  telegram: {
    label: 'Telegram',
    one: 'Telegram message',
    many: 'Telegram messages',
    takes: ['e164'],
    wording: 'text',
    segmented: false,
    timed: false,
    refuses: NO_ACCOUNTS,
    refusal:
      'Expected a number that can have a Telegram account, not a premium-rate, satellite or service number.',
  },
  // Bound to the SIM of a telephone, as SMS is, and not to an account.
  rcs: {
    label: 'RCS',
    one: 'RCS message',
    many: 'RCS messages',
    takes: ['e164'],
    wording: 'text',
    segmented: false,
    timed: true,
    refuses: NO_MOBILES,
    refusal:
      'Expected a number that can receive RCS, not a landline, premium-rate, satellite or service number.',
  },
  // Many a landline shows no number, or is answered by a machine before anybody has seen it.
  flashcall: {
    label: 'missed call',
    one: 'missed call',
    many: 'missed calls',
    takes: ['e164'],
    wording: 'none',
    segmented: false,
    timed: false,
    refuses: NO_MOBILES,
    refusal:
      'Expected a mobile number, which shows who has called, not a landline, premium-rate, satellite or service number.',
  },
} satisfies Record<string, ChannelTraits>;

const TABLE = { ...BASIC, ...FURTHER };

export type Channel = keyof typeof TABLE;

/** The channels that every service offers, and that have texts of their own. */
export type BasicChannel = keyof typeof BASIC;

export const CHANNELS: Readonly<Record<Channel, ChannelTraits>> = TABLE;

/** In display order. */
export const CHANNEL_NAMES: readonly Channel[] = Object.keys(TABLE).filter(isChannel);

export const BASIC_CHANNELS: readonly BasicChannel[] = CHANNEL_NAMES.filter(isBasic);

export function isBasic(channel: Channel): channel is BasicChannel {
  return Object.hasOwn(BASIC, channel);
}

/** What a service offers whose routes serve these. */
export function offeredBy(routed: readonly Channel[]): readonly Channel[] {
  return CHANNEL_NAMES.filter((channel) => isBasic(channel) || routed.includes(channel));
}

/** Whose words a channel has: messages that are read and have no text of their own have that of SMS. */
export function wordsOf(channel: Channel): BasicChannel {
  return isSpoken(channel) ? 'voice' : 'sms';
}

function isChannel(name: string): name is Channel {
  return Object.hasOwn(TABLE, name);
}

export function isSpoken(channel: Channel): boolean {
  return CHANNELS[channel].wording === 'speech';
}

/** Whether the code is the end of the number that calls, and nothing is said. */
export function isMissedCall(channel: Channel): boolean {
  return CHANNELS[channel].wording === 'none';
}

export function isTimed(channel: Channel): boolean {
  return CHANNELS[channel].timed;
}

export function isSegmented(channel: Channel): boolean {
  return CHANNELS[channel].segmented;
}

/** What a channel accepts, in the given words: `a`, or `a, b, or c`. */
export function listKinds(channel: Channel, words: Readonly<Record<DestinationKind, string>>): string {
  const listed = CHANNELS[channel].takes.map((kind) => words[kind]);
  return listed.length < 2 ? listed.join() : `${listed.slice(0, -1).join(', ')}, or ${listed.at(-1)}`;
}
