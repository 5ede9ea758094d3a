import { useSyncExternalStore } from 'react';
import { NONE } from '../format/number.ts';
import { formatAgo, formatInstant } from '../format/time.ts';

const TICK_MS = 10_000;
// Rounded up: what has just happened must not be in the future.
const tick = () => Math.ceil(Date.now() / TICK_MS) * TICK_MS;
const subscribe = (changed: () => void) => {
  const timer = setInterval(changed, TICK_MS);
  return () => clearInterval(timer);
};

/** How long ago, with the exact time on hover. */
export function When({ at, never = NONE }: { readonly at: string | null; readonly never?: string }) {
  const now = useSyncExternalStore(subscribe, tick);
  if (at === null) return <>{never}</>;
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatAgo(at, now)}
    </time>
  );
}
