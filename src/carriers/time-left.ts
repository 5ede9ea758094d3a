/** How long a message may be delivered, as carriers are told. */
import type { Clock } from '../core/seams/clock.ts';

/**
 * Ms until a time of a message, by the clock that it was written by. By this machine's, a message would come as much after the
 * next channel as this machine is behind.
 */
export const timeLeft = ({ now }: Pick<Clock, 'now'>, until: number): number => until - now();
