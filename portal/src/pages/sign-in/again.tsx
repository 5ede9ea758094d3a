import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { PasskeyButton } from '../../parts/passkey-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

interface SignInAgainProps {
  readonly done: () => void;
  readonly leave: () => void;
}

/** Covers a page whose session has ended. It names nobody: somebody else may be looking. */
export default function SignInAgain({ done, leave }: SignInAgainProps) {
  const [secondFactor, setSecondFactor] = useState(false);
  return (
    <Dialog title="You were signed out" onClose={leave} lasting>
      <Stack>
        <Text size="sm">
          Sign in to go on where you were: what you typed is still there. If it is somebody else who signs in,
          it is gone.
        </Text>
        {secondFactor ? (
          <SecondFactorForm done={done} restart={() => setSecondFactor(false)} />
        ) : (
          <>
            <PasswordForm done={(next) => (next === 'second-factor' ? setSecondFactor(true) : done())} />
            <PasskeyButton label="Sign in with a passkey" action="POST session/passkey" done={done} />
            <Text size="sm">
              <Anchor href="/portal/sign-in" target="_blank">
                Sign in another way, in a new tab
              </Anchor>
              , then come back here.
            </Text>
          </>
        )}
        <Button variant="subtle" onClick={leave}>
          Leave this page
        </Button>
      </Stack>
    </Dialog>
  );
}
