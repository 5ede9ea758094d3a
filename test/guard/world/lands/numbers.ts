/** Mobile numbers that are valid in their country's numbering plan. */
import { getCountryCallingCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { readNumber } from '../../../../src/core/destination/numbering-plan.ts';
import { Random } from '../random.ts';
import type { Country } from './countries.ts';

/** Digits left free in a block, as plans hand them out to operators. */
const FREE_IN_BLOCK = 5;
const MAX_BLOCKS = 120;
const MAX_TRIES = 200_000;

const blocks = new Map<Country, readonly string[]>();

/** Beginnings of mobile numbers, each with five digits left free and nearly all of them valid. The same in every run. */
export function listBlocks(country: Country): readonly string[] {
  let found = blocks.get(country);
  if (found === undefined) {
    found = findBlocks(country);
    blocks.set(country, found);
  }
  return found;
}

function findBlocks(country: Country): string[] {
  const random = new Random(country.charCodeAt(0) * 256 + country.charCodeAt(1));
  const start = `+${getCountryCallingCode(country)}`;
  const fixed = examples[country].length - FREE_IN_BLOCK;
  const found = new Set<string>();
  for (let tries = 0; tries < MAX_TRIES && found.size < MAX_BLOCKS; tries++) {
    const block = start + random.digits(fixed);
    const endings = Array.from({ length: 5 }, () => random.digits(FREE_IN_BLOCK));
    if (endings.every((ending) => isMobile(block + ending, country))) found.add(block);
  }
  if (found.size < 3) throw new Error(`Found only ${found.size} blocks of mobile numbers in ${country}.`);
  return [...found];
}

export function isMobile(number: string, country: Country): boolean {
  const read = readNumber(number);
  return read?.country === country && (read.type === 'MOBILE' || read.type === 'FIXED_LINE_OR_MOBILE');
}

/** A valid number that begins so. */
export function drawNumber(prefix: string, free: number, country: Country, random: Random): string {
  for (let tries = 0; tries < 100; tries++) {
    const number = prefix + random.digits(free);
    if (isMobile(number, country)) return number;
  }
  throw new Error(`${prefix} begins no mobile number of ${country}.`);
}

/** Where numbers lie side by side: all that begin with `prefix` and have `free` digits more. */
export interface NumberRange {
  readonly country: Country;
  readonly prefix: string;
  readonly free: number;
}

/** A range in one of the blocks. A range of six free digits is a little wider than a block. */
export function drawRange(
  country: Country,
  from: readonly string[],
  free: number,
  random: Random,
): NumberRange {
  const number = drawNumber(random.pick(from), FREE_IN_BLOCK, country, random);
  return { country, prefix: number.slice(0, -free), free };
}

export function drawFromRange({ country, prefix, free }: NumberRange, random: Random): string {
  return drawNumber(prefix, free, country, random);
}

/** The numbers of a range in turn, from anywhere on and round again. */
export function* countThrough(
  { country, prefix, free }: NumberRange,
  random: Random,
): Generator<string, never> {
  const size = 10 ** free;
  let at = random.whole(0, size - 1);
  for (let skipped = 0; skipped <= size; ) {
    const number = prefix + `${at}`.padStart(free, '0');
    at = (at + 1) % size;
    if (isMobile(number, country)) {
      skipped = 0;
      yield number;
    } else skipped++;
  }
  throw new Error(`${prefix} begins no mobile number of ${country}.`);
}
