/** Channels as people read them. */
// By path: the alias `#contract` is only for types, and this is code.
import { BASIC_CHANNELS, CHANNEL_NAMES, CHANNELS, type Channel } from '../../../src/portal/channel.ts';

export { BASIC_CHANNELS, CHANNEL_NAMES, isSpoken } from '../../../src/portal/channel.ts';

/** `SMS`, `Voice`: on its own. */
export function channelName(channel: Channel): string {
  const { label } = CHANNELS[channel];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** `SMS`, `voice`: in a sentence. */
export const channelLabel = (channel: Channel): string => CHANNELS[channel].label;

/** `SMS`, `calls`. */
export const messagesOf = (channel: Channel): string => CHANNELS[channel].many;

const choiceOf = (value: Channel) => ({ value, label: channelName(value) });

export const CHANNEL_CHOICES = CHANNEL_NAMES.map(choiceOf);

/** Of every service, whatever its routes. */
export const BASIC_CHOICES = BASIC_CHANNELS.map(choiceOf);

/** `SMS and voice`: all of them, however many. */
export const ALL_CHANNELS = new Intl.ListFormat('en-GB').format(CHANNEL_NAMES.map(channelLabel));
