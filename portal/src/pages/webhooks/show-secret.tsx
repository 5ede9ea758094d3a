import type { WebhookSecret } from '#contract/webhooks.ts';
import { formatMinute } from '../../format/time.ts';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';

interface ShowSecretProps extends WebhookSecret {
  readonly onClose: () => void;
}

export function ShowSecret({ webhook, secret, onClose }: ShowSecretProps) {
  const { previous_secret_until: until } = webhook;
  return (
    <SecretDialog
      title="The signing secret"
      advice="Give it to your server"
      text={secret}
      label="I have copied it"
      onClose={onClose}
    >
      Your server checks with it that a message is from here and was not altered. Anyone who has it can forge
      messages to {webhook.url}.
      {until !== null && ` Until ${formatMinute(until)}, messages are signed with the previous one, too.`}
    </SecretDialog>
  );
}
