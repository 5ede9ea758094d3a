import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import type { RoutingView } from '#contract/routing.ts';
import { useAsk } from '../../api/hooks.ts';
import { Answer } from '../../parts/answer.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { When } from '../../parts/when.tsx';
import { CarrierTable } from './carrier-table.tsx';
import { ComposeSection } from './compose/section.tsx';
import { Explain } from './explain.tsx';
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

/** How the configuration was last taken; nothing if it has not changed since the start. */
function LastReload({ reload }: { readonly reload: RoutingView['reload'] }) {
  if (reload === null) return null;
  const { at, by, ok, changed, wrong } = reload;
  const how = by === 'signal' ? 'by a signal' : 'by a command';
  if (!ok) {
    return (
      <Alert color="red" title="The last change of the configuration was refused" role="status">
        <When at={at} />, {how}. Everything goes on as before. {namesOf(wrong)}. The log says what to do.
      </Alert>
    );
  }
  return (
    <Text size="sm" role="status">
      The configuration was read again <When at={at} />, {how}:{' '}
      {changed.length === 0 ? 'nothing had changed' : namesOf(changed)}.
    </Text>
  );
}

const namesOf = (keys: readonly string[]) => keys.join(', ');
