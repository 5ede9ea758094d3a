import { Anchor, Text } from '@mantine/core';
import { type RefObject, useLayoutEffect, useState } from 'react';
import { type FaultyField, findFields, goTo } from './controls.ts';
import type { Faults } from './faults.ts';
import css from './form.module.css';

interface AttentionProps {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly faults: Faults;
  /** What was said when the form was refused: a screen reader hears it once, however many fields are corrected after that. */
  readonly said: string;
}

/** Beside the button of a form that was refused: the fields that need attention, each with a way to it. */
export function Attention({ form, faults, said }: AttentionProps) {
  const [fields, setFields] = useState<readonly FaultyField[]>([]);
  // Rows move and labels change with what is drawn: only then the form is read.
  useLayoutEffect(() => {
    const found = form.current === null ? [] : findFields(form.current, faults);
    setFields((now) => (JSON.stringify(now) === JSON.stringify(found) ? now : found));
  });
  if (fields.length === 0) return null;
  return (
    <>
      <span className="quiet" role="alert">
        {said}
      </span>
      <Text
        size="sm"
        component="div"
        role="group"
        aria-label="Fields that need attention"
        className={css.attention}
      >
        {countWords(fields.length)}{' '}
        {fields.map(({ name, label }, index) => (
          <span key={name}>
            {index > 0 && ', '}
            <Anchor
              component="button"
              type="button"
              inherit
              underline="always"
              onClick={() => form.current && goTo(form.current, name)}
            >
              {label}
            </Anchor>
          </span>
        ))}
      </Text>
    </>
  );
}

/** The same in a sentence. */
export const attentionWords = (fields: readonly FaultyField[]): string =>
  fields.length === 0 ? '' : `${countWords(fields.length)} ${fields.map(({ label }) => label).join(', ')}.`;

const countWords = (count: number): string =>
  count === 1 ? '1 field needs attention:' : `${count} fields need attention:`;
