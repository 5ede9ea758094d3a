/**
 * With a test key, each of these destinations always has the same outcome; all others are delivered. They belong to the 500
 * area code, which has no telephones.
 */
export type MagicOutcome = 'delivered' | 'undelivered' | 'refused' | 'slow' | 'unroutable' | 'rate-limited';

export const MAGIC_DESTINATIONS: ReadonlyMap<string, MagicOutcome> = new Map([
  ['+15005550001', 'delivered'],
  ['+15005550002', 'undelivered'],
  ['+15005550003', 'refused'],
  ['+15005550004', 'slow'],
  ['+15005550005', 'unroutable'],
  ['+15005550006', 'rate-limited'],
]);
