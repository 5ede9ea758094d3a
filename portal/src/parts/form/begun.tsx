import { createContext, Fragment, type ReactNode, use, useEffect, useReducer, useRef, useState } from 'react';
import { isInUse } from '../unsaved/leave.ts';

interface Source {
  /** Shows what is there now, in place of what the form was filled from. */
  reload(): Promise<void>;
  /** The form has nothing to lose now. */
  saved(): void;
}

const Source = createContext<Source | undefined>(undefined);

/** What the form around was filled from; undefined if it only adds something. */
export const useSource = () => use(Source);

interface BegunProps<T> {
  /** What is there now, as far as the page knows. */
  readonly now: T;
  readonly read: () => Promise<T | undefined>;
  /** Whether a form that nobody has changed shows at once what somebody else changed. */
  readonly follows?: boolean;
  readonly children: (begun: T) => ReactNode;
}

/**
 * A form over what can be changed by others, too. It sends the version that it was filled from, and keeps what was typed until it is saved,
 * undone or given up for what is there now.
 */
export function Begun<T extends { readonly version: string }>({
  now,
  read,
  follows = false,
  children,
}: BegunProps<T>) {
  const place = useRef<HTMLDivElement>(null);
  const [begun, begin] = useState(now);
  const [, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (follows && place.current !== null && !isInUse(place.current)) begin(now);
  });
  async function reload(): Promise<void> {
    const found = await read();
    if (found !== undefined) begin(found);
  }
  // What is not of the version, such as the service's defaults, is always that of now.
  const shown = begun.version === now.version ? now : begun;
  return (
    <div ref={place} onReset={look}>
      <Source value={{ reload, saved: look }}>
        <Fragment key={shown.version}>{children(shown)}</Fragment>
      </Source>
    </div>
  );
}
