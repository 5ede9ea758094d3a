import { type ReactNode, useState } from 'react';
import { Section } from '../../parts/page/page.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { KeyField } from './key-field.tsx';
import css from './page.module.css';
import { VerifyForm } from './verify-form.tsx';

interface TrialProps {
  readonly code: string;
  readonly setCode: (code: string) => void;
  readonly mayMakeKeys: boolean;
  /** The telephone that the code arrives on. */
  readonly children: ReactNode;
}

/** The service's own /verify and /confirm, called as a customer's server would. */
export function Trial({ code, setCode, mayMakeKeys, children }: TrialProps) {
  // Only in memory: it is gone when the page is closed.
  const [apiKey, setApiKey] = useState('');
  const [id, setId] = useState('');
  return (
    <div className={css.columns}>
      <Section title="1. A key">
        <KeyField apiKey={apiKey} setApiKey={setApiKey} mayMakeKeys={mayMakeKeys} />
      </Section>
      <Section title="2. Send a code">
        <VerifyForm apiKey={apiKey} onIssued={setId} />
      </Section>
      <div className={css.telephone}>{children}</div>
      <Section title="3. Confirm it">
        <ConfirmForm apiKey={apiKey} id={id} setId={setId} code={code} setCode={setCode} />
      </Section>
    </div>
  );
}
