import { Group, Pill, Stack, Text, TextInput } from '@mantine/core';
import { type ChangeEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import {
  byCountryName,
  COUNTRIES,
  countedAsWords,
  countryName,
  findCountry,
  typedCountry,
} from '../../format/country.ts';
import { withoutFields } from './faults.ts';
import { useFaults } from './form.tsx';
import { useReset } from './use-reset.ts';

interface CountriesFieldProps {
  readonly name: string;
  /** What no country means. */
  readonly none: string;
  readonly countries: readonly string[];
}

/** Countries, chosen by name one after another. If the numbers of one count as those of another, the field says so at once. */
export function CountriesField({ name, none, countries }: CountriesFieldProps) {
  const [chosen, setChosen] = useState(countries);
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const { faults, correct } = useFaults();
  const hidden = useRef<HTMLInputElement>(null);
  const list = useId();
  useReset(hidden, () => setChosen(countries));

  /** A choice is there at once, and so is a name that no other begins with; other text waits for a comma, Enter, or the end of the field. */
  function type({ currentTarget: { value }, nativeEvent }: ChangeEvent<HTMLInputElement>): void {
    // The comma after a name that was taken without it.
    const text = value.replace(/^[\s,]+/, '');
    setFault(undefined);
    take(text, isChoice(nativeEvent) ? findCountry(text) : typedCountry(text));
  }
  function finish(): void {
    const code = findCountry(typed);
    setFault(
      code === undefined && typed.trim() !== '' ? `There is no country “${typed.trim()}”.` : undefined,
    );
    take(typed, code);
  }
  function take(text: string, code: string | undefined): void {
    setTyped(code === undefined ? text : '');
    if (code !== undefined) setChosen([...new Set([...chosen, code])]);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      finish();
    } else if (event.key === 'Backspace' && typed === '') {
      setChosen(chosen.toSorted(byCountryName).slice(0, -1));
    }
  }

  return (
    <Stack gap="xs" role="group" aria-label="Countries">
      <TextInput
        label="Countries"
        description={`Choose one after another. ${none}`}
        placeholder="Add a country"
        list={list}
        autoComplete="off"
        value={typed}
        error={fault ?? faults.get(name)?.detail}
        onChange={type}
        onKeyDown={onKeyDown}
        onBlur={finish}
      />
      <datalist id={list}>
        {COUNTRIES.filter(({ code }) => !chosen.includes(code)).map(({ code, name: called }) => (
          <option key={code} value={called}>
            {code}
          </option>
        ))}
      </datalist>
      <input ref={hidden} type="hidden" name={name} value={chosen.join('\n')} />
      {chosen.length > 0 && (
        <Group gap="xs" role="list" aria-label="Chosen countries">
          {chosen.toSorted(byCountryName).map((code) => (
            <Pill
              key={code}
              role="listitem"
              withRemoveButton
              removeButtonProps={{
                'aria-label': `Remove ${countryName(code)}`,
                'aria-hidden': false,
                tabIndex: 0,
              }}
              onRemove={() => {
                setChosen(chosen.filter((each) => each !== code));
                correct((now) => withoutFields(now, [name]));
              }}
            >
              {countryName(code)}
            </Pill>
          ))}
        </Group>
      )}
      <Text component="div" role="status" size="sm">
        {countedAsWords(chosen).join(' ')}
      </Text>
    </Stack>
  );
}

/** Whether the text was chosen from the list: browsers say so, or do not say how it was typed. */
const isChoice = (event: Event): boolean =>
  !('inputType' in event) || event.inputType === 'insertReplacementText';
