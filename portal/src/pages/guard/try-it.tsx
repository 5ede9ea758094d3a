import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { Backtest, BacktestAnswer } from '#contract/guard.ts';
import { useAct } from '../../api/hooks.ts';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { Section } from '../../parts/page/page.tsx';
import { Tried } from './tried.tsx';

const SPANS = [
  { value: '1', label: 'The last day' },
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
];
const MODES = [
  { value: 'enforce', label: 'Refuse: it learns only from what it would have let through' },
  { value: 'observe', label: 'Only watch: it counts what it would have refused, and learns from all' },
];
const RULES = [
  { value: '', label: 'Only those that are in use' },
  { value: 'deny', label: 'Also deny numbers that begin with' },
  { value: 'allow', label: 'Also allow numbers that begin with' },
];

/** The answer stays on the page until the next one. */
export function TryIt() {
  const act = useAct('POST accounts/:account/guard/backtest');
  const [answer, setAnswer] = useState<BacktestAnswer>();
  const [action, setAction] = useState('');
  return (
    <Stack gap="lg">
      <Section
        beside
        title="Try it on your history"
        about="See what the guard would have done with what you sent, before you change a setting or add a rule. Nothing is saved."
      >
        <Form
          label="Try it"
          saves={false}
          plain
          submit={async (values) => setAnswer(await act.mutateAsync({ body: bodyOf(values) }))}
        >
          <SelectField name="days" label="History" data={SPANS} defaultValue="7" fits="words" />
          <SelectField name="mode" label="Mode" data={MODES} fits="line" />
          <SelectField
            name="action"
            label="Rules"
            data={RULES}
            value={action}
            onChange={(event) => setAction(event.currentTarget.value)}
            fits="words"
          />
          {action !== '' && (
            <TextField
              name="rule.value"
              label="Beginning of numbers"
              placeholder="+99899394"
              autoComplete="off"
              required
              maxLength={300}
              fits="words"
            />
          )}
        </Form>
      </Section>
      {answer !== undefined && <Tried answer={answer} />}
    </Stack>
  );
}

function bodyOf(values: FormData): Backtest {
  const action = textOf(values, 'action');
  return {
    days: Number(textOf(values, 'days')),
    mode: textOf(values, 'mode') === 'observe' ? 'observe' : 'enforce',
    ...((action === 'allow' || action === 'deny') && {
      rule: { action, subject: 'range', value: textOf(values, 'rule.value') },
    }),
  };
}
