import { useState } from 'react';
import { useAsk } from '../../api/hooks.ts';
import { Answer } from '../../parts/answer.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { CarrierTable } from './carrier-table.tsx';
import { ComposeSection } from './compose/section.tsx';
import { Explain } from './explain.tsx';
import { LastReload } from './last-reload.tsx';
import { RouteTable } from './route-table.tsx';
import { CarrierTests } from './test/tests.tsx';

const EVERY_MS = 5_000;

export default function CarriersPage() {
  const routing = useAsk('GET accounts/:account/routing', {}, { every: EVERY_MS });
  const [tested, test] = useState<string>();
  const health = useAsk('GET accounts/:account/carriers', {}, { every: EVERY_MS });
  return (
    <Page
      title="Carriers"
      about="Carriers take messages to telephones, and routes say which of them takes which. Both are set in the configuration of the service."
    >
      <Answer of={routing} lines={8}>
        {(view) => (
          <>
            <LastReload reload={view.reload} />
            <Section
              title="Carriers"
              about="The figures are this account’s messages of the last day, with live and test keys. A carrier that keeps failing is set aside for all accounts and retried automatically. Unusable receipts are those of the last hour, of all accounts."
            >
              <CarrierTable carriers={view.carriers} health={health.data ?? []} />
            </Section>
            <Section
              title="Routes"
              about="The first route that fits a message takes it. Its carriers are asked in this order until one takes the message."
            >
              <RouteTable view={view} health={health.data ?? []} />
            </Section>
            <CarrierTests carriers={view.carriers} tested={tested} test={test} />
            <ComposeSection view={view} onTest={test} />
          </>
        )}
      </Answer>
      <Explain />
    </Page>
  );
}
