import { useAct } from '../../api/hooks.ts';
import { useMay } from '../../frame/account.ts';
import { Form, textOf } from '../../parts/form/form.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import { allParts } from './all-parts.ts';
import { EraseForm } from './erase-form.tsx';
import { NumberField } from './number-field.tsx';

export default function DataRequests() {
  const mayAnswer = useMay('owner');
  return (
    <Page
      title="Data requests"
      about="Someone asks what this account holds about their number, or wants it erased. First make sure that the number is theirs."
    >
      {mayAnswer ? (
        <>
          <Section
            beside
            title="Give a copy"
            about="A file with every code that was requested for the number: when, how, what became of it, and what carriers said about it; and since when it is on the do-not-send list. Codes themselves are not in it. All extensions of a number are one telephone: if the file names others, take them out before you pass it on."
          >
            <CopyForm />
          </Section>
          <Section
            beside
            title="Erase"
            about="Deletes everything that this account holds about the number. An entry of the do-not-send list stays, unless you take it off, too. Figures in the overview stay: they name nobody."
          >
            <EraseForm />
          </Section>
        </>
      ) : (
        <Empty title="Only owners can answer data requests">Ask an owner of this account.</Empty>
      )}
    </Page>
  );
}

function CopyForm() {
  const read = useAct('POST accounts/:account/numbers/export');
  const toast = useToast();
  return (
    <Form
      label="Download the copy"
      saves={false}
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
