import { useAct } from '../../api/hooks.ts';
import { Form, textOf } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';
import { allParts } from './all-parts.ts';
import { NumberField } from './number-field.tsx';

export function CopyForm() {
  const read = useAct('POST accounts/:account/numbers/export');
  const toast = useToast();
  return (
    <Form
      label="Download the copy"
      submit={async (values) => {
        const number = textOf(values, 'destination');
        const parts = await allParts((from) => read.mutateAsync({ body: { destination: number, ...from } }));
        const [{ destination, do_not_send }] = parts;
        const verifications = parts.flatMap((part) => part.verifications);
        if (verifications.length === 0 && do_not_send.length === 0)
          return toast('Nothing is held about this number');
        const exported_at = new Date().toISOString();
        const text = JSON.stringify({ destination, exported_at, do_not_send, verifications }, null, 2);
        // The name of a file is seen by more people than its content.
        download(`data-request-${exported_at.slice(0, 10)}.json`, text);
        toast('The copy is in your downloads');
      }}
    >
      <NumberField />
    </Form>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
