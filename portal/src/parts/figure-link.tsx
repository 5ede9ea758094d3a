import { Link } from 'wouter';
import css from './figure-link.module.css';

interface FigureLinkProps {
  /** The list of what the figure counts; undefined where there is none. */
  readonly to: string | undefined;
  readonly children: string;
}

/** A figure that leads to what it counts. What it is called stands beside it, or above it in a table. */
export function FigureLink({ to, children }: FigureLinkProps) {
  if (to === undefined || children === '0') return children;
  return (
    <Link href={to} className={css.figure} title="Show what it counts">
      {children}
    </Link>
  );
}
