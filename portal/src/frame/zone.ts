import { useSyncExternalStore } from 'react';
import type { Zone } from '../format/time.ts';

const KEY = 'countersign-zone';
const listeners = new Set<() => void>();

const subscribe = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};
const read = (): Zone => (localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local');

function choose(zone: Zone): void {
  localStorage.setItem(KEY, zone);
  for (const changed of listeners) changed();
}

/** The zone of the times in charts, which this browser remembers. */
export const useZone = () => [useSyncExternalStore(subscribe, read), choose] as const;
