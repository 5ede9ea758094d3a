import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { Question, RouteAnswer } from '#contract/routing.ts';
import { useAct, useAsk } from '../../api/hooks.ts';
import { CHANNEL_NAMES, choiceOf } from '../../format/channel.ts';
import { isInUse } from '../../format/key.ts';
import { useChannels } from '../../frame/channels.ts';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { Section } from '../../parts/page/page.tsx';
import { Explained } from './explained.tsx';

const ANY_KEY = { value: '', label: 'Any live key' };

/** The answer stays on the page until the next one. */
export function Explain() {
  const act = useAct('POST accounts/:account/explain');
  const keys = useAsk('GET accounts/:account/keys', {});
  const channels = useChannels();
  const [answer, setAnswer] = useState<RouteAnswer>();
  const live = (keys.data ?? []).filter((key) => !key.test && isInUse(key));
  return (
    <Section
      title="Explain a number"
      about="What would happen if a code were asked for now, and why. Nothing is sent, and nothing is counted."
    >
      <Stack>
        <Form
          label="Explain"
          saves={false}
          submit={async (values) => setAnswer(await act.mutateAsync({ body: bodyOf(values) }))}
        >
          <TextField
            name="number"
            label="Number"
            placeholder="+14155550123"
            autoComplete="off"
            required
            maxLength={300}
            maw="30rem"
          />
          <SelectField name="channel" label="Channel" data={channels.map(choiceOf)} maw="30rem" />
          <SelectField
            name="key"
            label="Asked for with"
            data={[ANY_KEY, ...live.map(({ id, name }) => ({ value: id, label: name }))]}
            maw="30rem"
          />
        </Form>
        {answer !== undefined && <Explained answer={answer} />}
      </Stack>
    </Section>
  );
}

function bodyOf(values: FormData): Question {
  const [channel, key] = [textOf(values, 'channel'), textOf(values, 'key')];
  return {
    number: textOf(values, 'number'),
    channel: CHANNEL_NAMES.find((name) => name === channel) ?? 'sms',
    ...(key !== '' && { key }),
  };
}
