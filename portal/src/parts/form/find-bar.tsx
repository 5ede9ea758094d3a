import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { looksLikeNumber } from '../../format/number-like.ts';
import css from './find-bar.module.css';

interface FindBarProps {
  readonly label: string;
  readonly placeholder: string;
  /** What was searched for. It is not kept in the page's address. */
  readonly typed: string;
  readonly find: (text: string) => void;
  readonly isNarrowed: boolean;
  /** Takes the other filters off. */
  readonly clear: () => void;
  /** Beside the buttons, such as one for a file. */
  readonly beside?: ReactNode;
  /** The other filters. */
  readonly children: ReactNode;
}

/** Above a long list: other filters, a text to find, and a button that takes all of it off. */
export function FindBar({
  label,
  placeholder,
  typed,
  find,
  isNarrowed,
  clear,
  beside,
  children,
}: FindBarProps) {
  const [text, setText] = useState(typed);
  const [fault, setFault] = useState('');
  function submit(): void {
    const isNumber = looksLikeNumber(text);
    setFault(isNumber ? 'Full numbers are found on the page “Verifications”.' : '');
    if (!isNumber) find(text.trim());
  }
  return (
    <search>
      <form
        className={css.filters}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        <TextInput
          size="xs"
          className={css.text}
          label={label}
          placeholder={placeholder}
          autoComplete="off"
          maxLength={100}
          error={fault || undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group gap="xs" className={css.buttons}>
          <Button type="submit" size="xs" variant="default">
            Find
          </Button>
          {isNarrowed && (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => {
                setText('');
                setFault('');
                find('');
                clear();
              }}
            >
              Clear filters
            </Button>
          )}
          {beside}
        </Group>
      </form>
    </search>
  );
}
