import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/call.ts';
import { AlonePage } from '../../frame/alone.tsx';
import { NewPasswordField, TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { takeToken } from '../../parts/fragment.ts';
import { Empty } from '../../parts/page/empty.tsx';

export default function Setup() {
  const [token] = useState(takeToken);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  if (token === '') {
    return (
      <AlonePage title="Set up">
        <Empty title="The set-up link is incomplete">
          Copy the whole link that the service printed when it started, from https to the end.
        </Empty>
      </AlonePage>
    );
  }
  return (
    <AlonePage
      title="Set up"
      about="Create the first owner of this installation. The link that brought you here works once."
    >
      <Form
        label="Become the owner"
        submit={async (values) => {
          const [name, email] = [textOf(values, 'name'), textOf(values, 'email')];
          const password = textOf(values, 'password');
          await call('POST setup', undefined, { body: { token, name, email, password } });
          client.clear();
          navigate('/', { replace: true });
        }}
      >
        <TextField name="name" label="Your name" autoComplete="name" required maxLength={80} />
        <TextField name="email" label="Email address" type="email" autoComplete="username" required />
        <NewPasswordField label="Password" />
      </Form>
    </AlonePage>
  );
}
