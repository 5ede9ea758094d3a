import { type RefObject, useEffect } from 'react';

/** Calls `reset` when the form around a field is reset: React's state does not follow a form. */
export function useReset(field: RefObject<HTMLInputElement | null>, reset: () => void): void {
  useEffect(() => {
    const form = field.current?.form;
    form?.addEventListener('reset', reset);
    return () => form?.removeEventListener('reset', reset);
  });
}
