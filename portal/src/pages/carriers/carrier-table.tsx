import { Badge, Table, Text } from '@mantine/core';
import type { CarrierHealth } from '#contract/overview.ts';
import type { RoutingView } from '#contract/routing.ts';
import { formatCount, formatLatency } from '../../format/number.ts';
import { useAccount } from '../../frame/account.ts';
import { FigureLink } from '../../parts/figure-link.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { When } from '../../parts/when.tsx';
import { listBehindLast } from '../overview/behind.ts';
import { stateOf } from '../overview/carriers/carrier-state.ts';
import { FIGURES as BEHIND, stagesOf } from '../overview/funnel/funnel.ts';
import { StageCell } from '../overview/funnel/stage-cell.tsx';

type Carrier = RoutingView['carriers'][number];

const DAY = 86_400_000;
const FIGURES = ['Attempts', 'Accepted', 'Delivered', 'Confirmed'];
const COLUMNS = ['Carrier', 'State', 'Limits', ...FIGURES, 'Last error', 'Unusable receipts'];

interface CarrierTableProps {
  readonly carriers: readonly Carrier[];
  readonly health: CarrierHealth;
}

export function CarrierTable({ carriers, health }: CarrierTableProps) {
  if (carriers.every(({ type }) => type === 'simulator')) {
    return (
      <Empty title="Only the simulator">
        No message reaches a telephone yet. A carrier and a route to it are added in the configuration of the
        service. Owners of its first account find a form below, which writes the lines and checks them.
      </Empty>
    );
  }
  return (
    <ScrollingTable label="Carriers" columns={COLUMNS} figures={FIGURES} stacked>
      {carriers.map((carrier) => (
        <CarrierRow
          key={carrier.name}
          carrier={carrier}
          health={health.find(({ name }) => name === carrier.name)}
        />
      ))}
    </ScrollingTable>
  );
}

interface CarrierRowProps {
  readonly carrier: Carrier;
  readonly health: CarrierHealth[number] | undefined;
}

function CarrierRow({ carrier, health }: CarrierRowProps) {
  const { name, type, last_day } = carrier;
  const behind = listBehindLast(useAccount().id, DAY, { carrier: name });
  const state = health && stateOf(health, last_day.attempted);
  const error = health?.installation.last_error ?? null;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {name}{' '}
        <Text component="span" size="xs" c="dimmed">
          {type}
        </Text>
      </Table.Th>
      <Table.Td data-label="State">
        {state !== undefined && (
          <Badge variant="light" color={state.color}>
            {state.label}
          </Badge>
        )}
      </Table.Td>
      <Table.Td data-label="Limits">
        <Text size="sm">{limitsOf(carrier)}</Text>
      </Table.Td>
      <Table.Td className="number" data-label="Attempts">
        <FigureLink to={behind('attempted')}>{formatCount(last_day.attempted)}</FigureLink>
      </Table.Td>
      {stagesOf({ ...last_day, requested: null }).map((stage) => (
        <StageCell
          key={stage.name}
          label={stage.name}
          count={stage.count}
          of={stage.of}
          to={behind(BEHIND[stage.name])}
        />
      ))}
      <Table.Td data-label="Last error">
        {error === null ? (
          'None'
        ) : (
          <>
            {error.reason}, <When at={error.at} />
          </>
        )}
      </Table.Td>
      <Table.Td data-label="Unusable receipts">{health?.installation.unusable_receipts || 'None'}</Table.Td>
    </Table.Tr>
  );
}

function limitsOf({ rate, concurrency, timeout_ms, daily_cap, breaker }: Carrier): string {
  return [
    ...(rate === null ? [] : [`at most ${rate}`]),
    ...(concurrency === null ? [] : [`${formatCount(concurrency)} at once`]),
    ...(daily_cap === null ? [] : [`${formatCount(daily_cap)} a day`]),
    `${formatLatency(timeout_ms)} to answer`,
    `set aside after ${formatCount(breaker.failures)} failures`,
  ].join(', ');
}
