import { useState } from 'react';
import { useMay } from '../../frame/account.ts';
import { Page, Section } from '../../parts/page/page.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { KeyField } from './key-field.tsx';
import { useMessages } from './messages.ts';
import css from './page.module.css';
import { Phone } from './phone.tsx';
import { VerifyForm } from './verify-form.tsx';

/** The service's own /verify and /confirm, called as a customer's server would. */
export default function Handset() {
  const { messages, connected } = useMessages();
  // Only in memory: it is gone when the page is closed.
  const [apiKey, setApiKey] = useState('');
  const [id, setId] = useState('');
  const [code, setCode] = useState('');
  // A code confirms only the verification that it came with.
  const use = (usedId: string, usedCode: string) => {
    setId(usedId);
    setCode(usedCode);
  };
  const mayMakeKeys = useMay('developer');
  return (
    <Page
      title="Handset"
      about={`A telephone for test keys: everything they send, to any number, arrives here. Nothing is really sent, and nothing costs money.${mayMakeKeys ? '' : ' Only developers and owners see numbers and codes.'}`}
    >
      <div className={css.columns}>
        <Section title="1. A key">
          <KeyField apiKey={apiKey} setApiKey={setApiKey} mayMakeKeys={mayMakeKeys} />
        </Section>
        <Section title="2. Send a code">
          <VerifyForm apiKey={apiKey} setApiKey={setApiKey} mayMakeKeys={mayMakeKeys} onIssued={setId} />
        </Section>
        <div className={css.telephone}>
          <Phone messages={messages} connected={connected} onUse={use} />
        </div>
        <Section title="3. Confirm it">
          <ConfirmForm apiKey={apiKey} id={id} setId={setId} code={code} setCode={setCode} />
        </Section>
      </div>
    </Page>
  );
}
