import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { WebhookSecret, WebhookView } from '#contract/webhooks.ts';
import { call } from '../../api/call.ts';
import { useAct } from '../../api/hooks.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { Begun } from '../../parts/form/begun.tsx';
import { Failure } from '../../parts/page/failure.tsx';
import { useToast } from '../../parts/toast.tsx';
import { EndpointFields, endpointOf } from '../webhooks/endpoint-fields.tsx';
import { ShowSecret } from '../webhooks/show-secret.tsx';

type Task = 'none' | 'change' | 'reveal' | 'rotate' | 'disable' | 'remove';

/** What owners and developers do with an endpoint. */
export function Changes({ webhook }: { readonly webhook: WebhookView }) {
  const params = { id: webhook.id };
  const toast = useToast();
  const [task, setTask] = useState<Task>('none');
  const [shown, setShown] = useState<WebhookSecret>();
  const test = useAct('POST accounts/:account/webhooks/:id/test');
  const enable = useAct('POST accounts/:account/webhooks/:id/enable');
  const disable = useAct('POST accounts/:account/webhooks/:id/disable');
  const reveal = useAct('POST accounts/:account/webhooks/:id/reveal');
  const rotate = useAct('POST accounts/:account/webhooks/:id/rotate');
  const close = () => setTask('none');
  // Who gets full numbers is for owners to decide.
  const mayDecide = useMay('owner') || !webhook.full_numbers;
  const isDisabled = webhook.state === 'disabled';
  const failed = [test, enable].find(({ error }) => error !== null);
  return (
    <div>
      <Group gap="xs">
        {isDisabled ? (
          <Button
            disabled={!mayDecide}
            loading={enable.isPending}
            onClick={() => enable.mutate({ params }, { onSuccess: () => toast('It gets messages again') })}
          >
            Enable
          </Button>
        ) : (
          <Button
            loading={test.isPending}
            onClick={() => test.mutate({ params }, { onSuccess: () => toast('The test is below') })}
          >
            Send a test
          </Button>
        )}
        <Button variant="default" onClick={() => setTask('change')}>
          Change
        </Button>
        {mayDecide && (
          <>
            <Button variant="default" onClick={() => setTask('reveal')}>
              Show the secret
            </Button>
            <Button variant="default" onClick={() => setTask('rotate')}>
              Rotate the secret
            </Button>
          </>
        )}
        {!isDisabled && (
          <Button variant="default" onClick={() => setTask('disable')}>
            Disable
          </Button>
        )}
        <Button variant="default" onClick={() => setTask('remove')}>
          Remove
        </Button>
      </Group>
      {failed !== undefined && <Failure error={failed.error} />}
      {task === 'change' && <ChangeDialog webhook={webhook} onClose={close} />}
      {task === 'reveal' && (
        <Confirm
          title="Show the secret"
          label="Show it"
          danger={false}
          onClose={close}
          act={async () => setShown(await reveal.mutateAsync({ params }))}
        >
          The audit log will record that you asked for it, when and from where.
        </Confirm>
      )}
      {task === 'rotate' && (
        <Confirm
          title="Rotate the secret"
          label="Rotate it"
          danger={false}
          onClose={close}
          act={async () => setShown(await rotate.mutateAsync({ params }))}
        >
          Messages are signed with a new secret. For a day, this one signs them, too, so that you can update
          your servers one by one.
        </Confirm>
      )}
      {task === 'disable' && (
        <Confirm
          title="Disable the endpoint"
          label="Disable it"
          onClose={close}
          act={() => disable.mutateAsync({ params })}
          done="Nothing more is sent to it"
        >
          Nothing more is sent to {webhook.url}. What happens until somebody enables it is not kept for it.
        </Confirm>
      )}
      {task === 'remove' && <RemoveDialog webhook={webhook} onClose={close} />}
      {shown !== undefined && <ShowSecret {...shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

interface DialogProps {
  readonly webhook: WebhookView;
  readonly onClose: () => void;
}

function ChangeDialog({ webhook, onClose }: DialogProps) {
  const change = useAct('PATCH accounts/:account/webhooks/:id');
  const toast = useToast();
  const account = useAccount();
  const params = { id: webhook.id };
  return (
    <Begun now={webhook} read={() => call('GET accounts/:account/webhooks/:id', account.id, { params })}>
      {({ version, ...begun }) => (
        <FormDialog
          title="Change the endpoint"
          onClose={onClose}
          label="Save"
          submit={async (values) => {
            await change.mutateAsync({ params, body: { ...endpointOf(values), version } });
            toast('The endpoint was changed');
            onClose();
          }}
        >
          <EndpointFields webhook={begun} />
        </FormDialog>
      )}
    </Begun>
  );
}

function RemoveDialog({ webhook, onClose }: DialogProps) {
  const account = useAccount();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return (
    <Confirm
      title="Remove the endpoint"
      label="Remove it"
      onClose={onClose}
      act={async () => {
        await call('DELETE accounts/:account/webhooks/:id', account.id, { params: { id: webhook.id } });
        // Only the list: this page must not ask again for what is gone.
        void client.invalidateQueries({ queryKey: ['GET accounts/:account/webhooks', account.id] });
        navigate(`/accounts/${account.id}/webhooks`);
      }}
      done="The endpoint was removed"
    >
      Nothing more is sent to {webhook.url}. Its messages and its secret are deleted.
    </Confirm>
  );
}
