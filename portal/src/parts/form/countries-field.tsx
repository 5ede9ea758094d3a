import { Group, Pill, Stack, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { byCountryName, COUNTRIES, countedAsWords, countryName, findCountry } from '../../format/country.ts';
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

  /** What is chosen from the list is there at once; what is typed waits for Enter. */
  function take(text: string, isWhole: boolean): void {
    const code = findCountry(text);
    const isKnown = code !== undefined && (isWhole || countryName(code) === text);
    setTyped(isKnown ? '' : text);
    setFault(isWhole && !isKnown && text.trim() !== '' ? `There is no country “${text.trim()}”.` : undefined);
    if (isKnown) setChosen([...new Set([...chosen, code])]);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      take(typed, true);
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
        error={fault ?? faults.get(name)}
        onChange={(event) => take(event.currentTarget.value, false)}
        onKeyDown={onKeyDown}
        onBlur={() => take(typed, true)}
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
