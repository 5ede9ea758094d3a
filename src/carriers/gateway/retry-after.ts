/** Reads a `Retry-After` header, RFC 9110 section 10.2.3: seconds or a date. Answers ms from `now`, undefined if neither. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  // A date begins with its weekday; Date.parse alone would take "12.5" for a day in December.
  const date = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
