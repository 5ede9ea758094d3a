import { Button } from '@mantine/core';
import { Dialog } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';

interface FormDialogProps extends Omit<FormProps, 'beside'> {
  readonly title: string;
  readonly onClose: () => void;
}

/** A form of its own, that can be left without doing anything. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        {...form}
        beside={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      />
    </Dialog>
  );
}
