import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { TextField } from '../form/fields.tsx';
import { useToast } from '../toast.tsx';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
  readonly label: string;
  /** What people must type first, where a mistake would do harm. */
  readonly typed?: string;
  /** Whether something gets lost. */
  readonly danger?: boolean;
  readonly act: () => Promise<unknown>;
  /** Shown when it has worked. */
  readonly done?: string;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, label, typed, danger = true, act, done, onClose }: ConfirmProps) {
  const toast = useToast();
  const [text, setText] = useState('');
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      label={label}
      danger={danger}
      saves={false}
      disabled={typed !== undefined && text !== typed}
      submit={async () => {
        await act();
        if (done !== undefined) toast(done);
        onClose();
      }}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      {typed !== undefined && (
        <TextField
          name="typed"
          label={`Type “${typed}” to confirm`}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
