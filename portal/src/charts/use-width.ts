import { type RefCallback, useCallback, useState } from 'react';

/** The width of an element in px as it changes; before the first measurement, that of a phone. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(320);
  const box = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}
