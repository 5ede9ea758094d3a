import { type RefObject, useEffect, useRef } from 'react';
import { watchForm } from '../unsaved/leave.ts';

interface Changes {
  /** What comes while it is sent is the form's own doing. */
  sending(): void;
  refused(): void;
  /** It begins anew, with what was sent. */
  taken(values: FormData): void;
}

/** Lets people be asked before they leave what they changed in a form. */
export function useChanges(form: RefObject<HTMLFormElement | null>, saves: boolean): Changes {
  const began = useRef('');
  const state = useRef<'untouched' | 'touched' | 'sending'>('untouched');
  useEffect(() => {
    const element = form.current;
    if (!saves || element === null) return;
    const read = () => write(new FormData(element));
    const begin = () => {
      // What is loaded late, or was changed by somebody else, is no change of theirs.
      if (state.current === 'untouched') began.current = read();
    };
    const touch = () => {
      if (state.current === 'untouched') state.current = 'touched';
    };
    const undo = () => {
      state.current = 'untouched';
    };
    begin();
    const events = Object.entries({ focusin: begin, input: touch, click: touch, reset: undo });
    for (const [name, told] of events) element.addEventListener(name, told);
    const end = watchForm({
      element,
      isChanged: () => state.current === 'touched' && read() !== began.current,
      isSending: () => state.current === 'sending',
    });
    return () => {
      end();
      for (const [name, told] of events) element.removeEventListener(name, told);
    };
  }, [form, saves]);
  return {
    sending() {
      state.current = 'sending';
    },
    refused() {
      state.current = 'touched';
    },
    taken(values) {
      began.current = write(values);
      const now = form.current === null ? '' : write(new FormData(form.current));
      // What was typed while it was sent is not saved.
      state.current = now === began.current ? 'untouched' : 'touched';
    },
  };
}

const write = (values: FormData): string =>
  JSON.stringify([...values].map(([name, value]) => [name, String(value)]));
