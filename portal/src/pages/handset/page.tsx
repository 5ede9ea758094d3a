import { useState } from 'react';
import { useMay } from '../../frame/account.ts';
import { Page } from '../../parts/page/page.tsx';
import { useMessages } from './messages.ts';
import { Phone } from './phone.tsx';
import { Trial } from './trial.tsx';

export default function Handset() {
  const { messages, connected } = useMessages();
  const [code, setCode] = useState('');
  const mayMakeKeys = useMay('developer');
  return (
    <Page
      title="Handset"
      about={`A telephone for test keys: everything they send, to any number, arrives here. Nothing is really sent, and nothing costs money.${mayMakeKeys ? '' : ' Only developers and owners see numbers and codes.'}`}
    >
      <Trial code={code} setCode={setCode} mayMakeKeys={mayMakeKeys}>
        <Phone messages={messages} connected={connected} onUse={setCode} />
      </Trial>
    </Page>
  );
}
