/**
 * Which of the languages that are there somebody gets who asked for another: by the likely subtags of CLDR (Unicode TR 35, section
 * "Likely Subtags"), since `zh-TW` says which script is read without naming it.
 */

/** A tag, and what it leaves out filled up. */
interface Reading {
  readonly language: string;
  readonly script: string | undefined;
  readonly region: string | undefined;
  /** What the tag names itself. A tag without it stands for all. */
  readonly own: { readonly script: string | undefined; readonly region: string | undefined };
  /** Variants, extensions and private use. */
  readonly rest: string;
}

/** Whoever asks for Norwegian means Bokmål. */
const ALIASES: Readonly<Record<string, string>> = { no: 'nb' };
/** CLDR would fill up Brazil's. The built-in `pt` is Portugal's, beside `pt-BR`, as in most lists. */
const REGIONS: Readonly<Record<string, string>> = { pt: 'PT' };
/** Two ways to write one language; whoever reads the one reads the other. */
const VARIETIES: Readonly<Record<string, string>> = { nn: 'nb' };
/** Who speaks it writes and reads this. */
const WRITTEN_AS: Readonly<Record<string, string>> = { yue: 'zh' };

/** How near a language is to the wanted one. Each includes those below it. */
const NEARNESS = {
  /** It is read by who speaks the wanted one. */
  read: 1,
  /** The same in another script. */
  language: 2,
  /** The same in another region. */
  script: 3,
  /** It names nothing that the wanted one is not. */
  range: 4,
} as const;

/** Clients may ask for any tag. */
const MOST_READINGS = 1_000;
const READINGS = new Map<string, Reading | undefined>();

/** A range that the tag is in: `de` or `de-AT` for `de-AT`, `zh-Hant` for `zh-HK`. */
export const findRange = (tag: string, tags: Iterable<string>): string | undefined =>
  findNearest(tag, tags, NEARNESS.range);

/** What may be read out by the same voice: the same language in the same script, also of another region. */
export const findSpoken = (tag: string, tags: Iterable<string>): string | undefined =>
  findNearest(tag, tags, NEARNESS.script);

/** What is more readable than another language: Serbian in Latin letters for `sr`, Chinese for `yue`. */
export const findWritten = (tag: string, tags: Iterable<string>): string | undefined =>
  findNearest(tag, tags, NEARNESS.read);

/** The tag itself, or the nearest of those that are near enough; of several that are as near, the first. */
function findNearest(tag: string, tags: Iterable<string>, least: number): string | undefined {
  const wanted = read(tag);
  let nearest: string | undefined;
  let most = 0;
  for (const each of tags) {
    if (each === tag) return each;
    const offered = read(each);
    const nearness = wanted === undefined || offered === undefined ? 0 : nearnessOf(wanted, offered);
    if (nearness < least || nearness <= most) continue;
    nearest = each;
    most = nearness;
  }
  return nearest;
}

function nearnessOf(wanted: Reading, offered: Reading): number {
  const { own } = offered;
  const isSameScript = wanted.script === offered.script;
  if (offered.language === wanted.language) {
    const isRange =
      (own.script ?? wanted.script) === wanted.script &&
      (own.region ?? wanted.region) === wanted.region &&
      (offered.rest === '' || offered.rest === wanted.rest);
    // The one that names more is nearer; the script counts for more than the region.
    if (isRange)
      return NEARNESS.range + (own.script ? 0.4 : 0) + (own.region ? 0.2 : 0) + (offered.rest ? 0.1 : 0);
  }
  if (varietyOf(offered.language) === varietyOf(wanted.language)) {
    return isSameScript ? NEARNESS.script : NEARNESS.language;
  }
  if (WRITTEN_AS[wanted.language] !== offered.language) return 0;
  return NEARNESS.read + (isSameScript ? 0.5 : 0);
}

const varietyOf = (language: string): string => VARIETIES[language] ?? language;

/** Undefined if it is no tag of a language. */
function read(tag: string): Reading | undefined {
  if (READINGS.has(tag)) return READINGS.get(tag);
  if (READINGS.size >= MOST_READINGS) READINGS.clear();
  const reading = readAnew(tag);
  READINGS.set(tag, reading);
  return reading;
}

function readAnew(tag: string): Reading | undefined {
  try {
    const locale = new Intl.Locale(tag);
    const { language, script, region } = locale;
    const likely = locale.maximize();
    return {
      // Not the likely one: CLDR takes whoever names none (`und`) for an American.
      language: ALIASES[language] ?? language,
      script: likely.script,
      region: region ?? REGIONS[language] ?? likely.region,
      own: { script, region },
      rest: locale.toString().slice([language, script, region].filter(Boolean).join('-').length),
    };
  } catch {
    return undefined;
  }
}
