import { Button } from '@mantine/core';
import type { InvitationLink } from '#contract/people.ts';
import { useAct } from '../../api/hooks.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { ROLES, roleOf } from './roles.ts';

interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onInvited: (link: InvitationLink) => void;
}

export function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const invite = useAct('POST accounts/:account/invitations');
  return (
    <Dialog title="Invite someone" onClose={onClose}>
      <Form
        label="Make the link"
        beside={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
        submit={async (values) => {
          const body = { email: textOf(values, 'email').trim(), role: roleOf(textOf(values, 'role')) };
          onInvited(await invite.mutateAsync({ body }));
        }}
      >
        <TextField name="email" label="Email address" type="email" required />
        <SelectField
          name="role"
          label="Role"
          description="Viewers look. Developers also manage keys. Owners also manage people and settings."
          data={[...ROLES]}
          defaultValue="developer"
        />
      </Form>
    </Dialog>
  );
}
