/** The fields that several routes share, with their limits. */
import Type from 'typebox';
import {
  BASIC_CHANNELS,
  CHANNEL_NAMES,
  type Channel as ChannelName,
  listKinds,
} from '../core/destination/channel.ts';

const KINDS = {
  e164: 'an E.164 number',
  extension: 'an E.164 number with an extension (`tel:+...;ext=12`)',
  sip: 'a `sip:` URI',
};

export const DestinationSchema = Type.String({
  minLength: 1,
  maxLength: 300,
  description: `Where the code goes. ${BASIC_CHANNELS.map((channel) => `${channel}: ${listKinds(channel, KINDS)}.`).join(' ')}`,
  examples: ['+12025550123'],
});

/** In answers that any key of the account may get. */
export const ShownDestination = Type.String({
  description:
    'Where the code went. In full for the key that asked for it, and for the one that took its place by rotation; every other key gets a telephone number with its middle digits as `•`.',
  examples: ['+12025550123'],
});

/** Any channel that there is, for pages that show what was sent and what could be. */
export const AnyChannel = Type.Unsafe<ChannelName>({ ...channelAmong(CHANNEL_NAMES) });

/** The channels of every service. The document and `/verify` add those that routes serve. */
export const ChannelSchema = Type.Unsafe<ChannelName>({ ...channelAmong(BASIC_CHANNELS) });

function channelAmong(names: readonly ChannelName[]) {
  return { type: 'string', enum: names, description: 'How the code is delivered.', examples: ['sms'] };
}
export const VerificationId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The id of the verification.',
  examples: ['ver_019a0c5e7d2f7b10a3c4d5e6f7a8b9c0'],
});

/** Examples begin at noon. Each is the time that fits the others of its answer, as what follows `12:`. */
export const instantOf = (description: string, example = '00:00.000') =>
  Type.String({ format: 'date-time', description, examples: [`2026-11-20T12:${example}Z`] });

export const Instant = instantOf('A time in UTC (RFC 3339).');
