import { Button } from '@mantine/core';
import { call } from '../../api/call.ts';
import { TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';

export function SecondFactorForm({
  done,
  restart,
}: {
  readonly done: () => void;
  readonly restart: () => void;
}) {
  return (
    <Form
      label="Continue"
      saves={false}
      beside={
        <Button variant="subtle" onClick={restart}>
          Start again
        </Button>
      }
      submit={async (values) => {
        await call('POST session/second-factor', undefined, {
          body: { code: textOf(values, 'code').trim() },
        });
        done();
      }}
    >
      <TextField
        name="code"
        label="Code"
        description="The six digits from your authenticator app, or one of your recovery codes."
        autoComplete="one-time-code"
        required
        minLength={6}
        maxLength={32}
      />
    </Form>
  );
}
