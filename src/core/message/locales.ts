/** The built-in languages of messages, and the language of each country. */
import { EASTERN_ASIA } from './locales/eastern-asia.ts';
import { EASTERN_EUROPE } from './locales/eastern-europe.ts';
import { WESTERN_ASIA_AND_AFRICA } from './locales/western-asia.ts';
import { WESTERN_EUROPE } from './locales/western-europe.ts';
import type { Wording } from './locales/wording.ts';

export { COUNTRY_LOCALES } from './locales/countries.ts';

export const DEFAULT_LOCALE = 'en';

/** BCP 47 tag to wording. */
export const WORDINGS: ReadonlyMap<string, Wording> = new Map(
  Object.entries({ ...WESTERN_EUROPE, ...EASTERN_EUROPE, ...WESTERN_ASIA_AND_AFRICA, ...EASTERN_ASIA }),
);
