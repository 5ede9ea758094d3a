import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useAsk } from '../../api/hooks.ts';
import { Alone } from '../../frame/alone.tsx';
import { Answer } from '../../parts/answer.tsx';
import { Page } from '../../parts/page/page.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { placeOf } from './place.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import { SetupNeeded } from './setup-needed.tsx';
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
      <Alone>
        <Page title="Second factor">
          <SecondFactorForm done={enter} restart={() => setSecondFactor(false)} />
        </Page>
      </Alone>
    );
  }
  return (
    <Alone>
      <Page title="Sign in">
        <Answer of={state} lines={4}>
          {({ setup_needed, oidc }) =>
            setup_needed ? (
              <SetupNeeded />
            ) : (
              <Stack gap="lg">
                <SingleSignOnFailure fault={search.get('sso') ?? ''} />
                <PasswordForm done={(next) => (next === 'second-factor' ? setSecondFactor(true) : enter())} />
                <Text c="dimmed" size="sm">
                  Or without a password:
                </Text>
                <Stack gap="sm">
                  <PasskeyButton done={enter} />
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
              </Stack>
            )
          }
        </Answer>
      </Page>
    </Alone>
  );
}
