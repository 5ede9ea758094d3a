/** The one table of channels. A new one is an entry here, and the carriers that serve it. Imports nothing: pages use it, too. */

/** Anything that a destination can be. */
export type DestinationKind = 'e164' | 'extension' | 'sip';

interface ChannelTraits {
  /** As people read it within a sentence. */
  readonly label: string;
  /** One message of it, and several. */
  readonly one: string;
  readonly many: string;
  /** The kinds of destination it takes. */
  readonly takes: readonly DestinationKind[];
  /** Whether a message is a text to be read, or speech, for which a carrier needs a voice. */
  readonly wording: 'text' | 'speech';
  /**
   * Types of number (libphonenumber's) that it cannot reach, or must not. VoIP and personal numbers may receive anything, and
   * where a plan does not tell mobiles from landlines (FIXED_LINE_OR_MOBILE, all of North America) nothing is refused.
   */
  readonly refuses: ReadonlySet<string>;
  /** What a client is told of such a number. */
  readonly refusal: string;
}

const TABLE = {
  sms: {
    label: 'SMS',
    one: 'SMS',
    many: 'SMS',
    takes: ['e164'],
    wording: 'text',
    // Landlines, pagers and mailboxes take no SMS; toll-free, shared-cost, premium-rate and company-wide (UAN) numbers belong to
    // no person's telephone and are a classic target of toll fraud.
    refuses: new Set(['FIXED_LINE', 'PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'PAGER', 'VOICEMAIL']),
    refusal: 'Expected a number that can receive SMS, not a landline, premium-rate or service number.',
  },
  voice: {
    label: 'voice',
    one: 'call',
    many: 'calls',
    takes: ['e164', 'extension', 'sip'],
    wording: 'speech',
    // Premium-rate numbers bill the caller, pagers cannot listen, and a mailbox tells the code to whoever calls it.
    refuses: new Set(['PREMIUM_RATE', 'PAGER', 'VOICEMAIL']),
    refusal: 'Expected a number that can be called, not a premium-rate, pager or voicemail number.',
  },
} satisfies Record<string, ChannelTraits>;

export type Channel = keyof typeof TABLE;

export const CHANNELS: Readonly<Record<Channel, ChannelTraits>> = TABLE;

/** In the order in which they are shown. */
export const CHANNEL_NAMES: readonly Channel[] = Object.keys(TABLE).filter(isChannel);

function isChannel(name: string): name is Channel {
  return Object.hasOwn(TABLE, name);
}

/** Whether messages are spoken, so that a carrier needs a voice for their language. */
export function isSpoken(channel: Channel): boolean {
  return CHANNELS[channel].wording === 'speech';
}

/** `a`, or `a, b, or c`: what a channel takes, each kind in the words given. */
export function listKinds(channel: Channel, words: Readonly<Record<DestinationKind, string>>): string {
  const listed = CHANNELS[channel].takes.map((kind) => words[kind]);
  return listed.length < 2 ? listed.join() : `${listed.slice(0, -1).join(', ')}, or ${listed.at(-1)}`;
}
