import { COUNTRIES, countedAsWords } from '../../format/country.ts';
import { PickedField } from './picked-field.tsx';

interface CountriesFieldProps {
  readonly name: string;
  /** What no country means. */
  readonly none: string;
  readonly countries: readonly string[];
}

/** If the numbers of one country count as those of another, the field says so at once. */
export const CountriesField = ({ name, none, countries }: CountriesFieldProps) => (
  <PickedField
    name={name}
    label="Countries"
    one="country"
    description={`Choose one after another. ${none}`}
    all={COUNTRIES}
    picked={countries}
    note={(codes) => countedAsWords(codes).join(' ')}
  />
);
