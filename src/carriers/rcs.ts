/** What carriers of RCS share. */
import type { Clock } from '../core/seams/clock.ts';
import type { OutgoingMessage } from '../core/sending/carrier.ts';
import { text } from '../options/fields.ts';
import { timeLeft } from './time-left.ts';

/**
 * How long a message may be delivered, in s, within a carrier's bounds: until the next channel has its turn, or the code expires. What
 * nobody takes back must not come after that; a carrier that can take it back leaves `replacedAt` out.
 */
export function lifeOf(
  { expiresAt, replacedAt = expiresAt }: Pick<OutgoingMessage, 'expiresAt' | 'replacedAt'>,
  clock: Pick<Clock, 'now'>,
  [least, most]: readonly [least: number, most: number],
): number {
  const left = Math.floor(timeLeft(clock, Math.min(replacedAt, expiresAt)) / 1_000);
  return Math.min(Math.max(left, least), most);
}

/** Who a message comes from: no number, and no name as SMS have one. */
export function rcsAgent(description: string) {
  return text(description, {
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.@ -]{0,127}$',
    expected: 'the id of an agent, as the carrier shows it',
  });
}

/** What the buttons of the app mean, in words that everybody may send. */
export const SUBSCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['UNSUBSCRIBE', 'STOP'],
  ['SUBSCRIBE', 'START'],
]);
