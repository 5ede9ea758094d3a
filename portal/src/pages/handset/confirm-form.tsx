import { useState } from 'react';
import { TextField } from '../../parts/form/fields.tsx';
import { Form } from '../../parts/form/form.tsx';
import { type Exchange, exchange } from './exchange.ts';
import { ExchangeView } from './exchange-view.tsx';

interface ConfirmFormProps {
  readonly apiKey: string;
  readonly id: string;
  readonly setId: (id: string) => void;
  readonly code: string;
  readonly setCode: (code: string) => void;
}

export function ConfirmForm({ apiKey, id, setId, code, setCode }: ConfirmFormProps) {
  const [done, setDone] = useState<Exchange>();
  return (
    <>
      <Form
        label="Confirm"
        saves={false}
        disabled={apiKey === '' || id === ''}
        submit={async () => setDone(await exchange({ path: '/confirm', body: { id, code } }, apiKey))}
      >
        <TextField
          name="verification"
          label="Verification"
          description="Filled in when a code is sent or used."
          required
          autoComplete="off"
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <TextField
          name="code"
          label="Code"
          description="Type the code from the telephone, or press “Use this code” there."
          required
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      </Form>
      {done !== undefined && <ExchangeView exchange={done} />}
    </>
  );
}
