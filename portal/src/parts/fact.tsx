import type { ReactNode } from 'react';
import css from './fact.module.css';

/** What is known about one thing: a frame of names and values, beside each other where there is room. */
export const Facts = ({ children }: { readonly children: ReactNode }) => (
  <dl className={css.facts}>{children}</dl>
);

/** How it is now, before all else that is known about it. */
export const Outcome = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.outcome}>{children}</div>
);

/** One name and value of a `dl`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
