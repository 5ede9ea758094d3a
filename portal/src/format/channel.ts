/** Channels as people read them. */
// By path: the alias `#contract` is only for types, and this is code.
import { CHANNELS, type Channel } from '../../../src/portal/channel.ts';

export {
  BASIC_CHANNELS,
  CHANNEL_NAMES,
  type Channel,
  isMissedCall,
  isSpoken,
} from '../../../src/portal/channel.ts';

/** `SMS`, `Voice`: on its own. */
export function channelName(channel: Channel): string {
  const { label } = CHANNELS[channel];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** `SMS`, `voice`: in a sentence. */
export const channelLabel = (channel: Channel): string => CHANNELS[channel].label;

/** `SMS`, `calls`. */
export const messagesOf = (channel: Channel): string => CHANNELS[channel].many;

export const choiceOf = (value: Channel) => ({ value, label: channelName(value) });

/** `SMS and voice`: all of them, however many. */
export const listChannels = (channels: readonly Channel[]): string =>
  new Intl.ListFormat('en-GB').format(channels.map(channelLabel));
