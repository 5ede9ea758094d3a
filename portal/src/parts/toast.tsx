import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { problemOf } from '../api/problem.ts';
import css from './toast.module.css';

type Show = (message: string, undo?: () => Promise<unknown>) => void;

const Toast = createContext<Show>(() => {});

/** Says that something worked, and takes it back if asked. Errors are shown where they happened instead. */
export const useToast = () => use(Toast);

const SHOWN_MS = 6_000;
/** Long enough to notice a mistake and to get to the button. */
const UNDO_MS = 20_000;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [message, setMessage] = useState<{
    readonly text: string;
    readonly undo?: (() => Promise<unknown>) | undefined;
  }>();
  useEffect(() => {
    if (message === undefined) return;
    const timer = setTimeout(() => setMessage(undefined), message.undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const show: Show = useCallback((text, undo) => setMessage({ text, undo }), []);
  const undo = message?.undo;
  return (
    <Toast value={show}>
      {children}
      <output className={css.region} aria-live="polite">
        {message !== undefined && (
          <span className={css.toast}>
            {message.text}
            {undo !== undefined && (
              <button
                type="button"
                className={css.undo}
                onClick={() => {
                  setMessage(undefined);
                  undo().catch((error: unknown) => show(problemOf(error).message));
                }}
              >
                Undo
              </button>
            )}
          </span>
        )}
      </output>
    </Toast>
  );
}
