import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../../api/hooks.ts';
import { useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Loading } from '../../parts/page/loading.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { useView, Views } from '../../parts/page/views.tsx';
import { CarrierDrawer } from './carrier-drawer.tsx';
import { type Carrier, CarrierTable } from './carrier-table.tsx';
import { ConfigurationView, useConfiguration } from './compose/section.tsx';
import { Explain } from './explain.tsx';
import { LastReload } from './last-reload.tsx';
import { RouteTable } from './route-table.tsx';
import { SendDialog } from './test/send-dialog.tsx';
import { CarrierTests } from './test/tests.tsx';

const EVERY_MS = 5_000;
const VIEWS = { carriers: 'Carriers', routes: 'Routes', tests: 'Tests' };
const VIEWS_OF_OPERATORS = { ...VIEWS, configuration: 'Configuration' };

export default function CarriersPage() {
  const routing = useAsk('GET accounts/:account/routing', {}, { every: EVERY_MS });
  const states = useAsk('GET accounts/:account/carriers', {}, { every: EVERY_MS });
  const health = states.data ?? [];
  const configuration = useConfiguration();
  const mayTest = useMay('owner');
  const [view, show] = useView(VIEWS_OF_OPERATORS, 'carriers');
  const [isAdding, setAdding] = useState(false);
  const [opened, open] = useState<Carrier>();
  const [tested, test] = useState<string>();
  const carriers = routing.data?.carriers ?? [];
  return (
    <Page
      title="Carriers"
      about="Carriers take messages to telephones, and routes say which of them takes which. Both are set in the configuration of the service."
      actions={
        <Group gap="xs">
          {configuration !== undefined && !isAdding && (
            <Button
              variant="default"
              onClick={() => {
                setAdding(true);
                show('configuration');
              }}
            >
              Add a carrier or a route
            </Button>
          )}
          {mayTest && <Button onClick={() => test(carriers[0]?.name ?? '')}>Send a test</Button>}
        </Group>
      }
    >
      <Views
        label="Parts of this page"
        names={configuration === undefined ? VIEWS : VIEWS_OF_OPERATORS}
        shown={view}
      />
      <Answer of={routing} lines={8}>
        {(found) => (
          <>
            <LastReload reload={found.reload} />
            {/* With the states, rows are higher. */}
            {states.isPending && <Loading />}
            {view === 'carriers' && !states.isPending && (
              <Section
                title="Carriers"
                about="The figures are this account’s messages of the last day, with live and test keys. A carrier that keeps failing is set aside for all accounts and retried automatically."
              >
                <CarrierTable carriers={found.carriers} health={health} open={open} />
              </Section>
            )}
            {view === 'routes' && !states.isPending && (
              <>
                <Section
                  title="Routes"
                  about="The first route that fits a message takes it. Its carriers are asked in this order until one takes the message."
                >
                  <RouteTable view={found} health={health} />
                </Section>
                <Explain />
              </>
            )}
            {view === 'tests' && <CarrierTests />}
            {view === 'configuration' && configuration !== undefined && (
              <ConfigurationView
                view={found}
                onTest={test}
                configuration={configuration}
                isAdding={isAdding}
              />
            )}
            {opened !== undefined && (
              <CarrierDrawer
                carrier={opened}
                health={health.find(({ name }) => name === opened.name)}
                routes={found.routes}
                onTest={mayTest ? () => [open(undefined), test(opened.name)] : undefined}
                onClose={() => open(undefined)}
              />
            )}
          </>
        )}
      </Answer>
      {tested !== undefined && (
        <SendDialog
          carriers={carriers}
          routes={routing.data?.routes ?? []}
          first={tested}
          onSent={() => show('tests')}
          onClose={() => test(undefined)}
        />
      )}
    </Page>
  );
}
