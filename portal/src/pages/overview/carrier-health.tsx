import { Badge, Table, Text } from '@mantine/core';
import type { CarrierHealth } from '#contract/overview.ts';
import { useAsk } from '../../api/hooks.ts';
import { formatCount, formatLatency } from '../../format/number.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Section } from '../../parts/page.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { When } from '../../parts/when.tsx';
import { stateOf } from './carrier-state.ts';
import { stagesOf } from './funnel.ts';
import { StageCell } from './stage-cell.tsx';

export function CarrierHealthTable() {
  const carriers = useAsk('GET accounts/:account/carriers', {}, { every: 5_000 });
  return (
    <Section
      title="Carriers just now"
      about="This account’s messages of the last hour, with live and test keys. A carrier that keeps failing is set aside for everybody, and tried again by itself."
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
                    {['Attempts', 'Taken', 'Delivered', 'Confirmed'].map((name) => (
                      <Table.Th key={name} className="number">
                        {name}
                      </Table.Th>
                    ))}
                    <Table.Th className="number">Median delivery</Table.Th>
                    <Table.Th>Last error</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((carrier) => (
                    <CarrierRow key={carrier.name} carrier={carrier} />
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

function CarrierRow({ carrier }: { readonly carrier: CarrierHealth[number] }) {
  const { name, type, account, installation } = carrier;
  const { label, color, volume } = stateOf(carrier);
  const { last_error } = installation;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {name}{' '}
        <Text component="span" size="xs" c="dimmed">
          {type}
        </Text>
      </Table.Th>
      <Table.Td>
        <Badge variant="light" color={color}>
          {label}
        </Badge>
        {volume !== undefined && (
          <Text component="span" size="xs" c="dimmed">
            {' '}
            {volume}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="number">{formatCount(account.attempted)}</Table.Td>
      {stagesOf({ ...account, requested: null }).map((stage) => (
        <StageCell key={stage.name} count={stage.count} of={stage.of} />
      ))}
      <Table.Td className="number">{formatLatency(account.delivered_ms.p50)}</Table.Td>
      <Table.Td>
        {last_error === null ? (
          'None'
        ) : (
          <>
            {last_error.reason}, <When at={last_error.at} />
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
