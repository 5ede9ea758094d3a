import { Button, CloseButton, Group, Input, Stack } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useFieldError } from './form.tsx';
import { useReset } from './use-reset.ts';

interface RowsFieldProps<R> {
  readonly name: string;
  readonly label: string;
  readonly description: ReactNode;
  readonly rows: readonly R[];
  /** What an added row begins with. */
  readonly added: R;
  readonly most: number;
  /** On the button that adds a row. */
  readonly add: string;
  /** One row as the server takes it. */
  readonly write: (row: R) => string;
  readonly children: (row: R, change: (row: R) => void) => ReactNode;
}

/** A list whose rows have fields of their own. The form has it as one value, with commas between. */
export function RowsField<R>({
  name,
  label,
  description,
  rows: initial,
  added,
  most,
  add,
  write,
  children,
}: RowsFieldProps<R>) {
  const keys = useRef(0);
  const keyed = (row: R) => ({ key: keys.current++, row });
  const [rows, setRows] = useState(() => initial.map(keyed));
  const hidden = useRef<HTMLInputElement>(null);
  const error = useFieldError(name);
  useReset(hidden, () => setRows(initial.map(keyed)));
  return (
    <Input.Wrapper
      labelElement="div"
      label={label}
      description={description}
      error={error}
      role="group"
      aria-label={label}
    >
      <input ref={hidden} type="hidden" name={name} value={rows.map(({ row }) => write(row)).join(', ')} />
      <Stack gap="xs" mt="xs">
        {rows.map(({ key, row }, index) => (
          <Group key={key} gap="xs">
            {children(row, (changed) =>
              setRows(rows.map((each) => (each.key === key ? { key, row: changed } : each))),
            )}
            <CloseButton
              aria-label={`Remove row ${index + 1} of ${label}`}
              onClick={() => setRows(rows.filter((each) => each.key !== key))}
            />
          </Group>
        ))}
        <div>
          <Button
            size="compact-sm"
            variant="default"
            disabled={rows.length >= most}
            onClick={() => setRows([...rows, keyed(added)])}
          >
            {add}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  );
}
