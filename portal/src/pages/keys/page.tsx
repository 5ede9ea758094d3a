import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../frame/account.ts';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';
import { Page } from '../../parts/page/page.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { FoundKeys } from './found-keys.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import type { KeyTask } from './task.ts';

const NOTHING: KeyTask = { kind: 'none' };

export default function Keys() {
  const mayChange = useMay('developer');
  const [task, setTask] = useState<KeyTask>(NOTHING);
  const close = () => setTask(NOTHING);
  return (
    <Page
      title="API keys"
      about="Your servers send a key with every call to /verify and /confirm. Test keys reach only the handset and cost nothing. Live keys send to real telephones."
      actions={mayChange && <Button onClick={() => setTask({ kind: 'create' })}>Create a key</Button>}
    >
      <FoundKeys onTask={setTask} />
      {task.kind === 'create' && (
        <CreateDialog onClose={close} onCreated={(created) => setTask({ kind: 'created', created })} />
      )}
      {task.kind === 'created' && (
        <SecretDialog
          title={`The key “${task.created.key.name}”`}
          advice="Copy it now"
          text={task.created.secret}
          label="I have copied it"
          onClose={close}
        >
          It is shown only once, and no copy is kept. Store it with your other secrets: anyone who has it can
          send codes at your cost.
        </SecretDialog>
      )}
      {task.kind === 'edit' && <EditDialog apiKey={task.key} onClose={close} />}
      {task.kind === 'rotate' && (
        <RotateDialog
          apiKey={task.key}
          onClose={close}
          onCreated={(created) => setTask({ kind: 'created', created })}
        />
      )}
      {task.kind === 'revoke' && <RevokeDialog apiKey={task.key} onClose={close} />}
    </Page>
  );
}
