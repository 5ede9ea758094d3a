import { Anchor, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Invitation } from '#contract/members.ts';
import { call } from '../../api/call.ts';
import { NewPasswordField, PasswordField, TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { SecondFactorForm } from '../sign-in/second-factor-form.tsx';

interface AcceptFormProps {
  readonly token: string;
  readonly invitation: Invitation;
}

export function AcceptForm({ token, invitation }: AcceptFormProps) {
  const { account, email, role } = invitation;
  // Whether there is somebody with the address is told to nobody but them.
  const [known, setKnown] = useState(invitation.known);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [secondFactor, setSecondFactor] = useState(false);
  function enter(): void {
    client.clear();
    navigate('/', { replace: true });
  }
  if (secondFactor) return <SecondFactorForm done={enter} restart={() => navigate('/sign-in')} />;
  return (
    <>
      <Text>
        You are invited to join <strong>{account}</strong> as <strong>{role}</strong>. You will sign in as{' '}
        {email}.
      </Text>
      <Form
        label="Accept"
        submit={async (values) => {
          const password = textOf(values, 'password');
          const body = known ? { token, password } : { token, password, name: textOf(values, 'name') };
          const { next } = await call('POST invitations/accept', undefined, { body });
          if (next === 'second-factor') setSecondFactor(true);
          else enter();
        }}
      >
        {!known && <TextField name="name" label="Your name" autoComplete="name" required maxLength={80} />}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        {known ? (
          <PasswordField
            name="password"
            label="Your password, to confirm that it is you"
            autoComplete="current-password"
            required
            maxLength={256}
          />
        ) : (
          <NewPasswordField label="Choose a password" />
        )}
      </Form>
      <Anchor component="button" type="button" size="sm" onClick={() => setKnown(!known)}>
        {known ? 'I do not sign in here yet' : 'I already sign in here with this address'}
      </Anchor>
    </>
  );
}
