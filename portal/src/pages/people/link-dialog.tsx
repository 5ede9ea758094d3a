import { Button, Stack } from '@mantine/core';
import type { InvitationLink } from '#contract/members.ts';
import { formatMinute } from '../../format/time.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Secret } from '../../parts/secret.tsx';

export function LinkDialog({
  link,
  onClose,
}: {
  readonly link: InvitationLink;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="The invitation" onClose={onClose} lasting>
      <Stack>
        <Secret title="Send this link yourself" text={link.link}>
          It is shown only once, and works once, until {formatMinute(link.expires_at)}. The first person to
          open it can join, so send it where only the invited person reads it.
        </Secret>
        <Button onClick={onClose}>Done</Button>
      </Stack>
    </Dialog>
  );
}
