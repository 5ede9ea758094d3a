import { useMay } from '../../frame/account.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { CopyForm } from './copy-form.tsx';
import { EraseForm } from './erase-form.tsx';

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
