import type { Channel } from '../../core/destination/channel.ts';
import type { Route } from '../../core/sending/routing.ts';
import type { Ask, Refused } from '../ask.ts';

/** A request that the guard refused, or would have. */
export interface GuardRefusal extends Pick<Refused, 'rule' | 'detail'> {
  readonly ask: Ask;
  readonly channel: Channel;
  readonly route: Route;
  /** Whether it was refused, and not only recorded. */
  readonly enforced: boolean;
}
