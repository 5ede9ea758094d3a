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
}

const plans: readonly Plan[] = PLANS.trim()
  .split('\n')
  .map((line) => {
    const [callingCode = '', trunk = '', ...countries] = line.split(' ');
    const [prefix = '', length] = trunk.replace('-', '').split('/');
    return { callingCode, prefix, length: length === undefined ? undefined : Number(length), countries };
  });

const planOf = new Map(plans.flatMap((plan) => plan.countries.map((country) => [country, plan] as const)));

/** ISO 3166 code to calling code, such as AT to 43. */
export const callingCodes: ReadonlyMap<string, string> = new Map(
  [...planOf].map(([country, { callingCode }]) => [country, callingCode]),
);

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

/** The country of a number that begins with a calling code; of those that share it, the current one or the largest. */
export function countryOf(typed: string, current: string): string | undefined {
  const plan = readInternational(typed)?.plan;
  return plan?.countries.includes(current) ? current : plan?.countries[0];
}

/** The number without a calling code, for when another country is chosen. */
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

/** Many write the prefix after the calling code too: +43 (0)660. */
function withoutPrefix(digits: string, { prefix, length }: Plan): string {
  if (prefix === '' || !digits.startsWith(prefix)) return digits;
  if (length === undefined) return digits.slice(prefix.length);
  // Belarus writes 8 0.
  return digits.length > length ? digits.slice(prefix.length).replace(/^0/, '') : digits;
}

/** The country to begin with: the one that is asked for, or the one of the person's languages. */
export function firstCountry(wanted: string | null, languages: readonly string[]): string {
  const tags = languages.flatMap((tag) => {
    try {
      return [new Intl.Locale(tag)];
    } catch {
      return [];
    }
  });
  const guesses = [wanted?.toUpperCase(), ...tags.map(({ region }) => region), tags[0]?.maximize().region];
  return guesses.find((guess) => guess !== undefined && callingCodes.has(guess)) ?? 'US';
}
