import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { encode } from 'uqr';
import { call } from '../../api/call.ts';
import { useAct } from '../../api/hooks.ts';
import { useWhenProven } from '../../api/proof.ts';
import { Answer } from '../../parts/answer.tsx';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Form, textOf } from '../../parts/form/form.tsx';
import css from './authenticator-dialog.module.css';

interface AuthenticatorDialogProps {
  readonly onClose: () => void;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
}

export function AuthenticatorDialog({ onClose, onDone }: AuthenticatorDialogProps) {
  const confirm = useAct('POST me/totp/confirm');
  const whenProven = useWhenProven();
  // Each call makes a new secret, which is kept no longer than the dialog.
  const secret = useQuery({
    queryKey: ['totp'],
    queryFn: () => whenProven(() => call('POST me/totp', undefined, {})),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Once a code has been sent, a refresh of the page must not make another secret.
    enabled: confirm.isIdle,
  });
  return (
    <Dialog title="Authenticator app" onClose={onClose}>
      <Answer of={secret} lines={4}>
        {({ uri, secret: typed }) => (
          <Form
            label="Turn on"
            submit={async (values) => {
              const { recovery_codes } = await confirm.mutateAsync({
                body: { code: textOf(values, 'code') },
              });
              onDone(recovery_codes);
            }}
          >
            <Text size="sm">Scan this with your authenticator app, or type the secret into it.</Text>
            <QrCode text={uri} />
            <div>
              <Text size="xs" c="dimmed">
                Secret
              </Text>
              <Code>{typed.replace(/(.{4})(?=.)/g, '$1 ')}</Code>
            </div>
            <TextField
              name="code"
              label="The six digits that the app shows now"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[0-9]{6}"
              title="six digits"
              required
            />
          </Form>
        )}
      </Answer>
    </Dialog>
  );
}

/** Dark on white in both schemes, as scanners expect. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className={css.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the secret below"
    >
      <path d={path} />
    </svg>
  );
}
