/** The channels, for the front end's forms and figures. */
export { CHANNEL_NAMES, CHANNELS, type Channel, isSpoken } from '../core/destination/channel.ts';
