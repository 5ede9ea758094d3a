import type { SignInAnswer } from '#contract/sign-in.ts';
import { call } from '../../api/call.ts';
import { PasswordField, TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';

export function PasswordForm({ done }: { readonly done: (next: SignInAnswer['next']) => void }) {
  return (
    <Form
      label="Sign in"
      saves={false}
      submit={async (values) => {
        const body = { email: textOf(values, 'email'), password: textOf(values, 'password') };
        done((await call('POST session', undefined, { body })).next);
      }}
    >
      <TextField name="email" label="Email address" type="email" autoComplete="username" required />
      <PasswordField name="password" label="Password" autoComplete="current-password" required />
    </Form>
  );
}
