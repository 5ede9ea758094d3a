import { useSyncExternalStore } from 'react';

/** A full number on its way from the palette to the page that finds it: in memory only, because addresses are kept by browsers. */
let sought = '';
const listeners = new Set<() => void>();

/** With an empty text nothing is looked for any more. */
export function seekNumber(text: string): void {
  sought = text;
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

export const useSoughtNumber = (): string => useSyncExternalStore(subscribe, () => sought);
