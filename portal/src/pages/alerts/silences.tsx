import { Table, Text } from '@mantine/core';
import type { Rule, Silence } from '#contract/alerts.ts';
import { useAct } from '../../api/hooks.ts';
import { formatMinute } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { Section } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { useToast } from '../../parts/toast.tsx';

const COLUMNS = ['What', 'Until', 'Reason'];

interface SilenceSectionProps {
  readonly silences: readonly Silence[];
  readonly rules: readonly Rule[];
}

export function SilenceSection({ silences, rules }: SilenceSectionProps) {
  const mayChange = useMay('owner');
  const lift = useAct('DELETE accounts/:account/alerts/silences/:id');
  const toast = useToast();
  const nameOf = ({ rule, subject }: Silence) => {
    const title = rules.find(({ name }) => name === rule)?.title;
    if (title === undefined) return 'Everything';
    return subject === null ? title : `${title}: ${subject}`;
  };
  return (
    <Section title="Silenced" about="Nobody is told of these alerts until then.">
      <ScrollingTable label="Silenced" columns={mayChange ? [...COLUMNS, 'Change'] : COLUMNS} stacked>
        {silences.map((silence) => (
          <Table.Tr key={silence.id}>
            <Table.Th scope="row">{nameOf(silence)}</Table.Th>
            <Table.Td data-label="Until">{formatMinute(silence.until)}</Table.Td>
            <Table.Td data-label="Reason">
              {silence.reason}
              <Text size="xs" c="dimmed">
                {silence.made_by}, {formatMinute(silence.made_at)}
              </Text>
            </Table.Td>
            {mayChange && (
              <Table.Td>
                <RowButton
                  name={`Lift the silence: ${nameOf(silence)}`}
                  onClick={() =>
                    lift.mutate(
                      { params: { id: silence.id } },
                      { onSuccess: () => toast('People are told again') },
                    )
                  }
                >
                  Lift
                </RowButton>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </ScrollingTable>
    </Section>
  );
}
