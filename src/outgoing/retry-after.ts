/**
 * Reads a `Retry-After` header, RFC 9110 section 10.2.3: seconds or a date. Returns ms from `now`; undefined if it is
 * neither.
 */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  // Sent twice, the first counts.
  const [text] = [header].flat();
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date begins with its weekday. Without this check Date.parse would read "12.5" as a day in December.
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
