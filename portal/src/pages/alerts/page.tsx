import { Badge, Group, Table } from '@mantine/core';
import type { Rule } from '#contract/alerts.ts';
import { useAsk } from '../../api/hooks.ts';
import { Answer } from '../../parts/answer.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { ChannelSection } from './channels.tsx';
import { FiringSection } from './firing.tsx';
import { HistorySection } from './history.tsx';

const EVERY_MS = 15_000;

export default function Alerts() {
  const alerts = useAsk('GET accounts/:account/alerts', {}, { every: EVERY_MS });
  // The badge in the navigation keeps up with the page.
  useAsk('GET accounts/:account/alerts/count', {}, { every: EVERY_MS });
  return (
    <Page
      title="Alerts"
      about="The service looks at these rules about once a minute, and tells the people and places below when one fires and when it is over."
    >
      <Answer of={alerts}>
        {({ firing, rules, channels }) => (
          <>
            <FiringSection alerts={firing} />
            <ChannelSection channels={channels} />
            <RuleSection rules={rules} />
            <HistorySection />
          </>
        )}
      </Answer>
    </Page>
  );
}

function RuleSection({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <Section
      title="Rules"
      about="The operator of the service sets them in its configuration, for all accounts."
    >
      <ScrollingTable label="Rules" columns={['Rule', 'It fires when', 'State']} spacing={6} stacked>
        {rules.map(({ name, title, means, on, installation }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{title}</Table.Th>
            <Table.Td data-label="It fires when">{means}</Table.Td>
            <Table.Td data-label="State">
              <Group gap="xs">
                <Badge variant="light" color={on ? 'green' : 'gray'}>
                  {on ? 'On' : 'Off'}
                </Badge>
                {installation && <Badge variant="default">Installation</Badge>}
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollingTable>
    </Section>
  );
}
