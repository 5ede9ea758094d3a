import type { Alert } from '#contract/alerts.ts';
import { useAct } from '../../api/hooks.ts';
import { fieldOfInstant, instantOfField } from '../../format/time.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';

const FOUR_HOURS_MS = 4 * 3_600_000;

interface SilenceDialogProps {
  /** Null: everything of the account. */
  readonly alert: Alert | null;
  readonly onClose: () => void;
}

export function SilenceDialog({ alert, onClose }: SilenceDialogProps) {
  const silence = useAct('POST accounts/:account/alerts/silences');
  const toast = useToast();
  return (
    <FormDialog
      title={alert === null ? 'Silence everything' : `Silence: ${alert.title}`}
      onClose={onClose}
      label="Silence"
      submit={async (values) => {
        const until = instantOfField(textOf(values, 'until')) ?? '';
        const reason = textOf(values, 'reason').trim();
        const about = { rule: alert?.rule ?? null, subject: alert?.subject ?? null };
        await silence.mutateAsync({ body: { ...about, until, reason } });
        toast('Nobody is told of it until then');
        onClose();
      }}
    >
      <div>
        {alert === null
          ? 'Nobody is told of alerts of this account until then. They are still shown here.'
          : 'Nobody is told of this alert until then. It is still shown here.'}
      </div>
      <TextField
        name="until"
        type="datetime-local"
        label="Until"
        description="At most 30 days."
        required
        defaultValue={fieldOfInstant(new Date(Date.now() + FOUR_HOURS_MS).toISOString())}
      />
      <TextField
        name="reason"
        label="Reason"
        description="For those who wonder why nobody was told."
        autoComplete="off"
        required
        maxLength={200}
      />
    </FormDialog>
  );
}
