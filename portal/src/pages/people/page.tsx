import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Me } from '#contract/me.ts';
import type { InvitationLink } from '#contract/members.ts';
import { useAct } from '../../api/hooks.ts';
import { formatMinute } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { Page } from '../../parts/page/page.tsx';
import { FoundPeople } from './found-people.tsx';
import { ROLE_ABOUT, ROLES, roleOf } from './roles.ts';

export default function People({ me }: { readonly me: Me }) {
  const mayChange = useMay('owner');
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<InvitationLink>();
  return (
    <Page
      title="People"
      about="Owners can do everything. Developers can do everything except manage people and settings. Viewers can only look."
      actions={mayChange && <Button onClick={() => setInviting(true)}>Invite</Button>}
    >
      <FoundPeople meId={me.id} />
      {inviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(made) => {
            setInviting(false);
            setLink(made);
          }}
        />
      )}
      {link !== undefined && (
        <SecretDialog
          title="The invitation"
          advice="Send this link yourself"
          text={link.link}
          label="Done"
          onClose={() => setLink(undefined)}
        >
          It is shown only once, and works once, until {formatMinute(link.expires_at)}. The first person to
          open it can join, so send it where only the invited person reads it.
        </SecretDialog>
      )}
    </Page>
  );
}

interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onInvited: (link: InvitationLink) => void;
}

function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
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
        description={ROLE_ABOUT}
        data={[...ROLES]}
        defaultValue="developer"
      />
    </FormDialog>
  );
}
