/**
 * Countries whose mobile numbers nobody can tell from those of the country that they share a calling code with: they count as that
 * one's. Imports nothing, because the portal's pages use it.
 */
const MOBILES: ReadonlyMap<string, string> = new Map([
  ['AX', 'FI'],
  ['BL', 'GP'],
  ['CC', 'AU'],
  ['CX', 'AU'],
  ['EH', 'MA'],
  ['MF', 'GP'],
  ['SJ', 'NO'],
  ['VA', 'IT'],
]);

/** Of these, no landline counts as its own, either. */
const WITHOUT_LANDLINES: readonly string[] = ['EH'];

/** Whether any number counts as one of the country. */
export const hasOwnNumbers = (country: string): boolean => !WITHOUT_LANDLINES.includes(country);

/**
 * For each country of a list that is not met as it is meant, what its numbers count as. Nothing if the list names that one, too.
 * `apart` are countries for which something else may be set; `nameOf` says what a country is called.
 */
export function describeCountedAs(
  countries: readonly string[],
  apart: readonly string[] = [],
  nameOf = (country: string) => country,
): string[] {
  return countries.flatMap((country) => {
    const counted = MOBILES.get(country);
    if (counted === undefined || countries.includes(counted)) return [];
    const isSet = apart.includes(counted);
    const [own, other] = [country, counted].map(nameOf);
    return WITHOUT_LANDLINES.includes(country)
      ? `numbers of ${own} count as ${other}: ${isSet ? `what is set for ${other} is used` : `name ${other}`}`
      : `mobile numbers of ${own} count as ${other}, and only its landlines as ${own}: ${isSet ? `what is set for ${other} is used for the former` : `name ${other}, too`}`;
  });
}
