/** The channels, for the front end's forms and figures. */
export {
  BASIC_CHANNELS,
  CHANNEL_NAMES,
  CHANNELS,
  type Channel,
  isMissedCall,
  isSpoken,
} from '../core/destination/channel.ts';
