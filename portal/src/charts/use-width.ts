import { type RefCallback, useCallback, useState } from 'react';

/** The width of an element without padding, in px, as it changes; before it is there, that of a phone. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(320);
  const box = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    // So that nothing is drawn twice: the observer reports only after the first drawing.
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}
