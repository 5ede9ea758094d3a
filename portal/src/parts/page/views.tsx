import { Link, useLocation, useSearchParams } from 'wouter';
import css from './views.module.css';

/** Parts of one page, by their names in its address. The first needs none. */
export type ViewNames<V extends string> = Readonly<Record<V, string>>;

/** The part that the address names, and the way to another. */
export function useView<V extends string>(names: ViewNames<V>, first: NoInfer<V>): [V, (to: V) => void] {
  const [search, setSearch] = useSearchParams();
  const named = search.get('view');
  const isOne = (name: string | null): name is V => name !== null && Object.hasOwn(names, name);
  return [isOne(named) ? named : first, (to) => setSearch(new URLSearchParams({ view: to }))];
}

interface ViewsProps<V extends string> {
  readonly label: string;
  readonly names: Partial<ViewNames<V>>;
  readonly shown: V;
  /** What of the address stays from one to the other. */
  readonly keep?: URLSearchParams;
}

/** Links, so that each part has an address, and the browser's back leads to the one before. */
export function Views<V extends string>({ label, names, shown, keep }: ViewsProps<V>) {
  const [location] = useLocation();
  const addressOf = (view: string) => {
    const search = new URLSearchParams(keep);
    search.set('view', view);
    return `${location}?${search}`;
  };
  return (
    <nav aria-label={label} className={css.views}>
      {Object.entries<string | undefined>(names).map(([view, name]) => (
        <Link
          key={view}
          href={addressOf(view)}
          className={css.view}
          aria-current={view === shown ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
