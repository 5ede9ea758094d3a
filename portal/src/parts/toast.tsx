import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import css from './toast.module.css';

const Toast = createContext<(message: string) => void>(() => {});

/** Says that something worked. Errors are shown where they happened instead. */
export const useToast = () => use(Toast);

const SHOWN_MS = 6000;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [message, setMessage] = useState<{ readonly text: string }>();
  useEffect(() => {
    if (message === undefined) return;
    const timer = setTimeout(() => setMessage(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const show = useCallback((text: string) => setMessage({ text }), []);
  return (
    <Toast value={show}>
      {children}
      <output className={css.region} aria-live="polite">
        {message !== undefined && <span className={css.toast}>{message.text}</span>}
      </output>
    </Toast>
  );
}
