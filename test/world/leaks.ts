/** What must never be in a log: keys, full numbers and codes. */
import type { Happening } from './command.ts';

/** Shorter codes are met by chance in ids and times. */
const SHORTEST_CODE = 6;

/** The first line that holds one, and what it holds; undefined if none does. */
export function findLeak(
  lines: readonly string[],
  happenings: readonly Happening[],
  keys: Iterable<string>,
): string | undefined {
  if (lines.length === 0) return undefined;
  const numbers = new Set<string>();
  const codes = new Set<string>();
  for (const each of happenings) {
    if (each.kind === 'command' && 'to' in each.command) numbers.add(each.command.to.slice(1));
    if (each.kind === 'sent' && each.code.length >= SHORTEST_CODE) codes.add(each.code);
  }
  const found = (what: string, holds: (line: string) => boolean) => {
    const line = lines.find(holds);
    return line && `the log has ${what}: ${line}`;
  };
  for (const key of keys) {
    const leak = found('a key', (line) => line.includes(key));
    if (leak !== undefined) return leak;
  }
  for (const number of numbers) {
    const leak = found(`the number ${number}`, (line) => line.includes(number));
    if (leak !== undefined) return leak;
  }
  for (const code of codes) {
    const alone = new RegExp(`(?<![\\w.:-])${code}(?![\\w.:-])`);
    const leak = found(`the code ${code}`, (line) => alone.test(line));
    if (leak !== undefined) return leak;
  }
  return undefined;
}
