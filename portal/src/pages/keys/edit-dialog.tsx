import type { Key } from '#contract/keys.ts';
import { useAct } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';
import { BoundsFields, boundsOf } from './bounds-fields.tsx';

export function EditDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const change = useAct('PATCH accounts/:account/keys/:id');
  const toast = useToast();
  return (
    <FormDialog
      title={`Edit “${apiKey.name}”`}
      onClose={onClose}
      label="Save"
      submit={async (values) => {
        const name = textOf(values, 'name').trim();
        await change.mutateAsync({ params: { id: apiKey.id }, body: { name, ...boundsOf(values) } });
        toast(`The key ${name} was changed`);
        onClose();
      }}
    >
      <TextField name="name" label="Name" required maxLength={80} defaultValue={apiKey.name} />
      <BoundsFields apiKey={apiKey} />
    </FormDialog>
  );
}
