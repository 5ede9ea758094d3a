/**
 * The address of the page that is shown. The browser asks nobody before it goes back or forward, and tells the page after it went: the page
 * then stays as it is, the browser is sent back to it, and somebody is asked.
 */
import { useSyncExternalStore } from 'react';
import { leave, wouldLose } from './leave.ts';

interface Place {
  readonly path: string;
  readonly search: string;
  /** Its place in the history, which says how far the browser went. */
  readonly at: number;
}

interface Options {
  readonly replace?: boolean;
}

function placeOf({ pathname, search }: URL | Location, at: number): Place {
  return { path: pathname, search, at };
}

/** The place in the history is kept with the entry itself; an entry that the browser made has none yet. */
function indexOfEntry(): number | undefined {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'at' in state && typeof state.at === 'number'
    ? state.at
    : undefined;
}

if (indexOfEntry() === undefined) history.replaceState({ at: 0 }, '');
let shown = placeOf(window.location, indexOfEntry() ?? 0);
/** How far the browser went, until it is back and somebody is asked. */
let went: number | undefined;
let isAgreed = false;

const heard = new EventTarget();
const MOVED = 'moved';

function follow(): void {
  shown = placeOf(window.location, indexOfEntry() ?? shown.at);
  heard.dispatchEvent(new Event(MOVED));
}

const isShown = ({ path, search }: Place): boolean => path === shown.path && search === shown.search;

window.addEventListener('popstate', () => {
  const now = placeOf(window.location, indexOfEntry() ?? shown.at - 1);
  // A link to a part of the page makes an entry without a place.
  if (indexOfEntry() === undefined && isShown(now)) history.replaceState({ at: shown.at + 1 }, '');
  if (went !== undefined) {
    const steps = went;
    went = undefined;
    if (!isShown(now)) return follow();
    leave(document, () => {
      isAgreed = true;
      history.go(steps);
    });
  } else if (isAgreed || isShown(now) || !wouldLose(document)) {
    isAgreed = false;
    follow();
  } else {
    went = now.at - shown.at || -1;
    history.go(-went);
  }
});

window.addEventListener('beforeunload', (event) => {
  if (wouldLose(document)) event.preventDefault();
});

function navigate(to: string, { replace = false }: Options = {}): void {
  function go(): void {
    if (replace) history.replaceState({ at: shown.at }, '', to);
    else history.pushState({ at: shown.at + 1 }, '', to);
    follow();
  }
  if (isShown(placeOf(new URL(to, window.location.href), shown.at))) go();
  else leave(document, go);
}

function onMoved(told: () => void): () => void {
  heard.addEventListener(MOVED, told);
  return () => heard.removeEventListener(MOVED, told);
}

/** For the router: the path that is shown, and the way to another. */
export function usePlace(): [path: string, navigate: (to: string, options?: Options) => void] {
  return [useSyncExternalStore(onMoved, () => shown.path), navigate];
}

export const useSearchOfPlace = (): string => useSyncExternalStore(onMoved, () => shown.search);
