/** What differs between the numbering plans of two versions of libphonenumber's metadata, found by trying numbers. */
import {
  type MetadataJson,
  type PhoneNumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core/es6';
import { createNumberReader, numberingPlan } from '../../src/core/destination/numbering-plan.ts';

/** Of numbers of one country and one length: beginnings of national numbers, the shortest that say it. */
export interface PlanChange {
  readonly country: string;
  readonly callingCode: string;
  readonly digits: number;
  /** Mobile now, and not before. */
  readonly gained: readonly string[];
  /** Mobile before, and not now. */
  readonly lost: readonly string[];
  /** Of those, the ones that are no numbers at all now. */
  readonly withdrawn: readonly string[];
}

const PREFIX_DIGITS = 4;
const PREFIXES = Array.from({ length: 10 ** PREFIX_DIGITS }, (_, index) =>
  String(index).padStart(PREFIX_DIGITS, '0'),
);
/** What the numbers tried have after their prefix. */
const ENDS = ['00000000', '23456789', '58194263'];
/** A beginning is only told to be gone if it is with all of these after it. */
const NEXT = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0'));
const LENGTHS = [5, 6, 7, 8, 9, 10, 11, 12];
const MOBILE: readonly (PhoneNumberType | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

export function comparePlans(before: MetadataJson, now: MetadataJson): PlanChange[] {
  const found = new Map<string, Record<'gained' | 'lost' | 'withdrawn', Set<string>>>();
  for (const callingCode of Object.keys(now.country_calling_codes)) {
    const [earlier, later] = [createTypeReader(before, callingCode), createTypeReader(now, callingCode)];
    for (const digits of LENGTHS) {
      for (const prefix of PREFIXES) {
        const numbers = ENDS.map((end) => `+${callingCode}${prefix}${end.slice(0, digits - PREFIX_DIGITS)}`);
        const read = numbers.map((number) => ({ was: earlier(number), is: later(number) }));
        for (const { was, is } of read) {
          const isMobile = MOBILE.includes(is?.type);
          if (MOBILE.includes(was?.type) === isMobile) continue;
          const key = `${(isMobile ? is : was)?.country} ${callingCode} ${digits}`;
          const change = found.getOrInsertComputed(key, () => ({
            ...{ gained: new Set<string>(), lost: new Set<string>(), withdrawn: new Set<string>() },
          }));
          change[isMobile ? 'gained' : 'lost'].add(prefix);
          if (read.every((each) => each.is === undefined) && isGone(later, callingCode, prefix, digits))
            change.withdrawn.add(prefix);
        }
      }
    }
  }
  return [...found].map(([key, { gained, lost, withdrawn }]) => {
    const [country = '', callingCode = '', digits] = key.split(' ');
    return {
      ...{ country, callingCode, digits: Number(digits) },
      ...{ gained: shorten(gained), lost: shorten(lost), withdrawn: shorten(withdrawn) },
    };
  });
}

type ReadType = ReturnType<typeof createTypeReader>;

/** The library is slow, and is asked only about what its compiled plans leave to it: numbers that begin like a national prefix. */
function createTypeReader(metadata: MetadataJson, callingCode: string) {
  const read = createNumberReader(metadata);
  const [main] = metadata.country_calling_codes[callingCode] ?? [];
  const prefix = main && numberingPlan(metadata, main).nationalPrefixForParsing();
  const startsWithPrefix = new RegExp(`^\\+${callingCode}(?:${prefix || '(?!)'})`);
  return (number: string) => {
    const known = read(number);
    if (known !== undefined || !startsWithPrefix.test(number)) return known;
    const parsed = parsePhoneNumberFromString(number, metadata);
    const type = parsed?.number === number ? parsed.getType() : undefined;
    return type && { country: parsed?.country ?? 'ZZ', type };
  };
}

function isGone(read: ReadType, callingCode: string, prefix: string, digits: number): boolean {
  return NEXT.every(
    (two) => read(`+${callingCode}${`${prefix}${two}${ENDS[1]}`.slice(0, digits)}`) === undefined,
  );
}

/** Prefixes whose ten continuations are all there become one, and those that begin with another go. */
export function shorten(prefixes: ReadonlySet<string>): string[] {
  let shortest = [...prefixes];
  for (let length = PREFIX_DIGITS; length > 1; length--) {
    const groups = Object.groupBy(shortest, (prefix) => prefix.slice(0, length - 1));
    shortest = Object.entries(groups).flatMap(([head, group = []]) =>
      group.length === 10 && group.every((prefix) => prefix.length === length) ? [head] : group,
    );
  }
  return shortest.filter((one) => !shortest.some((other) => other !== one && one.startsWith(other))).sort();
}
