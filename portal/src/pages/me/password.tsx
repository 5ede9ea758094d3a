import { useState } from 'react';
import { useAct } from '../../api/hooks.ts';
import { PasswordField } from '../../parts/fields.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { Section } from '../../parts/page.tsx';
import { useToast } from '../../parts/toast.tsx';

export function Password({ has }: { readonly has: boolean }) {
  const change = useAct('POST me/password');
  const toast = useToast();
  const [round, setRound] = useState(0);
  return (
    <Section title="Password" about="Changing it signs you out everywhere else.">
      {/* Emptied once it is changed. */}
      <Form
        key={round}
        label={has ? 'Change the password' : 'Set a password'}
        submit={async (values) => {
          const password = textOf(values, 'password');
          const body = has ? { current: textOf(values, 'current'), password } : { password };
          await change.mutateAsync({ body });
          toast('The password is changed');
          setRound(round + 1);
        }}
      >
        {has && (
          <PasswordField name="current" label="Current password" autoComplete="current-password" required />
        )}
        <PasswordField
          name="password"
          label="New password"
          description="Twelve characters at least."
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={256}
        />
      </Form>
    </Section>
  );
}
