/** The encodings that a client accepts, without those with q=0 (RFC 9110, section 12.5.3). */
export function acceptedEncodings(header = ''): ReadonlySet<string> {
  const offers = header.split(',').map((offer) => offer.trim().split(/\s*;\s*q=/));
  return new Set(offers.flatMap(([name = '', q]) => (Number(q ?? 1) > 0 ? [name] : [])));
}
