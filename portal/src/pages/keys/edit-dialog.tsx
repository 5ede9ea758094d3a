import { Button } from '@mantine/core';
import type { Key } from '#contract/keys.ts';
import { useAct } from '../../api/hooks.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { useToast } from '../../parts/toast.tsx';
import { BoundsFields, boundsOf } from './bounds-fields.tsx';

export function EditDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const change = useAct('PATCH accounts/:account/keys/:id');
  const toast = useToast();
  return (
    <Dialog title={`Edit “${apiKey.name}”`} onClose={onClose}>
      <Form
        label="Save"
        beside={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
        submit={async (values) => {
          const name = textOf(values, 'name').trim();
          await change.mutateAsync({ params: { id: apiKey.id }, body: { name, ...boundsOf(values) } });
          toast(`The key ${name} is changed`);
          onClose();
        }}
      >
        <TextField name="name" label="Name" required maxLength={80} defaultValue={apiKey.name} />
        <BoundsFields apiKey={apiKey} />
      </Form>
    </Dialog>
  );
}
