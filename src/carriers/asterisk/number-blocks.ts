/** Blocks of numbers that missed calls come from, `+4930123xxxx`: whole, so that each code is the end of a number in each block. */
import type { Random } from '../../core/seams/random.ts';

interface Block {
  readonly prefix: string;
  /** How many digits of its numbers are free. */
  readonly free: number;
}

const LEAST_DIGITS = 8;
/** ITU-T E.164, section 6.2.1. */
const MOST_DIGITS = 15;

function readBlock(text: string): Block {
  const prefix = text.replace(/x+$/, '');
  return { prefix, free: text.length - prefix.length };
}

/** What is wrong with blocks for codes of this length, `number of the block: fault`; undefined if nothing is. */
export function findBlockFault(texts: readonly string[], codeLength: number): string | undefined {
  const blocks = texts.map(readBlock);
  for (const [index, { prefix, free }] of blocks.entries()) {
    const digits = prefix.length - 1 + free;
    if (digits < LEAST_DIGITS || digits > MOST_DIGITS) {
      return `${index}: has numbers of ${digits} digits, and those of E.164 have ${LEAST_DIGITS} to ${MOST_DIGITS}`;
    }
    if (free < codeLength) {
      return `${index}: has ${free} free digits, and the code of a missed call ${codeLength} (code.endingLength); name a larger block, or only whole ones`;
    }
    const other = blocks.findIndex(
      (each, at) =>
        at < index &&
        each.prefix.length + each.free === prefix.length + free &&
        (each.prefix.startsWith(prefix) || prefix.startsWith(each.prefix)),
    );
    if (other !== -1) return `${index}: has numbers of block ${other} as well; name each number once`;
  }
  return undefined;
}

/** A number of these blocks that ends with the code, each as likely; undefined if they have none. */
export function drawCaller(
  texts: readonly string[],
  code: string,
  { below }: Pick<Random, 'below'>,
): string | undefined {
  const fitting = texts.map(readBlock).filter(({ free }) => free >= code.length);
  const counts = fitting.map(({ free }) => 10 ** (free - code.length));
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0 || !/^[0-9]+$/.test(code)) return undefined;
  let place = below(all);
  for (const [index, { prefix, free }] of fitting.entries()) {
    const count = counts[index] ?? 0;
    if (place < count) {
      const between = free - code.length;
      return `${prefix}${between === 0 ? '' : String(place).padStart(between, '0')}${code}`;
    }
    place -= count;
  }
  return undefined;
}
