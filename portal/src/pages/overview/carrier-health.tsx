import { Badge, Table, Text } from '@mantine/core';
import { useAsk } from '../../api/hooks.ts';
import { formatLatency, formatShare } from '../../format/number.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Section } from '../../parts/page.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { When } from '../../parts/when.tsx';

const BREAKER = {
  closed: { color: 'green', label: 'Works' },
  'half-open': { color: 'yellow', label: 'Being tried again' },
  open: { color: 'red', label: 'Set aside' },
  unknown: { color: 'gray', label: 'Not heard of' },
} as const;

export function CarrierHealthTable() {
  const carriers = useAsk('GET accounts/:account/carriers', {}, { every: 5_000 });
  return (
    <Section
      title="Carriers just now"
      about="Over the last hour. A carrier that keeps failing is set aside and tried again by itself."
    >
      <Answer of={carriers} lines={3}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No carrier is configured">Name your carriers in countersign.yaml.</Empty>
          ) : (
            <Scroller label="Carriers just now">
              <Table aria-label="Carriers just now" verticalSpacing="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Carrier</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th className="number">Delivered</Table.Th>
                    <Table.Th className="number">Confirmed</Table.Th>
                    <Table.Th className="number">Median delivery</Table.Th>
                    <Table.Th>Last error</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((carrier) => (
                    <Table.Tr key={carrier.name}>
                      <Table.Th scope="row">
                        {carrier.name}{' '}
                        <Text component="span" size="xs" c="dimmed">
                          {carrier.type}
                        </Text>
                      </Table.Th>
                      <Table.Td>
                        <Badge variant="light" color={BREAKER[carrier.breaker].color}>
                          {BREAKER[carrier.breaker].label}
                        </Badge>
                      </Table.Td>
                      <Table.Td className="number">{formatShare(carrier.delivered_rate)}</Table.Td>
                      <Table.Td className="number">{formatShare(carrier.confirmed_rate)}</Table.Td>
                      <Table.Td className="number">{formatLatency(carrier.delivered_ms.p50)}</Table.Td>
                      <Table.Td>
                        {carrier.last_error === null ? (
                          'None'
                        ) : (
                          <>
                            {carrier.last_error.reason}, <When at={carrier.last_error.at} />
                          </>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Scroller>
          )
        }
      </Answer>
    </Section>
  );
}
