const names = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'none' });

/** The name of an ISO 3166 code, or the code itself. */
export function countryName(code: string): string {
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
}

/** The items of a typed list, with commas, spaces or line breaks between them. */
export const itemsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((item) => item !== '');

/** As `itemsOf`, in upper case. */
export const countriesOf = (text: string): string[] => itemsOf(text.toUpperCase());
