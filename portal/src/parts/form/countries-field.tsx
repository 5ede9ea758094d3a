import { Stack, Text, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { describeCountedAs } from '../../../../src/core/destination/counted-as.ts';
import { countriesOf } from '../../format/country.ts';
import { TextField } from './fields.tsx';

type Props = Pick<TextInputProps, 'description' | 'placeholder'> & {
  readonly name: string;
  readonly countries: readonly string[];
};

/** A list of countries. If the numbers of one count as those of another, the field says so while people type. */
export function CountriesField({ countries, ...props }: Props) {
  const [typed, setTyped] = useState(countries.join(', '));
  const notes = describeCountedAs(countriesOf(typed));
  return (
    <Stack gap="xs">
      <TextField
        {...props}
        label="Countries"
        fits="line"
        defaultValue={countries.join(', ')}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Text component="div" role="status" size="sm">
        {notes.map((note) => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`).join(' ')}
      </Text>
    </Stack>
  );
}
