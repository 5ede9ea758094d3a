import type { CreatedKey } from '#contract/keys.ts';
import { useAct } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { BoundsFields, boundsOf } from './bounds-fields.tsx';

interface CreateDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedKey) => void;
}

export function CreateDialog({ onClose, onCreated }: CreateDialogProps) {
  const create = useAct('POST accounts/:account/keys');
  return (
    <FormDialog
      title="Create a key"
      onClose={onClose}
      label="Create the key"
      submit={async (values) => {
        const name = textOf(values, 'name').trim();
        const test = textOf(values, 'test') === 'true';
        onCreated(await create.mutateAsync({ body: { name, test, ...boundsOf(values) } }));
      }}
    >
      <TextField
        name="name"
        label="Name"
        description="Where you will use it."
        placeholder="Checkout, production"
        required
        maxLength={80}
      />
      <SelectField
        name="test"
        label="Kind"
        data={[
          { value: 'true', label: 'Test: sends to the handset' },
          { value: 'false', label: 'Live: sends to real telephones' },
        ]}
      />
      <BoundsFields />
    </FormDialog>
  );
}
