import { Input } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { findNamed, type Named } from '../../format/named.ts';
import { pairsPasted } from './pasted.ts';
import { RowsField } from './rows-field.tsx';

interface PairsFieldProps {
  readonly name: string;
  readonly label: string;
  readonly title?: ReactNode;
  readonly description: ReactNode;
  readonly withAsterisk?: boolean | undefined;
  readonly most: number;
  readonly add: string;
  /** What a name is, as `country`. */
  readonly one: string;
  /** Names that are offered. They are written by their codes; any other as it is typed. */
  readonly known: readonly Named[];
  /** Whether that is a name here: what is wrong with a row is said at the part that is. */
  readonly isName: (name: string) => boolean;
  /** Whether the values are figures. */
  readonly figures: boolean;
}

const EMPTY: readonly [name: string, value: string] = ['', ''];

/** Values by name, one in each row; the form has each as JSON, `["DE","0.08"]`. What is pasted into a name becomes several. */
export function PairsField({ one, known, isName, figures, ...list }: PairsFieldProps) {
  const offered = useId();
  const codeOf = (name: string) => findNamed(known, name) ?? name.trim();
  const nameOf = (text: string) => known.find(({ code }) => code === codeOf(text))?.name ?? text;
  const shown = { size: 'xs', maw: '100%', required: true, maxLength: 1_000 } as const;
  return (
    <>
      <datalist id={offered}>
        {known.map(({ code, name }) => (
          <option key={code} value={name}>
            {code}
          </option>
        ))}
      </datalist>
      <RowsField
        {...list}
        rows={[]}
        added={EMPTY}
        write={([name, value]) => JSON.stringify([codeOf(name), value.trim()])}
      >
        {({ value: [name, value], label, change, checked }) => {
          const isNamed = isName(codeOf(name));
          return (
            <>
              <Input
                {...(isNamed ? {} : checked)}
                {...{ ...shown, w: '14rem', autoComplete: 'off', spellCheck: false }}
                {...(known.length > 0 && { list: offered })}
                aria-label={`${label}: ${one}`}
                placeholder={sentence(one)}
                value={name}
                onChange={(event) => change([event.currentTarget.value, value])}
                onBlur={() => nameOf(name) !== name && change([nameOf(name), value])}
                onPaste={(event) => {
                  const [first, ...more] = pairsPasted(event.clipboardData.getData('text')).map(
                    ([pasted, ...rest]) => [nameOf(pasted), ...rest] as const,
                  );
                  if (first === undefined) return;
                  event.preventDefault();
                  change(first, ...more);
                }}
              />
              <Input
                {...(isNamed ? checked : {})}
                {...{ ...shown, w: figures ? '7rem' : '14rem', autoComplete: 'off', spellCheck: false }}
                {...(figures && { inputMode: 'decimal' })}
                aria-label={`${label}: value`}
                placeholder="Value"
                value={value}
                onChange={(event) => change([name, event.currentTarget.value])}
              />
            </>
          );
        }}
      </RowsField>
    </>
  );
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
