import { Stack } from '@mantine/core';
import type { Field } from '#contract/configuration.ts';
import css from './compose.module.css';
import { OptionField } from './option-field.tsx';

interface OptionsProps {
  readonly fields: readonly Field[];
  readonly part: string;
  /** Groups that are there at first. */
  readonly initially?: readonly string[];
  /** Options that have fields of their own elsewhere. */
  readonly without?: readonly string[];
  /** Shows the rest too: something in it is wrong. */
  readonly openRest: boolean;
}

/** What has to be said, then the rest, folded. */
export function Options({ fields, part, initially = [], without = [], openRest }: OptionsProps) {
  const top = fields.filter(({ path }) => !path.includes('.') && !without.includes(path));
  const rest = top.filter(({ path }) => isFolded(fields, path, initially));
  const show = (field: Field) => (
    <OptionField
      key={field.path}
      field={field}
      fields={fields}
      part={part}
      initially={initially.includes(field.path)}
    />
  );
  return (
    <Stack>
      {top.filter((field) => !rest.includes(field)).map(show)}
      {rest.length > 0 && (
        <details className={css.more} {...(openRest && { open: true })}>
          <summary>More options</summary>
          <Stack mt="sm">{rest.map(show)}</Stack>
        </details>
      )}
    </Stack>
  );
}

/** Whether nothing has to be said about an option, so that it, or the group it is in, is among the rest. */
export function isFolded(fields: readonly Field[], path: string, initially: readonly string[]): boolean {
  const [name = ''] = path.split('.');
  const field = fields.find((each) => each.path === name);
  if (field === undefined || initially.includes(name) || field.example !== null) return false;
  if (!field.required) return true;
  return field.kind === 'group' && !fields.some((each) => each.path.startsWith(`${name}.`) && each.required);
}
