import { Stack, Text } from '@mantine/core';
import type { Me } from '#contract/me.ts';
import { call } from '../../api/call.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { PasswordField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import { PasskeyButton } from '../../parts/passkey-button.tsx';

interface ProofDialogProps {
  readonly me: Me;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ProofDialog({ me, onDone, onClose }: ProofDialogProps) {
  const hasPasskey = me.passkeys.length > 0;
  return (
    <Dialog title="Confirm that it is you" onClose={onClose}>
      <Stack>
        <Text size="sm">
          {me.has_password || hasPasskey
            ? 'You signed in a while ago. Confirm that it is still you to continue.'
            : 'You signed in a while ago. Sign out and in again, then do this within ten minutes.'}
        </Text>
        {me.has_password && (
          <Form
            label="Continue"
            saves={false}
            submit={async (values) => {
              const body = { password: textOf(values, 'password') };
              await call('POST me/proof', undefined, { body });
              onDone();
            }}
          >
            <PasswordField name="password" label="Password" autoComplete="current-password" required />
          </Form>
        )}
        {hasPasskey && <PasskeyButton label="Use a passkey" action="POST me/proof/passkey" done={onDone} />}
      </Stack>
    </Dialog>
  );
}
