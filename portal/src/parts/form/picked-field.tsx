import { Group, Pill, Stack, Text, TextInput } from '@mantine/core';
import { type ChangeEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { findNamed, type Named, typedNamed } from '../../format/named.ts';
import { withoutFields } from './faults.ts';
import { useFaults } from './form.tsx';
import { useReset } from './use-reset.ts';

interface PickedFieldProps {
  readonly name: string;
  readonly label: string;
  /** What one of them is called, as `country`. */
  readonly one: string;
  readonly description: ReactNode;
  /** What can be picked, by name. */
  readonly all: readonly Named[];
  /** The codes of those that are picked at first. */
  readonly picked: readonly string[];
  /** What is to be known of those that are picked. */
  readonly note?: (codes: readonly string[]) => string;
}

/** Picked by name one after another. */
export function PickedField({ name, label, one, description, all, picked: initial, note }: PickedFieldProps) {
  const [picked, setPicked] = useState(initial);
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const { faults, correct } = useFaults();
  const hidden = useRef<HTMLInputElement>(null);
  const list = useId();
  useReset(hidden, () => setPicked(initial));
  const named = picked
    .map((code) => all.find((each) => each.code === code) ?? { code, name: code })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

  /** A choice is there at once, and so is a name that no other begins with; other text waits for a comma, Enter, or the end of the field. */
  function type({ currentTarget: { value }, nativeEvent }: ChangeEvent<HTMLInputElement>): void {
    // The comma after a name that was taken without it.
    const text = value.replace(/^[\s,]+/, '');
    setFault(undefined);
    take(text, isChoice(nativeEvent) ? findNamed(all, text) : typedNamed(all, text));
  }
  function finish(): void {
    const code = findNamed(all, typed);
    setFault(code === undefined && typed.trim() !== '' ? `There is no ${one} “${typed.trim()}”.` : undefined);
    take(typed, code);
  }
  function take(text: string, code: string | undefined): void {
    setTyped(code === undefined ? text : '');
    if (code !== undefined) setPicked([...new Set([...picked, code])]);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      finish();
    } else if (event.key === 'Backspace' && typed === '') {
      const last = named.at(-1);
      setPicked(picked.filter((each) => each !== last?.code));
    }
  }

  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <TextInput
        label={label}
        description={description}
        placeholder={`Add a ${one}`}
        list={list}
        autoComplete="off"
        value={typed}
        error={fault ?? faults.get(name)?.detail}
        onChange={type}
        onKeyDown={onKeyDown}
        onBlur={finish}
      />
      <datalist id={list}>
        {all
          .filter(({ code }) => !picked.includes(code))
          .map(({ code, name: called }) => (
            <option key={code} value={called}>
              {code}
            </option>
          ))}
      </datalist>
      <input ref={hidden} type="hidden" name={name} value={picked.join('\n')} />
      {named.length > 0 && (
        <Group gap="xs" role="list" aria-label={`Chosen ${label.toLowerCase()}`}>
          {named.map(({ code, name: called }) => (
            <Pill
              key={code}
              role="listitem"
              withRemoveButton
              removeButtonProps={{ 'aria-label': `Remove ${called}`, 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => {
                setPicked(picked.filter((each) => each !== code));
                correct((now) => withoutFields(now, [name]));
              }}
            >
              {called}
            </Pill>
          ))}
        </Group>
      )}
      {note !== undefined && (
        <Text component="div" role="status" size="sm">
          {note(picked)}
        </Text>
      )}
    </Stack>
  );
}

/** Whether the text was chosen from the list: browsers say so, or do not say how it was typed. */
const isChoice = (event: Event): boolean =>
  !('inputType' in event) || event.inputType === 'insertReplacementText';
