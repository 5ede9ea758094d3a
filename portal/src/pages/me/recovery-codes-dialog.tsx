import { Button, Stack } from '@mantine/core';
import { Dialog } from '../../parts/dialog.tsx';
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
          Each signs you in once when your telephone is lost. This is the only time they are shown.
        </Secret>
        <Button onClick={onClose}>I have stored them</Button>
      </Stack>
    </Dialog>
  );
}
