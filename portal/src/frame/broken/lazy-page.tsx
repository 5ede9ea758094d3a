import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from '../../parts/page/loading.tsx';

/** The script or the styles of a page did not load. */
export class PageNotLoaded extends Error {}

interface Loaded<Props> {
  readonly Page?: ComponentType<Props>;
  readonly error?: PageNotLoaded;
}

/**
 * A page, or a part of one, that is loaded when it is opened, with an outline until it is there. React's `lazy` needs a `Suspense`, which
 * after its fallback holds back for 300 ms what has arrived: on most networks, that would be half of the wait.
 */
export function lazyPage<Props extends object = object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  outline: ReactNode = <Loading />,
): ComponentType<Props> {
  let loaded: Loaded<Props> = {};
  let loading: Promise<void> | undefined;
  function start(): Promise<void> {
    loading ??= load().then(
      (module) => {
        loaded = { Page: module.default };
      },
      (cause: unknown) => {
        loaded = { error: new PageNotLoaded('a page did not load', { cause }) };
      },
    );
    return loading;
  }
  return function LazyPage(props: Props) {
    const [{ Page, error }, show] = useState(loaded);
    const isThere = Page !== undefined || error !== undefined;
    useEffect(() => {
      if (!isThere) void start().then(() => show(loaded));
    }, [isThere]);
    if (error !== undefined) throw error;
    return Page === undefined ? outline : <Page {...props} />;
  };
}
