import { CloseButton, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import css from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `side` for navigation on a phone, `end` for what is known about one row of a list. */
  readonly place?: 'centre' | 'side' | 'end';
  /** Shows something that is not shown again: only its content can close it, with `onClose`. */
  readonly lasting?: boolean;
}

/**
 * The browser's own modal dialog: it keeps the focus, gives it back, and closes on Escape. Mantine's dialog writes a style
 * tag, which our policy forbids.
 */
export function Dialog({ title, onClose, children, place = 'centre', lasting = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
    // Otherwise the browser focuses the button that closes the dialog.
    dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css[place]}
      aria-labelledby={heading}
      closedby={lasting ? 'none' : 'closerequest'}
      // A browser that does not know `closedby` closes it anyway.
      onClose={() => (lasting ? dialog.current?.showModal() : onClose())}
    >
      <Group justify="space-between" wrap="nowrap" mb="md">
        <Title order={2} size="h4" id={heading}>
          {title}
        </Title>
        {!lasting && <CloseButton aria-label="Close" onClick={() => dialog.current?.close()} />}
      </Group>
      {children}
    </dialog>
  );
}
