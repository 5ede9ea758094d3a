import { useState } from 'react';
import { useAct } from '../../api/hooks.ts';
import { countedAsWords, countryName } from '../../format/country.ts';
import { instantOfField } from '../../format/time.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';

/** Stops sending to one country, until it is allowed again or until a time. */
export function StopDialog({ country, onClose }: { readonly country: string; readonly onClose: () => void }) {
  const add = useAct('POST accounts/:account/guard/rules');
  const toast = useToast();
  const [isPause, setPause] = useState(false);
  const name = countryName(country);
  return (
    <FormDialog
      title={`Stop sending to ${name}`}
      onClose={onClose}
      label="Stop sending"
      danger
      submit={async (values) => {
        await add.mutateAsync({
          body: {
            ...{ action: isPause ? 'pause' : 'deny', subject: 'country', value: country },
            ...{ ends_at: isPause ? instantOfField(textOf(values, 'ends_at')) : null },
            reason: textOf(values, 'reason'),
          },
        });
        toast(`Requests for ${name} are refused from now on`);
        onClose();
      }}
    >
      <div>
        Requests for numbers of {name} are answered with 429 <code>guarded</code> and cost nothing. It takes
        effect within a second, for live keys. A rule of yours that allows a number or a range there still
        holds.
      </div>
      {countedAsWords([country]).map((note) => (
        <div key={note}>{note}</div>
      ))}
      <SelectField
        name="how_long"
        label="How long"
        value={isPause ? 'pause' : 'deny'}
        onChange={({ currentTarget: { value } }) => setPause(value === 'pause')}
        data={[
          { value: 'deny', label: 'Until somebody allows it again' },
          { value: 'pause', label: 'Until a time' },
        ]}
      />
      {isPause && <TextField name="ends_at" type="datetime-local" label="Until" required />}
      <TextField
        name="reason"
        label="Reason"
        description="For those who find this in a year."
        autoComplete="off"
        required
        maxLength={200}
      />
    </FormDialog>
  );
}
