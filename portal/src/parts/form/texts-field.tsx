import { Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { itemsAfterPaste } from './pasted.ts';
import { RowsField } from './rows-field.tsx';

interface TextsFieldProps {
  readonly name: string;
  readonly label: string;
  readonly title?: ReactNode;
  readonly description: ReactNode;
  readonly withAsterisk?: boolean | undefined;
  readonly texts: readonly string[];
  readonly most: number;
  readonly longest: number;
  readonly add: string;
  readonly placeholder?: string;
  /** What stands between texts that are pasted, if they may have spaces of their own. */
  readonly between?: RegExp;
}

/** Short texts, one in each row. A list that is pasted into a row becomes several, and Enter begins the next one. */
export function TextsField({ texts, longest, placeholder, between, ...list }: TextsFieldProps) {
  return (
    <RowsField rows={texts} added="" write={(text) => text.trim()} {...list}>
      {({ value, label, change, checked }) => (
        <Input
          {...checked}
          {...{ size: 'xs', w: '24rem', maw: '100%', required: true, maxLength: longest, placeholder }}
          autoComplete="off"
          spellCheck={false}
          aria-label={label}
          value={value}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // It would send the form.
            event.preventDefault();
            if (value.trim() !== '') change(value, '');
          }}
          onPaste={(event) => {
            const { selectionStart, selectionEnd } = event.currentTarget;
            const place = { value, from: selectionStart ?? 0, to: selectionEnd ?? 0 };
            const text = event.clipboardData.getData('text');
            const [first, ...more] = itemsAfterPaste({ ...place, text }, between);
            if (first === undefined || more.length === 0) return;
            event.preventDefault();
            change(first, ...more);
          }}
        />
      )}
    </RowsField>
  );
}
