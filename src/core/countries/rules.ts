/**
 * What the networks and authorities of each country ask of the senders and texts of SMS. The facts are in `rules.json`, each with
 * its sources. Rules that no source names are not there, so a country without a row may still have some.
 */
import ROWS from './rules.json' with { type: 'json' };
import SOURCES from './sources.json' with { type: 'json' };

/** Dates are ISO 8601, as exact as the source: `2026-07-01`, `2026-03` or `2026`. */
export interface Source {
  readonly publisher: string;
  /** Or what it is about. */
  readonly title: string;
  /** When it was published. */
  readonly date?: string;
  readonly address: string;
  readonly read: string;
}

const NAMES = ['free', 'registered', 'no'] as const;
const NUMBERS = ['registered', 'foreign-blocked', 'no'] as const;
const LINKS = ['blocked', 'listed'] as const;

export interface CountryRule {
  /** ISO 3166 alpha-2. */
  readonly country: string;
  /** `no`: a name is no sender there. */
  readonly names: (typeof NAMES)[number];
  /** `foreign-blocked`: those of other countries. Short codes are not meant. Undefined if nothing was found. */
  readonly numbers?: (typeof NUMBERS)[number];
  /** Who registers. */
  readonly register?: string;
  /** Since when it is in force. */
  readonly since?: string;
  /** What becomes of a name that is not registered, is no sender, or (where names are free) has not the form; the end of a sentence. */
  readonly fate?: string;
  /** What a name has to look like. `says` is the same in words. */
  readonly form?: { readonly pattern: RegExp; readonly says: string };
  /** A name of nothing but these words is refused. In lower case. */
  readonly words?: readonly string[];
  /** Texts with links or domains are blocked, or only domains that are listed pass. */
  readonly links?: (typeof LINKS)[number];
  readonly linksSince?: string;
  /** Texts must name the brand. */
  readonly brandInText?: true;
  /** What the sources do not agree about, or do not say. */
  readonly unsure?: string;
  /** What else was found, and puts nothing of the above in doubt. */
  readonly note?: string;
  /** The best first. */
  readonly sources: readonly Source[];
}

interface Row {
  readonly country: string;
  readonly names: string;
  readonly numbers?: string;
  readonly links?: string;
  readonly form?: { readonly pattern: string; readonly says: string };
  readonly brandInText?: boolean;
  readonly sources: readonly string[];
}

const sources: ReadonlyMap<string, Source> = new Map(Object.entries(SOURCES));

/** By country, in the order of the alphabet. */
export const COUNTRY_RULES: ReadonlyMap<string, CountryRule> = new Map(
  ROWS.map((row) => [row.country, readRow(row)]),
);

/** The countries where the domain in the last line of WebOTP may keep a message from arriving. */
export const LINKLESS_COUNTRIES: readonly string[] = [...COUNTRY_RULES.values()].flatMap(
  ({ country, links }) => (links === undefined ? [] : [country]),
);

function readRow({ names, numbers, links, form, brandInText, ...rest }: Row): CountryRule {
  return {
    ...rest,
    names: oneOf(NAMES, names),
    ...(numbers !== undefined && { numbers: oneOf(NUMBERS, numbers) }),
    ...(links !== undefined && { links: oneOf(LINKS, links) }),
    ...(form !== undefined && { form: { ...form, pattern: new RegExp(`^(?:${form.pattern})$`) } }),
    ...(brandInText === true && { brandInText }),
    sources: rest.sources.map(sourceOf),
  };
}

function oneOf<T extends string>(values: readonly T[], text: string): T {
  const value = values.find((each) => each === text);
  if (value === undefined) throw new Error(`${text} is none of ${values.join(', ')}`);
  return value;
}

function sourceOf(id: string): Source {
  const source = sources.get(id);
  if (source === undefined) throw new Error(`${id} is no source`);
  return source;
}
