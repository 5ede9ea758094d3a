import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Me } from '#contract/me.ts';
import { useAct } from '../../api/hooks.ts';
import { AlonePage } from '../../frame/alone.tsx';
import { NewPasswordField, PasswordField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { Section } from '../../parts/page/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import { Authenticator } from './authenticator.tsx';
import { Identities } from './identities.tsx';
import { Passkeys } from './passkeys.tsx';
import { SessionList } from './session-list.tsx';

export default function MePage({ me }: { readonly me: Me }) {
  const [search] = useSearchParams();
  return (
    <AlonePage
      wide
      title="Your sign-in"
      about={`${me.name}, ${me.email}`}
      above={{ name: 'Your account', to: '/' }}
    >
      {search.get('sso') === 'anew' && !me.has_password && <BeganAnew />}
      <Passkeys passkeys={me.passkeys} />
      <Password has={me.has_password} />
      <Authenticator on={me.totp} recoveryCodesLeft={me.recovery_codes_left} />
      {me.identities.length > 0 && <Identities identities={me.identities} />}
      <SessionList />
    </AlonePage>
  );
}

/** After the first sign-in through a provider, until they set a password again. */
function BeganAnew() {
  return (
    <Alert title="From now on you sign in through your provider" role="status">
      <p>
        Your provider confirmed your email address for the first time. So the password, authenticator,
        recovery codes and passkeys that you had here have ended, and you are signed out everywhere else.
        Below you can set up again what you want beside single sign-on.
      </p>
    </Alert>
  );
}

function Password({ has }: { readonly has: boolean }) {
  const change = useAct('POST me/password');
  const toast = useToast();
  const [round, setRound] = useState(0);
  return (
    <Section beside title="Password" about="Changing it signs you out everywhere else.">
      {/* A new key empties the form. */}
      <Form
        key={round}
        label={has ? 'Change the password' : 'Set a password'}
        plain
        submit={async (values) => {
          const password = textOf(values, 'password');
          const body = has ? { current: textOf(values, 'current'), password } : { password };
          await change.mutateAsync({ body });
          toast('Your password was changed');
          setRound(round + 1);
        }}
      >
        {has && (
          <PasswordField
            name="current"
            label="Current password"
            autoComplete="current-password"
            fits="words"
            required
          />
        )}
        <NewPasswordField label="New password" fits="words" />
      </Form>
    </Section>
  );
}
