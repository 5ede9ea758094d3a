import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { SingleSignOnFault } from '#contract/oidc.ts';
import { useAsk } from '../../api/hooks.ts';
import { AlonePage } from '../../frame/alone.tsx';
import { Answer } from '../../parts/answer.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { PasskeyButton } from '../../parts/passkey-button.tsx';
import css from './page.module.css';
import { PasswordForm } from './password-form.tsx';
import { placeOf } from './place.ts';
import { SecondFactorForm } from './second-factor-form.tsx';

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

/** What people can do who cannot sign in. No link is mailed: anyone who reads the mail could sign in with it. */
function LostAccess() {
  return (
    <details className={css.lost}>
      <summary>Lost access?</summary>
      <dl className={css.ways}>
        <Fact name="Your authenticator is gone">
          Sign in with your password, then use a recovery code in place of the six digits. Each works once.
        </Fact>
        <Fact name="Your password or your passkey is gone">
          Sign in another way that you set up. If there is none, ask whoever runs this service for a reset
          link. It works once, for an hour. It takes authenticator, passkeys and recovery codes off, so set
          them up again.
        </Fact>
        <Fact name="You are not a member any more">Ask an owner of the account for an invitation.</Fact>
        <Fact name="You run this service">
          On its machine or in its container, while it runs, this prints a reset link:{' '}
          <Code>npm run -s countersign -- portal reset --email you@example.com</Code> If an account has no
          owner who can sign in, this prints an invitation:{' '}
          <Code>npm run -s countersign -- portal invite --email you@example.com --role owner</Code>
        </Fact>
      </dl>
    </details>
  );
}

/** Each ends with what people can do about it. */
const FAULTS: Readonly<Record<SingleSignOnFault, string>> = {
  unreachable: 'The provider does not answer. Try again later, or sign in another way.',
  denied: 'The provider refused the sign-in, or you cancelled it. Try again, or sign in another way.',
  invalid:
    'The provider’s answer cannot be trusted. Your administrator can find the reason in the service’s log.',
  restart: 'It was started in another window or browser, or too long ago. Start again.',
  unverified: 'The provider has not verified your email address. Verify it there, then try again.',
  unknown: 'Nobody here has the email address that you use there. Ask an owner of the account to invite you.',
  'linked-otherwise':
    'Your email address is linked to another account at that provider. If that account is yours too, sign in another way and unlink it on your own page.',
  limited: 'There were too many attempts from your network. Wait a few minutes, then try again.',
};

/** Why single sign-on failed; nothing for an unknown code. */
function SingleSignOnFailure({ fault }: { readonly fault: string }) {
  const text = new Map(Object.entries(FAULTS)).get(fault);
  if (text === undefined) return null;
  return (
    <Alert color="red" title="Single sign-on failed" role="alert">
      <p>{text}</p>
    </Alert>
  );
}
