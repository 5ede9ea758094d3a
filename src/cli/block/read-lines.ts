import { createInterface } from 'node:readline';
import { withoutUnseen } from '../../core/text/unseen.ts';
import { CommandFailure } from '../failure.ts';

/** The lines of standard input that have anything on them. On a terminal nobody knows that they are waited for: `expected` says so. */
export async function readLines(expected: string): Promise<string[]> {
  if (process.stdin.isTTY) throw new CommandFailure(expected);
  const lines: string[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    const entry = withoutUnseen(line).trim();
    if (entry !== '') lines.push(entry);
  }
  return lines;
}
