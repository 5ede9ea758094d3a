/** A carrier as the queue and budgets know it. By itself, because the store's thread would load all numbering plans with more. */
import type { Channel } from '../destination/channel.ts';

/**
 * On a channel after the first with the channel, because there it is asked again, at another price. No name of a carrier
 * has a space.
 */
export const carrierOn = (carrier: string, channel: Channel | null): string =>
  channel === null ? carrier : `${carrier} ${channel}`;

/** Whether `carrierOn` named it for a channel after the first. */
export const isLater = (carrier: string): boolean => carrier.includes(' ');
