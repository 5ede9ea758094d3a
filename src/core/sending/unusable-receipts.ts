/** Receipts that say nothing about a message, although a carrier sent them: each may be a message of which nobody knows the end. */

/**
 * - `unreadable`: no id, or no state that we know, can be read in it.
 * - `unmatched`: it names no message that was sent, also not a minute later.
 * - `forged`: over HTTP, it does not prove that the carrier sent it. Perhaps nobody did but a stranger.
 */
const UNUSABLE = ['unreadable', 'unmatched', 'forged'] as const;
export type Unusable = (typeof UNUSABLE)[number];

/** How many there were of each kind; those that are absent were none. */
export type UnusableCounts = Readonly<Partial<Record<Unusable, number>>>;

/** Hears of receipts of a carrier that were of no use. */
export type NoteUnusable = (carrier: string, why: Unusable, count?: number) => void;

/** By what a receipt looks for its message; of several spellings one is enough. */
export interface ReceiptName {
  readonly carrier: string;
  readonly reference: string;
}

/** In the words of people; empty if there were none. */
export function describeUnusable(counts: UnusableCounts): string {
  return UNUSABLE.flatMap((why) => (counts[why] ? [WORDS[why](counts[why])] : [])).join(', ');
}

const WORDS: Readonly<Record<Unusable, (count: number) => string>> = {
  unreadable: (count) => `${count} could not be read`,
  unmatched: (count) => `${count} matched no message`,
  forged: (count) => `${count} did not prove that ${count === 1 ? 'it comes' : 'they come'} from the carrier`,
};

export function sumUnusable(all: readonly UnusableCounts[]): UnusableCounts {
  const sums: Partial<Record<Unusable, number>> = {};
  for (const counts of all) {
    for (const why of UNUSABLE) {
      if (counts[why]) sums[why] = (sums[why] ?? 0) + counts[why];
    }
  }
  return sums;
}
