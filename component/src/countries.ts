/** From what somebody types to E.164. Whether there is such a number is for the service to judge. */
import { PLANS } from './calling-codes.ts';
import { toAsciiDigits } from './digits.ts';

interface Plan {
  readonly callingCode: string;
  /** What numbers begin with within the country, such as 0. */
  readonly prefix: string;
  /** How long numbers are without the prefix, where they could begin with the same digit. */
  readonly length: number | undefined;
  /** The largest comes first. */
  readonly countries: readonly string[];
  /** A mobile number of the largest, as it is written. */
  readonly example: string;
}

/** `7 8/10 RU KZ/912 345-67-89` */
const LINE = /^(\d+) ([\d-]+)(?:\/(\d+))? ([A-Z ]+)\/(.+)$/;

const plans: readonly Plan[] = PLANS.trim()
  .split('\n')
  .map((line) => {
    const [, callingCode = '', trunk = '', length, countries = '', example = ''] = LINE.exec(line) ?? [];
    return {
      ...{ callingCode, example, prefix: trunk.replace('-', '') },
      length: length === undefined ? undefined : Number(length),
      countries: countries.split(' '),
    };
  });

const planOf = new Map(plans.flatMap((plan) => plan.countries.map((country) => [country, plan] as const)));

/** ISO 3166 code to calling code, such as AT to 43. */
export const callingCodes: ReadonlyMap<string, string> = new Map(
  [...planOf].map(([country, { callingCode }]) => [country, callingCode]),
);

/** A mobile number as it is written there, such as 664 123456 of AT. Countries that share a calling code share it. */
export const exampleOf = (country: string): string => planOf.get(country)?.example ?? '';

/** Those of the attribute `countries`; all if it names none. */
export function countriesIn(attribute: string | null): readonly string[] {
  const named = new Set((attribute ?? '').toUpperCase().split(/[\s,]+/));
  const all = [...callingCodes.keys()];
  const known = all.filter((country) => named.has(country));
  return known.length > 0 ? known : all;
}

/** What nobody sees, such as a soft hyphen between the two zeros. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** `+43 660 123` or `0043 660 123`, whatever is between the digits. */
const INTERNATIONAL = /^[^\d+]*(?:\+|00)(.*)$/s;

function readInternational(
  typed: string,
): { readonly plan: Plan | undefined; readonly digits: string } | undefined {
  const [, rest] = INTERNATIONAL.exec(toAsciiDigits(typed.replace(UNSEEN, ''))) ?? [];
  if (rest === undefined) return undefined;
  const digits = rest.replace(/\D/g, '');
  return { plan: plans.find(({ callingCode }) => digits.startsWith(callingCode)), digits };
}

/** The country of a number that begins with a calling code; of those that share it, the current one or the largest that is offered. */
export function countryOf(typed: string, current: string, offered: readonly string[]): string | undefined {
  const countries = readInternational(typed)?.plan?.countries ?? [];
  return countries.includes(current) ? current : countries.find((country) => offered.includes(country));
}

/** The number without a calling code, which stands before it. */
export function withoutCallingCode(typed: string): string {
  const { plan, digits } = readInternational(typed) ?? {};
  return plan === undefined || digits === undefined ? typed : digits.slice(plan.callingCode.length);
}

/** Undefined if nothing was typed. */
export function toE164(typed: string, country: string): string | undefined {
  const international = readInternational(typed);
  const plan = international === undefined ? planOf.get(country) : international.plan;
  const digits = international?.digits ?? toAsciiDigits(typed).replace(/\D/g, '');
  if (digits === '') return undefined;
  // Such as +800, which belongs to no country.
  if (plan === undefined) return `+${digits}`;
  const { callingCode } = plan;
  const national = international === undefined ? digits : digits.slice(callingCode.length);
  return `+${callingCode}${withoutPrefix(national, plan)}`;
}

/** As it is written, in the groups of the country's example; what is not only digits and what stands between them, as it is. */
export function inGroups(typed: string, country: string): string {
  const text = typed.replace(UNSEEN, '');
  if (!/^[+\d\s().\-/]*$/.test(text)) return typed;
  const international = readInternational(text);
  if (international === undefined) {
    const plan = planOf.get(country);
    return plan === undefined ? text : groupNational(text.replace(/\D/g, ''), plan);
  }
  const { plan, digits } = international;
  if (plan === undefined) return text;
  const { callingCode } = plan;
  return `+${callingCode} ${groupNational(digits.slice(callingCode.length), plan)}`.trim();
}

function groupNational(digits: string, { prefix, length, example }: Plan): string {
  const hasPrefix =
    prefix !== '' && digits.startsWith(prefix) && (length === undefined || digits.length > length);
  if (!hasPrefix) return fill(example, digits);
  return `${prefix}${prefix === '0' ? '' : ' '}${fill(example, digits.slice(prefix.length))}`;
}

/** Puts digits into the places of a pattern, as far as they go. */
function fill(pattern: string, digits: string): string {
  let text = '';
  let used = 0;
  for (const symbol of pattern) {
    if (used === digits.length) return text;
    text += /\d/.test(symbol) ? digits[used++] : symbol;
  }
  return text + digits.slice(used);
}

/** Many write the prefix after the calling code too: +43 (0)660. */
function withoutPrefix(digits: string, { prefix, length }: Plan): string {
  if (prefix === '' || !digits.startsWith(prefix)) return digits;
  if (length === undefined) return digits.slice(prefix.length);
  // Belarus writes 8 0.
  return digits.length > length ? digits.slice(prefix.length).replace(/^0/, '') : digits;
}

/** The country to begin with: the one that is asked for, or the one of the person's languages. */
export function firstCountry(
  wanted: string | null,
  languages: readonly string[],
  offered: readonly string[],
): string {
  const tags = languages.flatMap((tag) => {
    try {
      return [new Intl.Locale(tag)];
    } catch {
      return [];
    }
  });
  const guesses = [wanted?.toUpperCase(), ...tags.map(({ region }) => region), tags[0]?.maximize().region];
  const guess = [...guesses, 'US'].find((each) => each !== undefined && offered.includes(each));
  return guess ?? offered[0] ?? 'US';
}
