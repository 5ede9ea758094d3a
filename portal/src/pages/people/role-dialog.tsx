import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Members } from '#contract/members.ts';
import { useAct } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { SelectField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';
import { ROLE_ABOUT, ROLES, roleName, roleOf } from './roles.ts';
import { VoidInvitations } from './void-invitations.tsx';

type Member = Members['members'][number];

interface RoleDialogProps {
  readonly member: Member;
  readonly isMe: boolean;
  readonly onClose: () => void;
}

/** Asks for the role and saves it: a list that acted by itself would make an owner with one arrow key. */
export function RoleDialog({ member, isMe, onClose }: RoleDialogProps) {
  const { id, name, role: before } = member;
  const { mutateAsync: change } = useAct('PATCH accounts/:account/members/:id');
  const toast = useToast();
  const [chosen, setChosen] = useState(before);
  const give = (role: Member['role']) => change({ params: { id }, body: { role } });
  async function submit(values: FormData): Promise<void> {
    const role = roleOf(textOf(values, 'role'));
    await give(role);
    if (role !== before) {
      // Who takes their own role of owner away cannot give it back.
      const undo = isMe
        ? undefined
        : async () => {
            await give(before);
            toast(`${name} is ${roleName(before).toLowerCase()} again`);
          };
      toast(`${name} is now ${roleName(role).toLowerCase()}`, undo);
    }
    onClose();
  }
  return (
    <FormDialog title={`Role of ${name}`} onClose={onClose} label="Save" submit={submit}>
      <SelectField
        name="role"
        label="Role"
        description={ROLE_ABOUT}
        data={[...ROLES]}
        defaultValue={before}
        onChange={(event) => setChosen(roleOf(event.currentTarget.value))}
      />
      {chosen !== before && <VoidInvitations member={member} becomes={chosen} when="With this role" />}
      {isMe && (
        <Text size="sm">This is your own role. If you give it up, only another owner can give it back.</Text>
      )}
    </FormDialog>
  );
}
