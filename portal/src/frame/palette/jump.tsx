import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import css from './palette.module.css';

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Whether the palette is open; Ctrl-K and Cmd-K open it too. */
export function useJump() {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
      event.preventDefault();
      // What a dialog asks, or shows only once, comes first.
      if (document.querySelector('dialog[open]') === null) open();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);
  return { isOpen, open, close };
}

interface JumpButtonProps {
  readonly open: () => void;
  /** Beside the pages, where it looks like a field to search in. */
  readonly wide?: boolean;
}

export function JumpButton({ open, wide = false }: JumpButtonProps) {
  return (
    <Button
      variant="default"
      size="sm"
      {...(wide && { fullWidth: true, justify: 'space-between', className: css.wide })}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={open}
    >
      Jump to…
      {wide && (
        <span className={css.keys} aria-hidden="true">
          {IS_APPLE ? '⌘K' : 'Ctrl K'}
        </span>
      )}
    </Button>
  );
}
