import { Button, CloseButton, Group, Input, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { FieldErrorCode } from '../../../../src/core/errors/field-error.ts';
import { nameOfRow, withRowsReplaced } from './faults.ts';
import { useFaults } from './form.tsx';
import css from './rows-field.module.css';
import { useReset } from './use-reset.ts';

/** One row, for the controls in it. */
interface Row<R> {
  readonly value: R;
  /** Its name and place: what each of its controls is called begins with that. */
  readonly label: string;
  /** Puts another value in its place, or several rows, of which the last gets the focus. */
  readonly change: (...values: readonly [R, ...R[]]) => void;
  /** For the `Input` that is most likely wrong: it leads to what the server says about the row. */
  readonly checked: {
    readonly name: string;
    readonly error: boolean;
    /** Mantine's own would lead to what is wrong with the list. */
    readonly withAria: false;
    readonly 'aria-invalid': true | undefined;
    readonly 'aria-describedby': string | undefined;
  };
}

interface RowsFieldProps<R> {
  readonly name: string;
  readonly label: string;
  /** Stands above the list in place of the label alone. */
  readonly title?: ReactNode;
  readonly description: ReactNode;
  readonly withAsterisk?: boolean | undefined;
  readonly rows: readonly R[];
  /** What an added row begins with. */
  readonly added: R;
  readonly most: number;
  /** On the button that adds a row. */
  readonly add: string;
  /** One row as the server takes it. */
  readonly write: (row: R) => string;
  /** What is wrong with a row, in the words of its controls rather than as the server takes it; undefined for the server's words. */
  readonly tell?: (row: R, code: FieldErrorCode | undefined) => string | undefined;
  readonly children: (row: Row<R>) => ReactNode;
}

/** A list whose rows have fields of their own. The form has it as one value, a line for each row. */
export function RowsField<R>({
  name,
  label,
  title = label,
  description,
  withAsterisk = false,
  rows: initial,
  added,
  most,
  add,
  write,
  tell,
  children,
}: RowsFieldProps<R>) {
  const keys = useRef(0);
  const keyed = (value: R) => ({ key: keys.current++, value });
  const [rows, setRows] = useState(() => initial.map(keyed));
  const hidden = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  // The row that gets the focus once it is there; the place after the last is the button that adds one.
  const [next, setNext] = useState<{ readonly index: number }>();
  // How many rows the last change did not add: the list was full.
  const [leftOut, setLeftOut] = useState(0);
  const { faults, correct } = useFaults();
  const id = useId();
  useReset(hidden, () => {
    setRows(initial.map(keyed));
    setLeftOut(0);
  });
  useEffect(() => {
    const place = next === undefined ? null : list.current?.children[next.index];
    place?.querySelector<HTMLElement>('input, select, button')?.focus();
  }, [next]);

  function replace(index: number, values: readonly R[]): void {
    const room = Math.max(1, most - rows.length + 1);
    const [first, ...more] = values.slice(0, room);
    const kept = rows[index];
    const placed =
      kept === undefined || first === undefined ? [] : [{ ...kept, value: first }, ...more.map(keyed)];
    setRows(rows.toSpliced(index, 1, ...placed));
    setLeftOut(values.length - placed.length);
    correct((now) => withRowsReplaced(now, name, index, placed.length));
    if (placed.length !== 1) setNext({ index: Math.max(index, index + placed.length - 1) });
  }
  return (
    <Input.Wrapper
      labelElement="div"
      label={title}
      description={description}
      withAsterisk={withAsterisk}
      error={faults.get(name)?.detail}
      role="group"
      aria-label={label}
    >
      <input
        ref={hidden}
        type="hidden"
        name={name}
        value={rows.map(({ value }) => write(value)).join('\n')}
      />
      <Stack ref={list} gap="xs" mt="xs">
        {rows.map(({ key, value }, index) => {
          const field = nameOfRow(name, index);
          const fault = faults.get(field);
          const called = `${label}, row ${index + 1}`;
          const faultId = `${id}-${key}`;
          return (
            <Stack key={key} gap={0} role="group" aria-label={called}>
              <Group gap="xs" wrap="nowrap">
                <div className={css.controls}>
                  {children({
                    value,
                    label: called,
                    change: (...values) => replace(index, values),
                    checked: {
                      name: field,
                      error: fault !== undefined,
                      withAria: false,
                      'aria-invalid': fault === undefined ? undefined : true,
                      'aria-describedby': fault === undefined ? undefined : faultId,
                    },
                  })}
                </div>
                <CloseButton aria-label={`Remove ${called}`} onClick={() => replace(index, [])} />
              </Group>
              {fault !== undefined && (
                <Input.Error id={faultId}>
                  {(fault.code === 'missing' ? undefined : tell?.(value, fault.code)) ?? fault.detail}
                </Input.Error>
              )}
            </Stack>
          );
        })}
        <div>
          <Button
            size="compact-sm"
            variant="default"
            disabled={rows.length >= most}
            onClick={() => {
              setRows([...rows, keyed(added)]);
              setNext({ index: rows.length });
            }}
          >
            {add}
          </Button>
        </div>
      </Stack>
      <Text component="div" role="status" size="sm">
        {leftOut > 0 && `${most} at most; ${leftOut} ${leftOut === 1 ? 'was' : 'were'} not added.`}
      </Text>
    </Input.Wrapper>
  );
}
