import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/hooks.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';
import { Section } from '../../parts/page/page.tsx';
import { AuthenticatorDialog } from './authenticator-dialog.tsx';

interface AuthenticatorProps {
  readonly on: boolean;
  readonly recoveryCodesLeft: number;
}

type Task =
  | { readonly kind: 'none' | 'end' | 'renew' | 'begin' }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

export function Authenticator({ on, recoveryCodesLeft }: AuthenticatorProps) {
  const end = useAct('DELETE me/totp');
  const renew = useAct('POST me/recovery-codes');
  const [task, setTask] = useState<Task>({ kind: 'none' });
  const close = () => setTask({ kind: 'none' });
  const show = (codes: readonly string[]) => setTask({ kind: 'codes', codes });
  return (
    <Section
      beside
      title="Authenticator app"
      about="At sign-in you enter your password and then a code from an app on your phone."
    >
      <Text mb="sm">
        {on ? `On. You have ${recoveryCodesLeft} recovery codes left, in case you lose your phone.` : 'Off.'}
      </Text>
      {on ? (
        <Group>
          <Button variant="default" onClick={() => setTask({ kind: 'renew' })}>
            New recovery codes
          </Button>
          <Button variant="default" onClick={() => setTask({ kind: 'end' })}>
            Turn off
          </Button>
        </Group>
      ) : (
        <Button variant="default" onClick={() => setTask({ kind: 'begin' })}>
          Turn on
        </Button>
      )}
      {task.kind === 'begin' && <AuthenticatorDialog onClose={close} onDone={show} />}
      {task.kind === 'codes' && (
        <SecretDialog
          title="Recovery codes"
          advice="Keep these somewhere safe"
          text={task.codes.join('\n')}
          label="I have stored them"
          onClose={close}
        >
          If you lose your phone, each code works once in place of the app. They are shown only once.
        </SecretDialog>
      )}
      {task.kind === 'renew' && (
        <Confirm
          title="New recovery codes"
          label="Create new codes"
          onClose={() => setTask((now) => (now.kind === 'renew' ? { kind: 'none' } : now))}
          act={async () => show((await renew.mutateAsync({})).recovery_codes)}
        >
          Your current codes stop working.
        </Confirm>
      )}
      {task.kind === 'end' && (
        <Confirm
          title="Turn off the authenticator app"
          label="Turn off"
          onClose={close}
          act={() => end.mutateAsync({})}
          done="The authenticator app is off"
        >
          You will need only your password to sign in, and your recovery codes stop working.
        </Confirm>
      )}
    </Section>
  );
}
