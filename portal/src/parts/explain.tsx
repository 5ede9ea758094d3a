import { type ReactNode, useId, useState } from 'react';
import css from './explain.module.css';

/**
 * What a figure means, behind a question mark. The browser's own popover: any pointer or key opens it, Escape closes it, and a
 * screen reader finds the text right after the button.
 */
export function Explain({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <span>
      {/* Keeps the mark on the line of the word before it. */}
      {'\u00a0'}
      <button type="button" className={css.mark} popoverTarget={id} aria-label={`What “${what}” means`}>
        ?
      </button>
      <span
        id={id}
        popover="auto"
        className={css.bubble}
        onBeforeToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && children}
      </span>
    </span>
  );
}
