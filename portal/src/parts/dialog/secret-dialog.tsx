import { Alert, Button, Code, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../copy.tsx';
import { Dialog } from './dialog.tsx';
import css from './secret-dialog.module.css';

interface SecretDialogProps {
  readonly title: string;
  /** What to do with it. */
  readonly advice: string;
  readonly text: string;
  /** On the button that closes the dialog. */
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Something that is shown only once. */
export function SecretDialog({ title, advice, text, label, onClose, children }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} lasting>
      <Stack>
        <Alert color="yellow" title={advice}>
          <p>{children}</p>
          <Group wrap="nowrap" align="center" gap="xs">
            <Code block className={css.text} tabIndex={0} role="textbox" aria-readonly aria-label="Secret">
              {text}
            </Code>
            <CopyButton text={text} />
          </Group>
        </Alert>
        <Button onClick={onClose}>{label}</Button>
      </Stack>
    </Dialog>
  );
}
