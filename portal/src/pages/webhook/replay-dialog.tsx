import { Checkbox } from '@mantine/core';
import type { WebhookView } from '#contract/webhooks.ts';
import { useAct } from '../../api/hooks.ts';
import { fieldOfInstant, instantOfField } from '../../format/time.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';

const DAY_MS = 86_400_000;

interface ReplayDialogProps {
  readonly webhook: WebhookView;
  readonly onClose: () => void;
}

/** Sends the messages of a span of time again. */
export function ReplayDialog({ webhook, onClose }: ReplayDialogProps) {
  const replay = useAct('POST accounts/:account/webhooks/:id/replay');
  const toast = useToast();
  return (
    <FormDialog
      title="Send many again"
      onClose={onClose}
      label="Send them again"
      submit={async (values) => {
        const now = new Date().toISOString();
        const from = instantOfField(textOf(values, 'from')) ?? now;
        const to = instantOfField(textOf(values, 'to')) ?? now;
        const also_taken = values.has('also_taken');
        const { messages } = await replay.mutateAsync({
          params: { id: webhook.id },
          body: { from, to, also_taken },
        });
        toast(messages === 1 ? 'One message is sent again' : `${messages} messages are sent again`);
        onClose();
      }}
    >
      <TextField
        name="from"
        type="datetime-local"
        label="From"
        required
        defaultValue={fieldOfInstant(new Date(Date.now() - DAY_MS).toISOString())}
      />
      <TextField name="to" type="datetime-local" label="Until" description="If empty, until now." />
      <Checkbox
        name="also_taken"
        value="yes"
        label="Also those that your server took"
        description="It gets them twice, with the same ids."
      />
    </FormDialog>
  );
}
