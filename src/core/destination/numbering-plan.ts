/**
 * The numbering plans of libphonenumber, with their patterns compiled once. The library compiles a RegExp of kilobytes for
 * every pattern that it tries, the most expensive step of a request. This tries the same patterns in the same order on
 * numbers in plain E.164; the library handles all others.
 */
import {
  type CountryCode,
  Metadata,
  type MetadataJson,
  type PhoneNumberType,
} from 'libphonenumber-js/core/es6';
import metadata from 'libphonenumber-js/metadata.max.json';

interface NumberType {
  readonly pattern: RegExp;
  readonly lengths: ReadonlySet<number>;
}

interface CountryPlan {
  readonly country: CountryCode;
  readonly pattern: RegExp;
  /** If present, it decides which country of a shared calling code a number belongs to. */
  readonly leadingDigits: RegExp | undefined;
  readonly fixedLine: NumberType | undefined;
  /** Undefined if it is the same as for fixed lines. */
  readonly mobile: NumberType | undefined;
  readonly others: readonly (readonly [PhoneNumberType, NumberType])[];
}

interface CallingCodePlan {
  readonly nationalPrefix: RegExp | undefined;
  /** The countries that share the calling code, the main one first. */
  readonly countries: readonly CountryPlan[];
}

/** What the library's class has beyond its declaration. */
interface NumberingPlan {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: PhoneNumberType): { pattern(): string; possibleLengths(): number[] } | undefined;
}

/** In the order in which the library tries them, after fixed lines and mobiles. */
const OTHER_TYPES: readonly PhoneNumberType[] = [
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];

const LONGEST_CALLING_CODE = 3;
const callingCodes: ReadonlyMap<string, string> = new Map(
  Object.entries(metadata.country_calling_codes).flatMap(([code, sharing]) =>
    sharing.map((country): [string, string] => [country, code]),
  ),
);

/**
 * Country and type of a valid number in E.164. Undefined if this cannot tell: the number may be invalid, have no country,
 * or start with a national prefix.
 */
type ReadNumber = (e164: string) => { country: CountryCode; type: PhoneNumberType } | undefined;

/** By the plans of any version of the metadata. */
export function createNumberReader(metadata: MetadataJson): ReadNumber {
  const plans = new Map<string, CallingCodePlan>();
  const codes = new Map<string, readonly CountryCode[]>(Object.entries(metadata.country_calling_codes));
  return (e164) => {
    for (let end = 2; end <= 1 + LONGEST_CALLING_CODE; end++) {
      const callingCode = e164.slice(1, end);
      const sharing = codes.get(callingCode);
      if (sharing === undefined) continue;
      let plan = plans.get(callingCode);
      if (plan === undefined) {
        plan = compilePlan(metadata, sharing);
        plans.set(callingCode, plan);
      }
      return readNational(e164.slice(end), plan);
    }
    return undefined;
  };
}

export const readNumber: ReadNumber = createNumberReader(metadata);

const ofCountries: ReadonlySet<string> = new Set(callingCodes.values());

/** Whether a number in E.164 begins with the calling code of a country. */
export const hasCountry = (e164: string): boolean =>
  Array.from({ length: LONGEST_CALLING_CODE }, (_, place) => e164.slice(1, 2 + place)).some((code) =>
    ofCountries.has(code),
  );

/** `+49` for `DE`; `+` for what is no country with telephones. */
export function callingCodeOf(country: string): string {
  return `+${callingCodes.get(country) ?? ''}`;
}

/**
 * What all numbers of a country begin with: its calling code, and where others share that, the digits that are its own if its
 * plan names them, as `+1242` for the Bahamas.
 */
export function beginningsOf(country: string): string[] {
  const code = callingCodeOf(country);
  const leading = isCountry(country) ? numberingPlan(metadata, country).leadingDigits() : undefined;
  // The library says 0 for none.
  const own = leading && /^\d+(\|\d+)*$/.test(leading) ? leading.split('|') : [''];
  return own.map((digits) => `${code}${digits}`);
}

function isCountry(text: string): text is CountryCode {
  return callingCodes.has(text);
}

function readNational(national: string, { nationalPrefix, countries }: CallingCodePlan) {
  // Some prefix patterns match the empty text, which is no prefix.
  if (nationalPrefix?.exec(national)?.[0]) return undefined;
  for (const plan of countries) {
    const { country, leadingDigits } = plan;
    if (leadingDigits !== undefined && !leadingDigits.test(national) && countries.length > 1) continue;
    const type = typeOf(national, plan);
    if (type !== undefined) return { country, type };
    if (leadingDigits !== undefined) return undefined;
  }
  return undefined;
}

function typeOf(national: string, plan: CountryPlan): PhoneNumberType | undefined {
  if (!plan.pattern.test(national)) return undefined;
  if (isOf(national, plan.fixedLine)) {
    return plan.mobile === undefined || isOf(national, plan.mobile) ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE';
  }
  if (isOf(national, plan.mobile)) return 'MOBILE';
  return plan.others.find(([, type]) => isOf(national, type))?.[0];
}

function isOf(national: string, type: NumberType | undefined): boolean {
  return type?.lengths.has(national.length) === true && type.pattern.test(national);
}

function compilePlan(metadata: MetadataJson, sharing: readonly CountryCode[]): CallingCodePlan {
  const [main] = sharing;
  const prefix = main && numberingPlan(metadata, main).nationalPrefixForParsing();
  const countries = sharing.map((country) => compile(metadata, country));
  return { nationalPrefix: startingWith(prefix), countries };
}

function compile(metadata: MetadataJson, country: CountryCode): CountryPlan {
  const plan = numberingPlan(metadata, country);
  const typeNamed = (name: PhoneNumberType): NumberType | undefined => {
    const type = plan.type(name);
    if (type === undefined || !type.pattern()) return undefined;
    return { pattern: wholly(type.pattern()), lengths: new Set(type.possibleLengths()) };
  };
  return {
    country,
    pattern: wholly(plan.nationalNumberPattern()),
    leadingDigits: startingWith(plan.leadingDigits()),
    fixedLine: typeNamed('FIXED_LINE'),
    mobile: typeNamed('MOBILE'),
    others: OTHER_TYPES.flatMap((name) => {
      const type = typeNamed(name);
      return type === undefined ? [] : [[name, type] as const];
    }),
  };
}

export function numberingPlan(metadata: MetadataJson, country: CountryCode): NumberingPlan {
  const all = new Metadata(metadata);
  all.selectNumberingPlan(country);
  return all.numberingPlan as unknown as NumberingPlan;
}

function wholly(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

function startingWith(pattern: string | undefined): RegExp | undefined {
  return pattern ? new RegExp(`^(?:${pattern})`) : undefined;
}
