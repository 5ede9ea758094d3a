import { Text } from '@mantine/core';
import type { CreatedKey, Key } from '#contract/keys.ts';
import { useAct } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { SelectField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';

const OVERLAPS = [
  { value: '60', label: 'One hour' },
  { value: '1440', label: 'One day' },
  { value: '10080', label: 'One week' },
  { value: '43200', label: 'Thirty days' },
  { value: '0', label: 'None: the old key stops at once' },
];

interface RotateDialogProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedKey) => void;
}

export function RotateDialog({ apiKey, onClose, onCreated }: RotateDialogProps) {
  const rotate = useAct('POST accounts/:account/keys/:id/rotate');
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      onClose={onClose}
      label="Create the new key"
      submit={async (values) => {
        const body = { overlap_minutes: Number(textOf(values, 'overlap_minutes')) };
        onCreated(await rotate.mutateAsync({ params: { id: apiKey.id }, body }));
      }}
    >
      <Text size="sm">
        A new key with the same name and limits replaces this one. During the overlap both work, so that you
        can update your servers one by one. You can end the overlap early.
      </Text>
      <SelectField name="overlap_minutes" label="Overlap" data={OVERLAPS} defaultValue="1440" />
    </FormDialog>
  );
}
