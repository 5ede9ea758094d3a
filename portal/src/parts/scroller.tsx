import type { ReactNode } from 'react';
import css from './scroller.module.css';

/** A table wider than the page scrolls in its own frame, by keyboard too. */
export function Scroller({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus (WCAG 2.1.1)
    <section className={css.scroller} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
