/** Languages as people read them. */
import { COUNTRY_LOCALES } from '../../../src/core/message/locales/countries.ts';
import type { Named } from './named.ts';

const names = new Intl.DisplayNames('en-GB', { type: 'language' });

/** `German`, of a tag such as `de`. Meta writes `pt_BR`. */
export const languageName = (tag: string): string => names.of(tag.replaceAll('_', '-')) ?? tag;

/** By name. */
export const namedLanguages = (tags: Iterable<string>): readonly Named[] =>
  [...new Set(tags)]
    .map((code) => ({ code, name: languageName(code) }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));

/** Those of the service's own messages, by name. */
export const LANGUAGES = namedLanguages(COUNTRY_LOCALES.values());
