/**
 * SMSCs write one message's id in several ways: hex in submit_sm_resp and decimal in the receipt or the other way
 * round, with or without leading zeros, in upper or lower case.
 */
const HEX = /^[0-9a-f]+$/;
const DECIMAL = /^[0-9]+$/;
/** Digits of a 64-bit number. A longer id is never written in two bases. */
const MAX_HEX = 16;
const MAX_DECIMAL = 20;

/**
 * The one spelling under which an accepted message is stored. A number loses its leading zeros and its capitals,
 * because the receipt may write them differently. Any other id stays as it is.
 */
export function canonicalReference(messageId: string): string {
  const id = messageId.trim();
  const lower = id.toLowerCase();
  return HEX.test(lower) ? lower.replace(/^0+(?=.)/, '') : id;
}

/** How the id of a receipt may have been written in submit_sm_resp: as it is, canonical, or in the other base. */
export function spellings(id: string): [string, ...string[]] {
  const canonical = canonicalReference(id);
  const others = new Set([canonical]);
  if (DECIMAL.test(canonical) && canonical.length <= MAX_DECIMAL) others.add(BigInt(canonical).toString(16));
  if (HEX.test(canonical) && canonical.length <= MAX_HEX) others.add(BigInt(`0x${canonical}`).toString());
  others.delete(id);
  return [id, ...others];
}
