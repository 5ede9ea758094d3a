import type { ReactNode } from 'react';
import type { Field } from '#contract/configuration.ts';
import { COUNTRIES } from '../../../format/country.ts';
import { LANGUAGES } from '../../../format/language.ts';
import type { Named } from '../../../format/named.ts';
import { PairsField } from '../../../parts/form/pairs-field.tsx';
import { TextsField } from '../../../parts/form/texts-field.tsx';
import { nameWords, takesName } from './rows.ts';

interface RowsOptionProps {
  readonly field: Field;
  readonly name: string;
  /** In words. */
  readonly label: string;
  /** With the identifier beside them. */
  readonly title: ReactNode;
  readonly description: string;
}

/** Every country may have a price. */
const MOST = 300;
const LONGEST = 1_000;
/** Statuses and values of gateways may have spaces. */
const BETWEEN = /[,\n]/;
const ALL_OTHERS: Named = { code: 'default', name: 'All others' };

/** An option of several values, a row for each. */
export function RowsOption({ field, ...named }: RowsOptionProps) {
  const common = { ...named, most: MOST, withAsterisk: field.required };
  if (field.kind === 'list') {
    return <TextsField {...common} texts={[]} longest={LONGEST} add="Add one" between={BETWEEN} />;
  }
  const one = nameWords(field);
  return (
    <PairsField
      {...common}
      one={one}
      add={`Add a ${one}`}
      known={knownTo(field)}
      isName={(name) => takesName(field, name)}
      figures={field.kind === 'numbers'}
    />
  );
}

function knownTo(field: Field): readonly Named[] {
  if (field.names === null) return [];
  const all = field.names === 'country' ? [ALL_OTHERS, ...COUNTRIES] : LANGUAGES;
  return all.filter(({ code }) => takesName(field, code));
}
