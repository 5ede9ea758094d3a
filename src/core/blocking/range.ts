/**
 * Ranges of numbers that an account sends nothing to: prefixes in E.164, such as +88213. They are kept in clear, so none may
 * be the number of a person.
 */
import { parseAnyDestination } from '../destination/destination.ts';
import { plainNumber } from '../destination/plain-number.ts';
import { telephoneOf } from '../destination/telephone.ts';
import type { FieldFault } from '../errors/field-error.ts';

/** Enough for every block of premium and satellite numbers, few enough to be compared with each destination. */
export const MAX_RANGES = 1_000;

const PREFIX = /^\+[1-9]\d{0,8}$/;

const RANGE_RULE = 'must be the beginning of numbers in E.164 format, with at most 9 digits, such as +88213';
const WHOLE_NUMBER = 'is a whole telephone number; add it as a number, not as a range';

export type ParsedRange =
  | { readonly ok: true; readonly prefix: string }
  /** The detail is the rest of a sentence whose subject is the field. */
  | ({ readonly ok: false } & FieldFault);

export function parseRange(input: string): ParsedRange {
  const prefix = plainNumber(input);
  if (!PREFIX.test(prefix)) return { ok: false, code: 'wrong_format', detail: RANGE_RULE };
  return parseAnyDestination(prefix).ok
    ? { ok: false, code: 'wrong_format', detail: WHOLE_NUMBER }
    : { ok: true, prefix };
}

/** Whether what rings at a canonical address is in one of the ranges. */
export function isInRanges(ranges: readonly string[], address: string): boolean {
  const telephone = telephoneOf(address);
  return ranges.some((prefix) => telephone.startsWith(prefix));
}
