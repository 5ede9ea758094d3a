import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The script or the styles of a page did not load. */
export class PageNotLoaded extends Error {}

/** A page that is loaded when it is opened. */
export function lazyPage<Props = object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().catch((cause: unknown) => {
      throw new PageNotLoaded('a page did not load', { cause });
    }),
  );
}
