/** What people write back to be sent nothing more, and to be sent to again. */
import { withoutUnseen } from '../text/unseen.ts';
import { KEYWORDS } from './keywords.ts';

export type Keyword = 'stop' | 'start';

/** No keyword is longer; a letter may count twice in UTF-16. */
const LONGEST = 80;
/** Accents, and the hamza of Arabic: telephones and haste leave them out. */
const ACCENTS = /[\u0300-\u036f\u0653-\u0655]/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;

const MEANINGS: ReadonlyMap<string, Keyword> = new Map(
  Object.values(KEYWORDS).flatMap(({ stop, start }) => [
    ...stop.map((word): [string, Keyword] => [fold(word), 'stop']),
    ...start.map((word): [string, Keyword] => [fold(word), 'start']),
  ]),
);

/**
 * The keyword that a message consists of, in any language and however it is written. A message that says more says something
 * else: `please stop by tomorrow` is no wish to hear nothing more.
 */
export function readKeyword(text: string): Keyword | undefined {
  return text.length > LONGEST ? undefined : MEANINGS.get(fold(text));
}

/** Exported for its test: two spellings that fold to one are one. */
export function fold(text: string): string {
  return withoutUnseen(text)
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replaceAll(/đ/gi, 'D')
    .toUpperCase()
    .replace(BETWEEN_WORDS, ' ')
    .trim();
}
