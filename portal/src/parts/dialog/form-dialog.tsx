import { Button } from '@mantine/core';
import { Form, type FormProps } from '../form/form.tsx';
import { Dialog, useClose } from './dialog.tsx';

interface FormDialogProps extends Omit<FormProps, 'beside' | 'pinned'> {
  readonly title: string;
  readonly onClose: () => void;
}

/** A form in a dialog, with a button to cancel. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} pinned beside={<Cancel />} />
    </Dialog>
  );
}

function Cancel() {
  return (
    <Button variant="default" onClick={useClose()}>
      Cancel
    </Button>
  );
}
