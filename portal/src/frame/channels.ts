/** The channels that people choose among. */
import { useAsk } from '../api/hooks.ts';
import { BASIC_CHANNELS, CHANNEL_NAMES, type Channel } from '../format/channel.ts';

/** Those that may be asked for, and those that were chosen before, although no route serves them any more. */
export function useChannels(chosen: readonly (string | null)[] = []): readonly Channel[] {
  const settings = useAsk('GET accounts/:account/settings', {});
  const offered: readonly Channel[] = settings.data?.defaults.channels ?? BASIC_CHANNELS;
  return CHANNEL_NAMES.filter((name) => offered.includes(name) || chosen.includes(name));
}
