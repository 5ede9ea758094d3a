import { Button, Stack } from '@mantine/core';
import type { CreatedKey } from '#contract/keys.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Secret } from '../../parts/secret.tsx';

export function CreatedDialog({
  created,
  onClose,
}: {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`The key “${created.key.name}”`} onClose={onClose} lasting>
      <Stack>
        <Secret title="Copy it now" text={created.secret}>
          It is shown only once, and no copy is kept. Store it with your other secrets: anyone who has it can
          send codes at your cost.
        </Secret>
        <Button onClick={onClose}>I have copied it</Button>
      </Stack>
    </Dialog>
  );
}
