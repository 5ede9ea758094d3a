import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { choiceOf } from '../../format/channel.ts';
import { useChannels } from '../../frame/channels.ts';
import { TextField } from '../../parts/form/fields.tsx';
import { Form } from '../../parts/form/form.tsx';
import { answered, type Exchange, exchange } from './exchange.ts';
import { ExchangeView } from './exchange-view.tsx';
import { MAGIC } from './magic.ts';
import { useTestKey } from './test-key.ts';

interface VerifyFormProps {
  readonly apiKey: string;
  readonly setApiKey: (key: string) => void;
  readonly mayMakeKeys: boolean;
  readonly onIssued: (id: string) => void;
}

export function VerifyForm({ apiKey, setApiKey, mayMakeKeys, onIssued }: VerifyFormProps) {
  const testKey = useTestKey();
  const channels = useChannels();
  const [destination, setDestination] = useState('+14155550123');
  const [channel, setChannel] = useState('sms');
  const [done, setDone] = useState<Exchange>();
  async function submit(): Promise<void> {
    const key = apiKey === '' ? await testKey.make() : apiKey;
    setApiKey(key);
    const result = await exchange({ path: '/verify', body: { destination, channel } }, key);
    setDone(result);
    const id = answered(result, 'id');
    if (id !== undefined) onIssued(id);
  }
  const isMagic = MAGIC.some((magic) => magic.destination === destination);
  return (
    <>
      <Form
        label={apiKey === '' && mayMakeKeys ? 'Make a test key and send the code' : 'Send the code'}
        saves={false}
        submit={submit}
        disabled={apiKey === '' && !mayMakeKeys}
      >
        <NativeSelect
          label="Outcome"
          description="With a test key, these numbers always have the same outcome. All others are delivered."
          value={isMagic ? destination : ''}
          onChange={(event) => setDestination(event.currentTarget.value || '+14155550123')}
          data={[
            { value: '', label: 'A number of my own' },
            ...MAGIC.map(({ destination: value, label }) => ({ value, label: `${label}: ${value}` })),
          ]}
        />
        <TextField
          name="destination"
          label="Destination"
          required
          autoComplete="off"
          value={destination}
          onChange={(event) => setDestination(event.currentTarget.value)}
        />
        <NativeSelect
          label="Channel"
          value={channel}
          onChange={(event) => setChannel(event.currentTarget.value)}
          data={channels.map(choiceOf)}
        />
      </Form>
      {done !== undefined && <ExchangeView exchange={done} />}
    </>
  );
}
