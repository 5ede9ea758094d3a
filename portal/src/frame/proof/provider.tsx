import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { Me } from '#contract/me.ts';
import { Problem } from '../../api/problem.ts';
import { ProofContext } from '../../api/proof.ts';
import { ProofDialog } from './dialog.tsx';

interface Question {
  readonly done: () => void;
  readonly cancel: () => void;
}

/** Asks for a proof of identity when a call needs one; calls at the same time share one question. */
export function ProofProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();
  const proving = useRef<Promise<void>>(undefined);

  const whenProven = useCallback(async <T,>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem && error.kind === 'proof-needed')) throw error;
      proving.current ??= new Promise<void>((resolve, reject) => {
        setQuestion({ done: resolve, cancel: () => reject(error) });
      }).finally(() => {
        proving.current = undefined;
        setQuestion(undefined);
      });
      await proving.current;
      return ask();
    }
  }, []);

  return (
    <ProofContext value={whenProven}>
      {children}
      {question !== undefined && <ProofDialog me={me} onDone={question.done} onClose={question.cancel} />}
    </ProofContext>
  );
}
