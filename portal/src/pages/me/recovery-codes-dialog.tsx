import { Button, Stack } from '@mantine/core';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Secret } from '../../parts/secret.tsx';

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog title="Recovery codes" onClose={onClose} lasting>
      <Stack>
        <Secret title="Keep these somewhere safe" text={codes.join('\n')}>
          If you lose your phone, each code works once in place of the app. They are shown only once.
        </Secret>
        <Button onClick={onClose}>I have stored them</Button>
      </Stack>
    </Dialog>
  );
}
