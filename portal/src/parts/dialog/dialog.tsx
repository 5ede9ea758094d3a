import { CloseButton, Group, Title } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useId, useRef } from 'react';
import { leave } from '../unsaved/leave.ts';
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

const Close = createContext(() => {});

/** Closes the dialog around; if something in it was changed, when somebody says so. */
export const useClose = () => use(Close);

/**
 * The browser's own modal dialog: it keeps the focus, gives it back, and closes on Escape. Mantine's dialog writes a style
 * tag, which our policy forbids.
 */
export function Dialog({ title, onClose, children, place = 'centre', lasting = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const mayClose = useRef(false);
  const focused = useRef<HTMLElement>(null);
  function close(): void {
    if (dialog.current === null) return;
    leave(dialog.current, () => {
      mayClose.current = true;
      dialog.current?.close();
    });
  }
  useEffect(() => {
    dialog.current?.showModal();
    // Otherwise the browser focuses the button that closes the dialog.
    const first = ['[data-autofocus]', 'input, select, textarea'];
    first
      .map((each) => dialog.current?.querySelector<HTMLElement>(each))
      .find(Boolean)
      ?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css[place]}
      aria-labelledby={heading}
      closedby={lasting ? 'none' : 'closerequest'}
      onFocus={({ target }) => {
        // Not what has the focus in a dialog over this one.
        if (target.closest('dialog') === dialog.current) focused.current = target;
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current || !event.cancelable) return;
        event.preventDefault();
        if (!lasting) close();
      }}
      // A browser that does not know `closedby` closes it anyway, and so does Chromium at the second Escape in a row.
      onClose={() => {
        if (mayClose.current) return onClose();
        const before = focused.current;
        dialog.current?.showModal();
        before?.focus();
        if (!lasting) close();
      }}
    >
      <Group justify="space-between" wrap="nowrap" mb="md">
        <Title order={2} size="h4" id={heading}>
          {title}
        </Title>
        {!lasting && <CloseButton aria-label="Close" onClick={close} />}
      </Group>
      <Close value={close}>{children}</Close>
    </dialog>
  );
}
