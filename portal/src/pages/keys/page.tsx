import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Key } from '#contract/keys.ts';
import { call } from '../../api/call.ts';
import { useAct } from '../../api/hooks.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';
import { Begun } from '../../parts/form/begun.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { Page } from '../../parts/page/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { BoundsFields, boundsOf } from './bounds-fields.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { FoundKeys } from './found-keys.tsx';
import { KeyDrawer } from './key-drawer.tsx';
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
      {task.kind === 'show' && <KeyDrawer apiKey={task.key} onTask={setTask} onClose={close} />}
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

function EditDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const change = useAct('PATCH accounts/:account/keys/:id');
  const toast = useToast();
  const account = useAccount();
  const { id } = apiKey;
  return (
    <Begun
      now={apiKey}
      read={async () =>
        (await call('POST accounts/:account/keys/search', account.id, { body: { id } })).keys[0]
      }
    >
      {({ version, ...begun }) => (
        <FormDialog
          title={`Edit “${begun.name}”`}
          onClose={onClose}
          label="Save"
          submit={async (values) => {
            const name = textOf(values, 'name').trim();
            await change.mutateAsync({ params: { id }, body: { name, ...boundsOf(values), version } });
            toast(`The key ${name} was changed`);
            onClose();
          }}
        >
          <TextField name="name" label="Name" required maxLength={80} defaultValue={begun.name} />
          <BoundsFields bounds={begun} />
        </FormDialog>
      )}
    </Begun>
  );
}

/** For a live key people type its name: revoking the wrong one stops real sign-ins. */
function RevokeDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const revoke = useAct('POST accounts/:account/keys/:id/revoke');
  const inOverlap = apiKey.status === 'overlap';
  return (
    <Confirm
      title={inOverlap ? `End the overlap of “${apiKey.name}”` : `Revoke “${apiKey.name}”`}
      label={inOverlap ? 'End the overlap' : 'Revoke the key'}
      {...(apiKey.test || inOverlap ? {} : { typed: apiKey.name })}
      act={() => revoke.mutateAsync({ params: { id: apiKey.id } })}
      done={`The key ${apiKey.prefix}… no longer works`}
      onClose={onClose}
    >
      <p>
        Within a second, every request with {apiKey.prefix}… will be refused. This cannot be undone.
        {inOverlap && ' The key that replaced it keeps working.'}
      </p>
      <p>
        Last used: <When at={apiKey.last_used_at} never="never" />
        {apiKey.last_used_from === null ? '' : `, from ${apiKey.last_used_from}`}.
      </p>
    </Confirm>
  );
}
