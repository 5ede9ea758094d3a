/** Blocks of numbers that missed calls come from, `+4930123xxxx`: whole, so that each code is the end of a number in each block. */
import { USUAL_SCREENS } from '../../core/destination/never-sent.ts';
import { hasCountry, readNumber } from '../../core/destination/numbering-plan.ts';
import type { FieldErrorCode } from '../../core/errors/field-error.ts';
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
    const kind = findKindFault(prefix, free);
    if (kind !== undefined) return `${index}: ${kind}; name a block of numbers that anybody may call back`;
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

const DIGITS = [...'0123456789'];
const KINDS: ReadonlyMap<FieldErrorCode, string> = new Map([
  ['premium_rate', 'premium-rate numbers'],
  ['shared_cost', 'shared-cost numbers'],
  ['personal_number', 'personal numbers, whose callers pay for passing their calls on'],
  ['satellite', 'numbers of a satellite network'],
]);

/** By the plan of their country: of a block that it does not know, nothing is said. */
function findKindFault(prefix: string, free: number): string | undefined {
  const numbers = DIGITS.map((digit) => prefix + digit.repeat(free));
  for (const number of numbers) {
    // What stands for a type that is never barred, where the plan does not know the number: its range may be.
    const bar = USUAL_SCREENS.live(number, readNumber(number)?.type ?? 'MOBILE');
    if (bar !== undefined) return `has ${KINDS.get(bar.code) ?? 'numbers that nothing is sent to'}`;
  }
  return hasCountry(prefix) ? undefined : 'begins with no calling code of a country';
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
