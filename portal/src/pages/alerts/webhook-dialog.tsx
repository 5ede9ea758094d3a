import { useState } from 'react';
import { useAct } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';

export function WebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const place = useAct('PUT accounts/:account/alerts/webhook');
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return (
      <SecretDialog
        title="The signing secret"
        advice="Give it to your server"
        text={secret}
        label="I have copied it"
        onClose={onClose}
      >
        A server of your own checks with it that a message is from here. A chat needs no secret.
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title="Tell a webhook"
      onClose={onClose}
      label="Add the webhook"
      submit={async (values) => {
        const { secret } = await place.mutateAsync({ body: { url: textOf(values, 'url').trim() } });
        setSecret(secret);
      }}
    >
      <TextField
        name="url"
        type="url"
        label="Address"
        description="An incoming webhook of Slack or Mattermost, or your own server, with https. It is not shown again."
        placeholder="https://hooks.slack.com/services/..."
        autoComplete="off"
        required
        maxLength={2000}
      />
    </FormDialog>
  );
}
