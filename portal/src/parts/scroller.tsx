import type { ReactNode } from 'react';
import css from './scroller.module.css';

interface ScrollerProps {
  readonly label: string;
  /** On a telephone each row becomes a card, its cells one below the other under their `data-label`. */
  readonly stacked?: boolean;
  readonly children: ReactNode;
}

/** A table wider than the page scrolls in its own frame, by keyboard too. */
export function Scroller({ label, stacked = false, children }: ScrollerProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus (WCAG 2.1.1)
    <section className={`${css.scroller} ${stacked ? css.stacked : ''}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
