import { Button, Code, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useAsk } from '../../api/hooks.ts';
import { AlonePage } from '../../frame/alone.tsx';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { PasskeyButton } from '../../parts/passkey-button.tsx';
import { LostAccess } from './lost-access.tsx';
import { PasswordForm } from './password-form.tsx';
import { placeOf } from './place.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import { SingleSignOnFailure } from './single-sign-on-failure.tsx';

export default function SignIn() {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const [secondFactor, setSecondFactor] = useState(false);
  const client = useQueryClient();
  const state = useAsk('GET state', {});

  function enter(): void {
    // Forgets what the last person saw, and that nobody was signed in.
    client.clear();
    navigate(placeOf(search.get('back'), window.location.origin), { replace: true });
  }

  if (secondFactor) {
    return (
      <AlonePage title="Second factor">
        <SecondFactorForm done={enter} restart={() => setSecondFactor(false)} />
        <LostAccess />
      </AlonePage>
    );
  }
  return (
    <AlonePage title="Sign in">
      <Answer of={state} lines={4}>
        {({ setup_needed, oidc }) =>
          setup_needed ? (
            <Empty title="This installation has no owner yet">
              <p>When the service started, it printed a set-up link. Open it to become the owner.</p>
              <p>
                The link works once. A restart prints a new one: <Code>npm start</Code>.
              </p>
            </Empty>
          ) : (
            <Stack gap="lg">
              <SingleSignOnFailure fault={search.get('sso') ?? ''} />
              <PasswordForm done={(next) => (next === 'second-factor' ? setSecondFactor(true) : enter())} />
              <Text c="dimmed" size="sm">
                Or without a password:
              </Text>
              <Stack gap="sm">
                <PasskeyButton label="Sign in with a passkey" action="POST session/passkey" done={enter} />
                {oidc.map(({ name, label }) => (
                  <Button
                    key={name}
                    component="a"
                    href={`/portal/api/oidc/${name}`}
                    variant="default"
                    fullWidth
                  >
                    Sign in with {label}
                  </Button>
                ))}
              </Stack>
              <LostAccess />
            </Stack>
          )
        }
      </Answer>
    </AlonePage>
  );
}
