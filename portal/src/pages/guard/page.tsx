import { Button } from '@mantine/core';
import { useState } from 'react';
import type { GuardView } from '#contract/guard.ts';
import { useAsk } from '../../api/hooks.ts';
import { aboutRefused } from '../../format/guard.ts';
import { useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { useView, Views } from '../../parts/page/views.tsx';
import { AddRule } from './add-rule.tsx';
import { ClosedTable } from './closed-table.tsx';
import { EventTable } from './event-table.tsx';
import { EvidenceChart } from './evidence-chart.tsx';
import { Brought, Mode } from './mode.tsx';
import { RefusedTable } from './refused-table.tsx';
import { Rules } from './rules.tsx';
import { SavedByDay } from './saved-by-day.tsx';
import { TryIt } from './try-it.tsx';

const EVERY_MS = 15_000;
const VIEWS = { refused: 'Refused', evidence: 'Evidence', events: 'What happened', rules: 'Your rules' };
const VIEWS_WITH_TRIAL = { ...VIEWS, try: 'Try it' };

export default function GuardPage() {
  const view = useAsk('GET accounts/:account/guard', {}, { every: EVERY_MS });
  const mayTry = useMay('developer');
  const mayChange = useMay('owner');
  const [shown, show] = useView(VIEWS_WITH_TRIAL, 'refused');
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Guard"
      about="Bots ask for codes that nobody will ever type, and you pay for each. The guard refuses codes where others were not confirmed. Numbers that you refuse by look-ups are shown here, too."
      actions={mayChange && <Button onClick={() => setAdding(true)}>Add a rule</Button>}
    >
      <Views label="Parts of this page" names={mayTry ? VIEWS_WITH_TRIAL : VIEWS} shown={shown} />
      <Answer of={view} lines={8}>
        {(guard) => (
          <>
            <Mode mode={guard.mode} />
            {guard.brings && <Brought />}
            {shown === 'refused' && <RefusedView guard={guard} />}
            {shown === 'evidence' && <EvidenceView guard={guard} />}
            {shown === 'events' && <EventsView guard={guard} />}
          </>
        )}
      </Answer>
      {shown === 'rules' && <Rules />}
      {shown === 'try' && mayTry && <TryIt />}
      {isAdding && <AddRule onClose={() => setAdding(false)} onAdded={() => show('rules')} />}
    </Page>
  );
}

interface ViewProps {
  readonly guard: GuardView;
}

function RefusedView({ guard: { refused, more, days, closed, currency } }: ViewProps) {
  return (
    <>
      {days.length > 0 && <SavedByDay days={days} currency={currency} />}
      <Section title="Refused in the last day" about={aboutRefused(refused)}>
        {refused.length === 0 ? (
          <Empty title="Nothing was refused">
            {days.length === 0
              ? 'Every code was sent. Once codes to a range, a country or a network stay unconfirmed, the guard refuses more of them, and says here where and why.'
              : 'Not in the last day.'}
          </Empty>
        ) : (
          <RefusedTable refused={refused} more={more} />
        )}
      </Section>
      {closed.length > 0 && (
        <Section
          title="Closed now"
          about="A single message tries a closed place now and then. When people confirm, it opens by itself."
        >
          <ClosedTable closed={closed} />
        </Section>
      )}
    </>
  );
}

function EvidenceView({ guard: { refused } }: ViewProps) {
  if (refused.length > 0) return <EvidenceChart refused={refused} />;
  return <Empty title="No evidence">Where nothing was refused in the last day, none is kept to show.</Empty>;
}

function EventsView({ guard: { events } }: ViewProps) {
  return (
    <Section title="What happened" about="When the guard began to refuse somewhere, and when it stopped.">
      {events.length === 0 ? (
        <Empty title="Nothing happened">The guard has not closed a place lately.</Empty>
      ) : (
        <EventTable events={events} />
      )}
    </Section>
  );
}
