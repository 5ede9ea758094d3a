import { type ReactNode, useState } from 'react';
import { TextField } from './fields.tsx';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
  readonly label: string;
  /** What has to be typed, where a slip would do harm. */
  readonly typed?: string;
  /** Whether something is lost. */
  readonly danger?: boolean;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before what cannot be undone. */
export function Confirm({ title, children, label, typed, danger = true, act, onClose }: ConfirmProps) {
  const [text, setText] = useState('');
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      label={label}
      danger={danger}
      disabled={typed !== undefined && text !== typed}
      submit={async () => {
        await act();
        onClose();
      }}
    >
      <div>{children}</div>
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
