import { Badge, Group, Table } from '@mantine/core';
import type { Rule } from '#contract/alerts.ts';
import { Section } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';

export function RuleSection({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <Section
      title="Rules"
      about="The operator of the service sets them in its configuration, for all accounts."
    >
      <ScrollingTable label="Rules" columns={['Rule', 'It fires when', 'State']} stacked>
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
