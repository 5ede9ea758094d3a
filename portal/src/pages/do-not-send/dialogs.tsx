import { useAct } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';

interface DialogProps {
  readonly onClose: () => void;
}

export function AddNumber({ onClose }: DialogProps) {
  const add = useAct('POST accounts/:account/do-not-send/numbers');
  const toast = useToast();
  return (
    <FormDialog
      title="Add a number"
      onClose={onClose}
      label="Add the number"
      submit={async (values) => {
        await add.mutateAsync({ body: { number: textOf(values, 'number') } });
        toast('Nothing more is sent to this number');
        onClose();
      }}
    >
      <NumberField description="Nothing more is sent to it." />
    </FormDialog>
  );
}

/** Of a long list the masked entries do not help: here people type the number. */
export function RemoveNumber({ onClose }: DialogProps) {
  const remove = useAct('POST accounts/:account/do-not-send/numbers/remove');
  const toast = useToast();
  return (
    <FormDialog
      title="Remove a number"
      onClose={onClose}
      label="Remove the number"
      submit={async (values) => {
        await remove.mutateAsync({ body: { number: textOf(values, 'number') } });
        toast('Codes are sent to this number again');
        onClose();
      }}
    >
      <NumberField description="Codes are sent to it again. Remove it only if its owner asked for that." />
    </FormDialog>
  );
}

function NumberField({ description }: { readonly description: string }) {
  return (
    <TextField
      name="number"
      label="Number"
      description={description}
      placeholder="+14155550123"
      autoComplete="off"
      required
      maxLength={300}
    />
  );
}

export function AddRange({ onClose }: DialogProps) {
  const add = useAct('POST accounts/:account/do-not-send/ranges');
  const toast = useToast();
  return (
    <FormDialog
      title="Add a range"
      onClose={onClose}
      label="Add the range"
      submit={async (values) => {
        const prefix = textOf(values, 'prefix');
        await add.mutateAsync({ body: { prefix } });
        toast('Within a second, nothing more is sent to this range');
        onClose();
      }}
    >
      <TextField
        name="prefix"
        label="Beginning of the numbers"
        description="With the country code, and with at most 9 digits."
        placeholder="+88213"
        autoComplete="off"
        required
        maxLength={40}
      />
    </FormDialog>
  );
}
