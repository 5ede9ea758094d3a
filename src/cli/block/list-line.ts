/** One entry of a do-not-send list in a file, as a line of JSON. */
import type { BlockSource, ListedNumber } from '../../accounts/blocking/blocked-numbers.ts';
import { parseRange } from '../../core/blocking/range.ts';
import { parsePastDestination } from '../../core/destination/destination.ts';
import { CommandFailure } from '../failure.ts';

/** Of the account with this name. */
export type ListLine = { readonly account: string } & (
  | { readonly range: string }
  | { readonly number: ListedNumber }
);

const SOURCES: readonly BlockSource[] = ['person', 'recipient'];

export function formatListLine(line: ListLine): string {
  const { account } = line;
  if ('range' in line) return JSON.stringify({ account, range: line.range });
  const { address, source, createdAt } = line.number;
  const added_at = new Date(createdAt).toISOString();
  return JSON.stringify({ account, number: address, added_by: source, added_at });
}

/** Names the line and the field, and never says what they hold. */
export function parseListLine(text: string, index: number): ListLine {
  const wrong = (what: string) => new CommandFailure(`line ${index + 1}: ${what}; nothing was changed`);
  const { account, range, number, added_by, added_at } = fieldsOf(text) ?? {};
  if (typeof account !== 'string') throw wrong('account: expected the name of an account');
  if (typeof range === 'string') {
    const parsed = parseRange(range);
    if (!parsed.ok) throw wrong(`range: ${parsed.detail}`);
    return { account, range: parsed.prefix };
  }
  const address = typeof number === 'string' ? addressOf(number) : undefined;
  if (address === undefined) throw wrong('number: expected a full number such as +14155550123, or a range');
  const source = SOURCES.find((each) => each === added_by);
  if (source === undefined) throw wrong(`added_by: expected ${SOURCES.join(' or ')}`);
  const createdAt = typeof added_at === 'string' ? Date.parse(added_at) : Number.NaN;
  if (Number.isNaN(createdAt)) throw wrong('added_at: expected a time such as 2026-11-01T00:00:00.000Z');
  return { account, number: { address, source, createdAt } };
}

/** A number that was on a list stays a number when numbering plans change. */
function addressOf(text: string): string | undefined {
  const parsed = parsePastDestination(text);
  return parsed.ok ? parsed.destination.address : undefined;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // The parser's own message quotes the line.
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
