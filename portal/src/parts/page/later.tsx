import { type ReactNode, useDeferredValue } from 'react';
import { Loading } from './loading.tsx';

/**
 * What a page shows below the first window. It is drawn when the rest of the page stands, at first and at every change, in short
 * pieces of work between which the page answers.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(children, <Loading />);
}
