/**
 * Destinations that, asked for with a test key, play out one outcome each. They belong to the 500 area code,
 * which has no telephones; any other destination asked for with a test key is delivered.
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
