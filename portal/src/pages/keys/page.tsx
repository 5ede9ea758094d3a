import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Key } from '#contract/keys.ts';
import { useAsk } from '../../api/hooks.ts';
import { useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page } from '../../parts/page/page.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { KeyList } from './key-list.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import type { KeyTask } from './task.ts';

const NOTHING: KeyTask = { kind: 'none' };
const isEnded = ({ status }: Key): boolean => status === 'expired' || status === 'revoked';

export default function Keys() {
  const keys = useAsk('GET accounts/:account/keys', {});
  const mayChange = useMay('developer');
  const [task, setTask] = useState<KeyTask>(NOTHING);
  const [withEnded, setWithEnded] = useState(false);
  const close = () => setTask(NOTHING);
  return (
    <Page
      title="API keys"
      about="Your servers send a key with every call to /verify and /confirm. Test keys reach only the handset and cost nothing. Live keys send to real telephones."
      actions={mayChange && <Button onClick={() => setTask({ kind: 'create' })}>Create a key</Button>}
    >
      <Answer of={keys}>
        {(all) => {
          const shown = withEnded ? all : all.filter((key) => !isEnded(key));
          const ended = all.filter(isEnded).length;
          return (
            <div>
              {ended > 0 && (
                <Checkbox
                  mb="md"
                  label={`Show revoked and expired keys (${ended})`}
                  checked={withEnded}
                  onChange={(event) => setWithEnded(event.currentTarget.checked)}
                />
              )}
              {shown.length === 0 ? (
                <Empty title="No keys in use">
                  {mayChange
                    ? 'Start with a test key: its codes arrive on the handset.'
                    : 'Owners and developers can create keys.'}
                </Empty>
              ) : (
                <KeyList keys={shown} {...(mayChange ? { onTask: setTask } : {})} />
              )}
            </div>
          );
        }}
      </Answer>
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
