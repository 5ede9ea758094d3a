/**
 * The reason of an attempt that the service took back before the next channel, because it was not delivered in time. No receipt came, and
 * no carrier's own reason is spelt so. Imports nothing, because the portal's pages use it.
 */
export const TAKEN_BACK = 'taken-back';
