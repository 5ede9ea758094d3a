import { Badge, Code, Table, Text } from '@mantine/core';
import type { CarrierHealth } from '#contract/overview.ts';
import { useAsk } from '../../../api/hooks.ts';
import { formatCount, formatLatency } from '../../../format/number.ts';
import { useAccount } from '../../../frame/account.ts';
import { Answer } from '../../../parts/answer.tsx';
import { FigureLink } from '../../../parts/figure-link.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { LongTable } from '../../../parts/page/long-table.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { When } from '../../../parts/when.tsx';
import { listBehindLast } from '../behind.ts';
import { FIGURES as BEHIND, stagesOf } from '../funnel/funnel.ts';
import { StageCell } from '../funnel/stage-cell.tsx';
import { MEANS } from '../words.ts';
import { stateOf, troubledFirst } from './carrier-state.ts';

const HOUR = 3_600_000;
const FIGURES = ['Attempts', 'Accepted', 'Delivered', 'Confirmed', 'Median delivery'];

export function CarrierHealthTable() {
  const carriers = useAsk('GET accounts/:account/carriers', {}, { every: 5_000 });
  return (
    <Section
      title="Carriers right now"
      explain={MEANS['Carriers right now']}
      about="This account’s messages of the last hour, with live and test keys. A carrier that keeps failing is set aside for all accounts and retried automatically."
    >
      <Answer of={carriers} lines={3}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              title="No carriers configured"
              action={
                <Code>
                  carriers: {'{'} smsc: {'{'} type: smpp, host: smpp.example.com, systemId: acme, … {'}'}{' '}
                  {'}'}
                </Code>
              }
            >
              Carriers bring messages to telephones. Your administrator adds them to countersign.yaml, with
              routes that say which countries they serve.
            </Empty>
          ) : (
            <LongTable
              label="Carriers right now"
              columns={['Carrier', 'State', ...FIGURES, 'Last error']}
              figures={FIGURES}
              rows={troubledFirst(list)}
              of="carriers"
            >
              {(carrier) => <CarrierRow key={carrier.name} carrier={carrier} />}
            </LongTable>
          )
        }
      </Answer>
    </Section>
  );
}

function CarrierRow({ carrier }: { readonly carrier: CarrierHealth[number] }) {
  const { name, type, account, installation } = carrier;
  const behind = listBehindLast(useAccount().id, HOUR, { carrier: name });
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
      <Table.Td className="number">
        <FigureLink to={behind('attempted')}>{formatCount(account.attempted)}</FigureLink>
      </Table.Td>
      {stagesOf({ ...account, requested: null }).map((stage) => (
        <StageCell key={stage.name} count={stage.count} of={stage.of} to={behind(BEHIND[stage.name])} />
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
