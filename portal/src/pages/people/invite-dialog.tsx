import type { InvitationLink } from '#contract/members.ts';
import { useAct } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { ROLES, roleOf } from './roles.ts';

interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onInvited: (link: InvitationLink) => void;
}

export function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const invite = useAct('POST accounts/:account/invitations');
  return (
    <FormDialog
      title="Invite someone"
      onClose={onClose}
      label="Create the link"
      submit={async (values) => {
        const body = { email: textOf(values, 'email').trim(), role: roleOf(textOf(values, 'role')) };
        onInvited(await invite.mutateAsync({ body }));
      }}
    >
      <TextField name="email" label="Email address" type="email" required />
      <SelectField
        name="role"
        label="Role"
        description="Viewers can look. Developers can also manage keys. Owners can also manage people and settings."
        data={[...ROLES]}
        defaultValue="developer"
      />
    </FormDialog>
  );
}
